import { finding } from '../base/catalogue.js';
import { counted, grouped } from '../base/counts.js';
import type { Finding } from '../base/finding.js';
import type { NodeLabels } from './node-label.js';
import { NodeKind, type NodeTable } from './node-table.js';
import { TransfersByPeer } from './transfers-by-peer.js';

/** Keys named one by one in findings of a kind; the rest are counted. */
const KEYS_NAMED = 50;

/**
 * Pairs sends with receives before the run, so that matching costs nothing while it runs: a key (tag, sender, receiver;
 * R-064) that one send and one receive have is theirs alone, whenever they start. Keys with more of them are matched in order of
 * completion at run time. Keys with more on one side give a finding, pairs whose sizes differ too.
 *
 * @returns number of keys that are matched at run time, and of pairs whose sizes differ
 */
export function pairTransfers(
  nodes: NodeTable,
  labels: NodeLabels,
  findings: Finding[],
): { readonly sharedKeys: number; readonly sizeMismatches: number } {
  const pairing = new Pairing(nodes, labels, findings);
  pairing.run();
  return { sharedKeys: pairing.sharedKeys, sizeMismatches: pairing.sizeMismatches };
}

class Pairing {
  sharedKeys = 0;
  readonly #nodes: NodeTable;
  readonly #labels: NodeLabels;
  readonly #sizes: KeyFindings;
  readonly #receives: KeyFindings;
  readonly #sends: KeyFindings;

  constructor(nodes: NodeTable, labels: NodeLabels, findings: Finding[]) {
    this.#nodes = nodes;
    this.#labels = labels;
    this.#sizes = new KeyFindings('TRANSFER_SIZE', findings);
    this.#receives = new KeyFindings('RECEIVE_UNMATCHED', findings);
    this.#sends = new KeyFindings('SEND_UNMATCHED', findings);
  }

  get sizeMismatches(): number {
    return this.#sizes.count;
  }

  /** Goes through the pairs of ranks by receiver, then sender; what only has senders comes with its sender. */
  run(): void {
    const { rankCount } = this.#nodes;
    const sends = new TransfersByPeer(this.#nodes, NodeKind.send);
    const receives = new TransfersByPeer(this.#nodes, NodeKind.receive);
    for (let rank = 0; rank < rankCount; rank++) {
      for (const list of receives.listsOf(rank)) this.#pairLists(sends.list(list.peer, rank), list.nodes);
      for (const list of sends.listsOf(rank)) {
        if (receives.list(list.peer, rank).length === 0) this.#pairLists(list.nodes, receives.list(list.peer, rank));
      }
    }
    for (const kept of [this.#sizes, this.#receives, this.#sends]) kept.finish();
  }

  /** Pairs all transfers from one rank to another; both lists come in ascending node. */
  #pairLists(sends: Int32Array, receives: Int32Array): void {
    if (!this.#pairInOrder(sends, receives)) {
      this.#pairByTag(sortedByTag(this.#nodes, sends), sortedByTag(this.#nodes, receives));
    }
  }

  /** The common case: the same tags in the same order, all different. */
  #pairInOrder(sends: Int32Array, receives: Int32Array): boolean {
    const nodes = this.#nodes;
    if (sends.length !== receives.length) return false;
    let last = -Infinity;
    for (let at = 0; at < sends.length; at++) {
      const tag = nodes.tag(sends[at]);
      if (tag !== nodes.tag(receives[at]) || tag <= last) return false;
      last = tag;
    }
    for (let at = 0; at < sends.length; at++) this.#pair(sends[at], receives[at]);
    return true;
  }

  #pairByTag(sends: Int32Array, receives: Int32Array): void {
    const nodes = this.#nodes;
    let send = 0;
    let receive = 0;
    while (send < sends.length || receive < receives.length) {
      const tag = Math.min(
        send < sends.length ? nodes.tag(sends[send]) : Infinity,
        receive < receives.length ? nodes.tag(receives[receive]) : Infinity,
      );
      const firstSend = send;
      const firstReceive = receive;
      while (send < sends.length && nodes.tag(sends[send]) === tag) send++;
      while (receive < receives.length && nodes.tag(receives[receive]) === tag) receive++;
      this.#pairKey(sends.subarray(firstSend, send), receives.subarray(firstReceive, receive));
    }
  }

  #pairKey(sends: Int32Array, receives: Int32Array): void {
    if (sends.length === 1 && receives.length === 1) {
      this.#pair(sends[0], receives[0]);
      return;
    }
    if (sends.length > 0 && receives.length > 0) {
      const shared = -2 - this.sharedKeys++;
      for (const send of sends) this.#nodes.setPair(send, shared);
      for (const receive of receives) this.#nodes.setPair(receive, shared);
    }
    if (sends.length !== receives.length) this.#reportCounts(sends, receives);
  }

  #pair(send: number, receive: number): void {
    const nodes = this.#nodes;
    nodes.setPair(send, receive);
    nodes.setPair(receive, send);
    if (nodes.amount(send) !== nodes.amount(receive)) {
      this.#sizes.add(() => sizeMessage(nodes, this.#labels, send, receive), nodes.rank(receive));
    }
  }

  #reportCounts(sends: Int32Array, receives: Int32Array): void {
    const nodes = this.#nodes;
    const some = sends.length > 0 ? sends[0] : receives[0];
    const isSend = nodes.kind(some) === NodeKind.send;
    const sender = isSend ? nodes.rank(some) : nodes.peer(some);
    const receiver = isSend ? nodes.peer(some) : nodes.rank(some);
    const where = `tag ${nodes.tag(some)} from rank ${sender} to rank ${receiver}`;
    const counts = `${countedOrNo(sends.length, 'send')} and ${countedOrNo(receives.length, 'receive')}`;
    if (receives.length > sends.length) {
      this.#receives.add(
        () => `${where}: ${counts}, a receive will never finish; first ${this.#labels.full(receives[0])}`,
        receiver,
      );
    } else {
      this.#sends.add(
        () => `${where}: ${counts}, a transfer is never claimed; first ${this.#labels.full(sends[0])}`,
        sender,
      );
    }
  }
}

/** `no send`, `1 send`, `2 sends`. */
function countedOrNo(count: number, noun: string): string {
  return count === 0 ? `no ${noun}` : counted(count, noun);
}

/** A receive says another size than the transfer it gets. */
export function sizeMessage(nodes: NodeTable, labels: NodeLabels, send: number, receive: number): string {
  const expected = nodes.amount(receive);
  return `${labels.full(receive)} expects ${grouped(expected)} B, ${labels.full(send)} sends ${grouped(nodes.amount(send))} B`;
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

  /** Keys in all. */
  get count(): number {
    return this.#count;
  }

  /** @param message called only for a key that is named */
  add(message: () => string, rank: number): void {
    if (this.#count++ < KEYS_NAMED) this.#findings.push(finding(this.#code, message(), { severity: 'warning', rank }));
  }

  /** Says how many were not named. */
  finish(): void {
    const more = this.#count - KEYS_NAMED;
    if (more <= 0) return;
    this.#findings.push(finding(this.#code, `${more} more of the same`, { severity: 'warning', count: more }));
  }
}

/** Ascending tag, then ascending node. */
function sortedByTag(nodes: NodeTable, transfers: Int32Array): Int32Array {
  return transfers.slice().sort((a, b) => nodes.tag(a) - nodes.tag(b) || a - b);
}
