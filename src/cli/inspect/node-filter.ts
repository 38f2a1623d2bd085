import { requestError } from '../../base/errors.js';
import { nearestName } from '../../base/nearest-name.js';
import type { IdRange, NodeFilter } from '../../passes/views/nodes.js';
import { NodeType, nodeTypeName, nodeTypeNumber } from '../../trace/node-type.js';
import { textFlag, type Flags } from '../command.js';
import { parseRanks } from '../ranks.js';

/** Short names of node types. */
const SHORT_TYPES: ReadonlyMap<string, number> = new Map([
  ['invalid', NodeType.invalid],
  ['metadata', NodeType.metadata],
  ['mem-load', NodeType.memoryLoad],
  ['mem-store', NodeType.memoryStore],
  ['comp', NodeType.compute],
  ['send', NodeType.send],
  ['recv', NodeType.receive],
  ['coll', NodeType.collective],
]);

/** Largest number of a type that the type column tells apart. */
const LARGEST_TYPE = 254;
const LARGEST_ID = 2n ** 64n - 1n;

/** Options that choose nodes. */
export const FILTER_OPTIONS = ['type', 'name', 'rank', 'id', 'limit'] as const;

/**
 * The nodes that flags choose.
 * @param limit nodes shown at most where no flag says so
 * @throws PrepError `NODE_FILTER_MALFORMED`, `RANKS_MALFORMED`
 */
export function nodeFilter(flags: Flags, limit: number | undefined): NodeFilter {
  const type = textFlag(flags, 'type');
  const name = textFlag(flags, 'name');
  const rank = textFlag(flags, 'rank');
  const id = textFlag(flags, 'id');
  const most = textFlag(flags, 'limit');
  const shown = most === undefined ? limit : parseLimit(most);
  return {
    ...(type === undefined ? {} : { types: type.split(',').map((word) => parseType(word.trim(), type)) }),
    ...(name === undefined ? {} : { name: parseName(name) }),
    ...(rank === undefined ? {} : { ranks: parseRanks(rank, '--rank') }),
    ...(id === undefined ? {} : { ids: parseIdRanges(id, '--id') }),
    ...(shown === undefined ? {} : { limit: shown }),
  };
}

/** `coll`, `COMM_COLL_NODE`, `NODE_TYPE_9` or `9`, whatever their case. */
function parseType(word: string, text: string): number {
  const known = SHORT_TYPES.get(word.toLowerCase()) ?? nodeTypeNumber(word.toUpperCase());
  if (known !== undefined) return known;
  const number = /^(?:node_type_)?(\d+)$/i.exec(word)?.[1];
  if (number !== undefined && Number(number) <= LARGEST_TYPE) return Number(number);
  const names = [...SHORT_TYPES.keys()];
  const meant = nearestName(word, [...names, ...[...SHORT_TYPES.values()].map(nodeTypeName)]);
  throw requestError(
    'NODE_FILTER_MALFORMED',
    `--type ${text}: no node type is called "${word}", expected ${names.join(', ')}, a schema name or a number to ${LARGEST_TYPE}`,
    meant === undefined ? undefined : `did you mean ${meant}?`,
  );
}

/** Text that names contain, or a regular expression between slashes, with its flags behind them. */
function parseName(text: string): string | RegExp {
  const match = /^\/(.+)\/([a-z]*)$/s.exec(text);
  if (!match) return text;
  try {
    return new RegExp(match[1], match[2]);
  } catch (cause) {
    throw requestError(
      'NODE_FILTER_MALFORMED',
      `--name ${text}: ${(cause as Error).message}`,
      'leave the slashes out to look for the text itself',
    );
  }
}

/**
 * Ids and ranges of `3,100-200`.
 * @param option for messages: `--id`
 * @throws PrepError `NODE_FILTER_MALFORMED`
 */
export function parseIdRanges(text: string, option: string): IdRange[] {
  return text.split(',').map((part) => parseIds(part, text, option));
}

/** `17` or `100-200`; ids have up to 64 bits. */
function parseIds(part: string, text: string, option: string): IdRange {
  const match = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part);
  const from = match ? BigInt(match[1]) : 0n;
  const to = match ? BigInt(match[2] ?? match[1]) : 0n;
  if (match && from <= to && to <= LARGEST_ID) return { from, to };
  throw requestError(
    'NODE_FILTER_MALFORMED',
    `${option} ${text}: expected ids or ranges from the smaller to the larger, below 2^64, such as 17 or 3,100-200`,
  );
}

function parseLimit(text: string): number {
  const limit = /^\s*\d+\s*$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(limit)) return limit;
  throw requestError('NODE_FILTER_MALFORMED', `--limit ${text}: expected a whole number from 0`);
}
