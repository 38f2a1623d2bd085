import { finding } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { ownValue } from '../../base/named-values.js';
import type { JsonValue } from '../json/json-value.js';
import type { DistributedInfo } from './device-trace.js';
import { integersOf } from './integer-texts.js';

/**
 * Reads `distributedInfo` of a device trace in all its generations (chakra-format section 8): only backend, rank and
 * world_size; with pg_config as a list of groups that have a `uid` or a `pg_desc`. Ranks are spelt out; an empty list with
 * a size stands for ranks 0 to size − 1 only where that is the whole job.
 */
export function distributedInfo(
  value: JsonValue,
  file: string,
): { info: DistributedInfo | undefined; findings: Finding[] } {
  const findings: Finding[] = [];
  const broken = (message: string): void => {
    findings.push(finding('GROUP_MALFORMED', `${file}: distributedInfo: ${message}`, { file }));
  };
  if (value === null) return { info: undefined, findings };
  if (typeof value !== 'object' || Array.isArray(value)) {
    broken('expected an object with rank and world_size');
    return { info: undefined, findings };
  }
  const rank = count(ownValue(value, 'rank'));
  const worldSize = count(ownValue(value, 'world_size'));
  const groups = new Map<string, readonly number[]>();
  const configured = ownValue(value, 'pg_config');
  const list = Array.isArray(configured) ? configured : isObject(configured) ? [configured] : [];
  list.forEach((entry, place) => {
    const group = readGroup(entry, worldSize);
    if (typeof group === 'string') broken(`pg_config entry ${place}: ${group}`);
    else if (!groups.has(group.name)) groups.set(group.name, group.ranks);
    else if (groups.get(group.name)?.join() !== group.ranks.join()) {
      broken(
        `pg_config entry ${place}: group ${JSON.stringify(group.name)} is there before with other ranks; the first counts`,
      );
    }
  });
  return {
    info: { ...(rank === undefined ? {} : { rank }), ...(worldSize === undefined ? {} : { worldSize }), groups },
    findings,
  };
}

function readGroup(
  entry: JsonValue,
  worldSize: number | undefined,
): { name: string; ranks: readonly number[] } | string {
  if (!isObject(entry)) return 'expected an object with pg_name and ranks';
  const stated = ownValue(entry, 'pg_name');
  if (typeof stated !== 'string' && typeof stated !== 'number') return 'pg_name is missing';
  const name = String(stated);
  const label = `group ${JSON.stringify(name)}`;
  const ranks = integersOf(ownValue(entry, 'ranks')) ?? [];
  const size = count(ownValue(entry, 'pg_size') ?? ownValue(entry, 'group_size'));
  if (ranks.length > 0) {
    if (ranks.some((rank) => rank < 0)) return `${label}: ranks holds something that is no rank`;
    if (size === undefined || size === ranks.length) return { name, ranks };
    return `${label}: ${ranks.length} ranks, and pg_size is ${size}`;
  }
  if (size !== undefined && size > 0 && size === worldSize) {
    return { name, ranks: Array.from({ length: size }, (_, rank) => rank) };
  }
  return `${label}: ranks are missing`;
}

function count(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
