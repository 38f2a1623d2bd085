import { LineCounter, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Node, YAMLMap } from 'yaml';
import { counted } from '../base/counts.js';
import { requestError } from '../base/errors.js';
import type { PrepError } from '../base/errors.js';
import { MAX_EXACT, parseBandwidthBytesPerNs, parseTimePs, roundHalfUp } from '../base/units.js';
import { TOPOLOGIES } from './network-spec.js';
import type { AlphaBetaSpec, AnalyticalSpec, NetworkSpec, Topology } from './network-spec.js';

const SHORT_FORM = 'alpha-beta:latency=1us,bandwidth=50GB/s';
const KEYS = ['topology', 'npus_count', 'bandwidth', 'latency'] as const;

/** Whether a `--network` value is a short form rather than the name of a file. */
export function isShortNetworkForm(text: string): boolean {
  return /^[a-z][a-z-]*:(?=.*=)/.test(text);
}

/**
 * A short form such as `alpha-beta:latency=1us,bandwidth=50GB/s`. GB is 10^9 bytes, GiB 2^30; nothing is defaulted.
 * @throws PrepError `NETWORK_UNKNOWN` for another kind, `NETWORK_MALFORMED` for a missing, doubled or unknown key,
 *   `TIME_MALFORMED` and `BANDWIDTH_MALFORMED` for the values
 */
export function parseShortNetworkForm(text: string): AlphaBetaSpec {
  const colon = text.indexOf(':');
  const kind = text.slice(0, colon);
  if (colon < 0 || kind !== 'alpha-beta') {
    throw requestError('NETWORK_UNKNOWN', `network "${text}": expected a file or ${SHORT_FORM}`);
  }
  const values = new Map<string, string>();
  for (const part of text.slice(colon + 1).split(',')) {
    const equals = part.indexOf('=');
    const key = part.slice(0, Math.max(equals, 0)).trim();
    if (key !== 'latency' && key !== 'bandwidth') {
      throw malformed(`network "${text}": "${part}" is not one of latency=…, bandwidth=…`);
    }
    if (values.has(key)) throw malformed(`network "${text}": ${key} is given twice`);
    values.set(key, part.slice(equals + 1).trim());
  }
  const latency = values.get('latency');
  const bandwidth = values.get('bandwidth');
  if (latency === undefined || bandwidth === undefined) {
    const missing = latency === undefined ? 'latency' : 'bandwidth';
    throw malformed(`network "${text}": ${missing} is missing; expected a form such as ${SHORT_FORM}`);
  }
  return { kind: 'alpha-beta', latencyPs: parseTimePs(latency), bytesPerNs: parseBandwidthBytesPerNs(bandwidth) };
}

/**
 * An ASTRA-sim analytical network file: lists `topology`, `npus_count`, `bandwidth` (units of 2^30 B/s) and `latency` (ns),
 * one entry a dimension.
 *
 * @param file name for messages
 * @throws PrepError `NETWORK_MALFORMED`, naming line, key, value and what was expected
 */
export function parseAnalyticalNetwork(text: string, file: string): AnalyticalSpec {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (node: { range?: readonly number[] | null } | null | undefined): string =>
    `${file}:${lines.linePos(node?.range?.[0] ?? 0).line}`;
  if (document.errors.length > 0) {
    const [error] = document.errors;
    throw malformed(`${file}:${lines.linePos(error.pos[0]).line}: not YAML: ${error.message}`);
  }
  const root = document.contents;
  if (!isMap(root)) throw malformed(`${place(root)}: expected a map with the keys ${KEYS.join(', ')}`);
  for (const { key } of (root as YAMLMap<Node, Node>).items) {
    const name = isScalar(key) ? String(key.value) : '(a structure)';
    if (!(KEYS as readonly string[]).includes(name)) {
      throw malformed(`${place(key)}: unknown key "${name}" (known: ${KEYS.join(', ')})`);
    }
  }
  const list = (key: (typeof KEYS)[number]): { value: unknown; where: string }[] => {
    const node = (root as YAMLMap<Node, Node>).get(key, true) as Node | undefined;
    if (node === undefined) throw malformed(`${file}: ${key} is missing; expected a list with one entry a dimension`);
    if (!isSeq(node)) throw malformed(`${place(node)}: ${key}: expected a list with one entry a dimension`);
    return node.items.map((item) => ({
      value: isScalar(item) ? item.value : (item as Node).toJS(document),
      where: `${place(item as Node)}: ${key}`,
    }));
  };
  const columns = KEYS.map(list);
  const [topology, npus, bandwidth, latency] = columns;
  if (topology.length === 0) throw malformed(`${file}: topology is empty; expected one entry a dimension`);
  for (const [index, column] of columns.entries()) {
    if (column.length !== topology.length) {
      throw malformed(
        `${file}: ${KEYS[index]} has ${counted(column.length, 'entry', 'entries')}, topology has ${topology.length}; expected as many`,
      );
    }
  }
  return {
    kind: 'analytical',
    dimensions: topology.map((_, index) => ({
      topology: topologyOf(topology[index]),
      npus: numberOf(npus[index], (value) => Number.isInteger(value) && value >= 2, 'an integer of 2 or more'),
      bandwidthGiBPerSecond: numberOf(bandwidth[index], (value) => value > 0, 'a positive number of GB/s'),
      latencyPs: latencyOf(latency[index]),
      latencyNs: latency[index].value as number,
    })),
  };
}

/**
 * A network from a short form, or from the text of a file.
 * @param text the short form, or the file's text when `file` is given
 */
export function parseNetwork(text: string, file?: string): NetworkSpec {
  return file === undefined ? parseShortNetworkForm(text) : parseAnalyticalNetwork(text, file);
}

interface Entry {
  readonly value: unknown;
  readonly where: string;
}

function topologyOf({ value, where }: Entry): Topology {
  const found = TOPOLOGIES.find((name) => name === value);
  if (found === undefined)
    throw malformed(`${where}: unknown topology ${shown(value)} (known: ${TOPOLOGIES.join(', ')})`);
  return found;
}

function numberOf({ value, where }: Entry, valid: (value: number) => boolean, expected: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || !valid(value)) {
    throw malformed(`${where}: ${shown(value)}: expected ${expected}`);
  }
  return value;
}

/** A text in quotes, so that `"4"` is told from 4. */
function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
}

function latencyOf(entry: Entry): number {
  const nanoseconds = numberOf(entry, (value) => value >= 0, 'a number of ns, 0 or more');
  const picoseconds = roundHalfUp(nanoseconds * 1000);
  if ((picoseconds === 0 && nanoseconds !== 0) || picoseconds > MAX_EXACT) {
    throw malformed(`${entry.where}: ${nanoseconds} ns: expected 0, or from half a picosecond to 2^53 ps`);
  }
  return picoseconds;
}

function malformed(message: string): PrepError {
  return requestError('NETWORK_MALFORMED', message);
}
