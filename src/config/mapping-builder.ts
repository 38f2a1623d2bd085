import { finding } from '../base/catalogue.js';
import { compareDecimals, parseDecimal, scaledHalfUp, type Decimal } from '../base/decimal.js';
import { requestError, type PrepError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import type { ScaleUpGroup } from '../network/scale-up/scale-up-spec.js';
import type { Mapping } from '../replay/placement.js';

const LARGEST_UNSIGNED = 2 ** 32 - 1;

/** A mapping and what is to be said of its file. */
export interface MappingFile {
  readonly mapping: Mapping;
  /** `MAPPING_GROUP_UNUSED` where a group has no rank. */
  readonly findings: readonly Finding[];
}

/** Bounds of a decimal as R-036 writes them: from `least`, below `limit`. */
interface Bounds {
  readonly unit: string;
  readonly least: string;
  readonly limit: string;
  readonly orZero: boolean;
}

const BANDWIDTH: Bounds = { unit: 'Gbps', least: '1e-9', limit: '1.8446744073709552e10', orZero: false };
const LATENCY: Bounds = { unit: 'ns', least: '1e-3', limit: '1.8446744073709552e16', orZero: true };

/** Nanoseconds are picoseconds × 10^3. */
const PS_OF_NS = 3;

/** Puts a mapping together from the values of either form as they are written, and checks them. */
export class MappingBuilder {
  // In the order of the file: [entries]
  readonly #ranks: number[] = [];
  readonly #servers: number[] = [];
  readonly #groups: (number | undefined)[] = [];
  readonly #subgroups: number[] = [];
  readonly #lineOfRank = new Map<number, number>();
  readonly #lineOfServer = new Map<number, number>();
  readonly #parameters = new Map<number, { line: number; group: ScaleUpGroup }>();

  /** @param path for messages */
  constructor(readonly path: string) {}

  /** Entries of Section I so far. */
  get entries(): number {
    return this.#ranks.length;
  }

  /** An error of one line, counted from 1. */
  error(line: number, reason: string): PrepError {
    return requestError('MAPPING_MALFORMED', `${this.path}: line ${line}: ${reason}`);
  }

  /** One rank. @throws PrepError */
  addRank(line: number, rankText: string, serverText: string, group?: readonly [id: string, subgroup: string]): void {
    const rank = this.#unsigned(line, 'rank', rankText);
    const server = this.#unsigned(line, 'server', serverText, LARGEST_UNSIGNED - 1);
    this.#once(line, 'rank', rank, this.#lineOfRank);
    this.#once(line, 'server', server, this.#lineOfServer);
    this.#ranks.push(rank);
    this.#servers.push(server);
    this.#groups.push(group && this.#unsigned(line, 'group', group[0]));
    this.#subgroups.push(group ? this.#unsigned(line, 'subgroup', group[1]) : 0);
  }

  /** Parameters of one group. @throws PrepError */
  addGroup(line: number, idText: string, bandwidth: string, switchLatency: string, cableLatency: string): void {
    const id = this.#unsigned(line, 'group', idText);
    const first = this.#parameters.get(id);
    if (first) throw this.error(line, `group ${id} declared twice, first on line ${first.line}`);
    this.#decimal(line, 'bandwidth', bandwidth, BANDWIDTH);
    const group = {
      id,
      bandwidthGbps: Number(bandwidth),
      switchLatencyPs: this.#picoseconds(line, 'switch latency', switchLatency),
      cableLatencyPs: this.#picoseconds(line, 'cable latency', cableLatency),
    };
    this.#parameters.set(id, { line, group });
  }

  /** @throws PrepError for the first rank that is missing, and for a group without parameters */
  finish(): MappingFile {
    const rankCount = this.entries;
    if (rankCount === 0) throw this.#fileError('no ranks, expected one line a rank');
    for (let rank = 0; rank < rankCount; rank++) {
      if (this.#lineOfRank.has(rank)) continue;
      const largest = this.#ranks.reduce((most, other) => Math.max(most, other), 0);
      throw this.#fileError(`rank ${rank} missing, expected each rank from 0 to ${largest} once`);
    }
    const groups = this.#usedGroups();
    const indexOf = new Map(groups.map(({ id }, index) => [id, index]));
    const mapping = {
      serverOf: new Uint32Array(rankCount),
      groups,
      groupOf: new Int32Array(rankCount).fill(-1),
      subgroupOf: new Uint32Array(rankCount),
    };
    this.#ranks.forEach((rank, entry) => {
      const group = this.#groups[entry];
      mapping.serverOf[rank] = this.#servers[entry];
      if (group !== undefined) mapping.groupOf[rank] = indexOf.get(group)!;
      mapping.subgroupOf[rank] = this.#subgroups[entry];
    });
    return { mapping, findings: this.#unusedGroups(indexOf) };
  }

  /** Groups that a rank is in, ascending id. */
  #usedGroups(): ScaleUpGroup[] {
    const used = new Map<number, ScaleUpGroup>();
    this.#groups.forEach((id, entry) => {
      if (id === undefined || used.has(id)) return;
      const declared = this.#parameters.get(id);
      if (!declared) {
        const line = this.#lineOfRank.get(this.#ranks[entry])!;
        throw this.error(line, `group ${id} has no parameters`);
      }
      used.set(id, declared.group);
    });
    return [...used.values()].sort((a, b) => a.id - b.id);
  }

  #unusedGroups(used: ReadonlyMap<number, number>): Finding[] {
    return [...this.#parameters]
      .filter(([id]) => !used.has(id))
      .map(([id, { line }]) =>
        finding('MAPPING_GROUP_UNUSED', `${this.path}: line ${line}: no rank is in group ${id}`, { file: this.path }),
      );
  }

  #once(line: number, what: string, value: number, lines: Map<number, number>): void {
    const first = lines.get(value);
    if (first !== undefined) throw this.error(line, `${what} ${value} used twice, first on line ${first}`);
    lines.set(value, line);
  }

  #unsigned(line: number, what: string, text: string, largest = LARGEST_UNSIGNED): number {
    const value = /^[0-9]+$/.test(text) ? Number(text) : NaN;
    if (value <= largest) return value;
    throw this.error(line, `${what} ${shown(text)}: expected an integer from 0 to ${largest}`);
  }

  #picoseconds(line: number, what: string, text: string): number {
    return Number(scaledHalfUp(this.#decimal(line, what, text, LATENCY), PS_OF_NS));
  }

  #decimal(line: number, what: string, text: string, { unit, least, limit, orZero }: Bounds): Decimal {
    const value = parseDecimal(text);
    if (value) {
      if (orZero && value.digits === 0n) return value;
      const high = compareDecimals(value, parseDecimal(limit)!) >= 0;
      if (!high && compareDecimals(value, parseDecimal(least)!) >= 0) return value;
    }
    const range = `${orZero ? '0, or ' : ''}a decimal number from ${least} to below ${limit}`;
    throw this.error(line, `${what} ${shown(text)}: expected ${range} ${unit}`);
  }

  #fileError(reason: string): PrepError {
    return requestError('MAPPING_MALFORMED', `${this.path}: ${reason}`);
  }
}

/** A value in a message: a number as it stands, anything else in quotes, and never longer than a line can show. */
function shown(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return /^[0-9.eE+-]+…?$/.test(text) || text.startsWith('"') ? short : JSON.stringify(short);
}
