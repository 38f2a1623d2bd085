import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { KeyTable } from './key-table.js';
import { NO_PAIR, NodeKind, type NodeColumns } from './node-columns.js';
import { labelOf } from './node-label.js';

/** Keys named one by one in findings of a kind; the rest are counted. */
const KEYS_NAMED = 50;

/**
 * Pairs sends with receives before the run, so that matching costs nothing while it runs: a key that one send and one
 * receive have is theirs alone, whenever they start. Keys with more of them are matched in order of completion at run time
 * . Keys with more on one side give a finding, pairs whose sizes differ too.
 *
 * @returns number of keys that are matched at run time
 */
export function pairTransfers(nodes: NodeColumns, findings: Finding[]): number {
  const { kind, pair, amount, length } = nodes;
  const table = numberKeys(nodes);
  const keys = table.size;
  const sends = new Int32Array(keys);
  const receives = new Int32Array(keys);
  const send = new Int32Array(keys); // first of the key
  const receive = new Int32Array(keys);
  for (let node = length - 1; node >= 0; node--) {
    const key = pair[node];
    if (kind[node] === NodeKind.send) {
      sends[key]++;
      send[key] = node;
    } else if (kind[node] === NodeKind.receive) {
      receives[key]++;
      receive[key] = node;
    }
  }

  const replacement = new Int32Array(keys).fill(NO_PAIR);
  const sizes = new KeyFindings('TRANSFER_SIZE', findings);
  const unmatchedReceives = new KeyFindings('RECEIVE_UNMATCHED', findings);
  const unmatchedSends = new KeyFindings('SEND_UNMATCHED', findings);
  let sharedKeys = 0;
  for (let key = 0; key < keys; key++) {
    const alone = sends[key] === 1 && receives[key] === 1;
    if (alone && amount[send[key]] !== amount[receive[key]]) {
      sizes.add(sizeMessage(nodes, send[key], receive[key]), nodes.rank[receive[key]]);
    }
    if (!alone && sends[key] > 0 && receives[key] > 0) replacement[key] = -2 - sharedKeys++;
    if (receives[key] === sends[key]) continue;
    const where = `tag ${table.tag[key]} from rank ${table.sender[key]} to rank ${table.receiver[key]}`;
    const counts = `${sends[key]} sends and ${receives[key]} receives`;
    if (receives[key] > sends[key]) {
      const first = labelOf(nodes, receive[key]);
      unmatchedReceives.add(`${where}: ${counts}, a receive will never finish; first ${first}`, table.receiver[key]);
    } else {
      const first = labelOf(nodes, send[key]);
      unmatchedSends.add(`${where}: ${counts}, a transfer is never claimed; first ${first}`, table.sender[key]);
    }
  }
  for (const kept of [sizes, unmatchedReceives, unmatchedSends]) kept.finish();

  for (let node = 0; node < length; node++) {
    if (kind[node] !== NodeKind.send && kind[node] !== NodeKind.receive) continue;
    const key = pair[node];
    if (sends[key] === 1 && receives[key] === 1) pair[node] = kind[node] === NodeKind.send ? receive[key] : send[key];
    else pair[node] = replacement[key];
  }
  return sharedKeys;
}

/** A receive says another size than the transfer it gets. */
export function sizeMessage(nodes: NodeColumns, send: number, receive: number): string {
  return `${labelOf(nodes, receive)} expects ${nodes.amount[receive]} B, ${labelOf(nodes, send)} sends ${nodes.amount[send]} B`;
}

/** Findings of one kind, each about one key. */
export class KeyFindings {
  #count = 0;
  readonly #code: Parameters<typeof finding>[0];
  readonly #findings: Finding[];

  constructor(code: Parameters<typeof finding>[0], findings: Finding[]) {
    this.#code = code;
    this.#findings = findings;
  }

  add(message: string, rank: number): void {
    if (this.#count++ < KEYS_NAMED) this.#findings.push(finding(this.#code, message, { severity: 'warning', rank }));
  }

  /** Says how many were not named. */
  finish(): void {
    const more = this.#count - KEYS_NAMED;
    if (more <= 0) return;
    this.#findings.push(finding(this.#code, `${more} more of the same`, { severity: 'warning', count: more }));
  }
}

/** Puts the number of its key into `pair` of every send and receive. */
function numberKeys({ kind, peer, pair, rankCount, offset, traces, traceIndex, length }: NodeColumns): KeyTable {
  let sends = 0;
  for (let node = 0; node < length; node++) if (kind[node] === NodeKind.send) sends++;
  const table = new KeyTable(sends);
  for (let rank = 0; rank < rankCount; rank++) {
    const { commTag } = traces[rank];
    const order = traceIndex[rank];
    const first = offset[rank];
    for (let node = first; node < offset[rank + 1]; node++) {
      if (kind[node] !== NodeKind.send && kind[node] !== NodeKind.receive) continue;
      const tag = commTag[order === undefined ? node - first : order[node - first]];
      const known = Number.isNaN(tag) ? 0 : tag;
      pair[node] =
        kind[node] === NodeKind.send ? table.key(known, rank, peer[node]) : table.key(known, peer[node], rank);
    }
  }
  return table;
}
