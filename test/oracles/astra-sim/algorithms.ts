import type { SystemCollective } from '../../../src/astra-sim/system-configuration.js';
import type { Action } from './events.js';
import { rankAt, type LogicalDimension } from './logical-dimension.js';

/** How one chunk of a collective runs over one dimension. */
export interface Phase {
  readonly kind: SystemCollective;
  readonly dimension: LogicalDimension;
  /** Bytes the rank starts with. */
  readonly bytes: number;
  /** Queue within the dimension. */
  readonly queue: number;
  readonly clockwise: boolean;
  /** Which of the two trees, where the implementation is `doubleBinaryTree`. */
  readonly tree: 'rootMax' | 'rootMin';
}

/** Where a bundle enters the bus and which marks it has there (section 15). */
export interface BundleMarks {
  readonly from: 'npu' | 'adapter';
  readonly reduce: boolean;
  readonly returning: boolean;
}

/** What a phase does on its rank; the messages carry the tag of its stream. */
export interface Port {
  /** Takes a bundle of packets over the local bus and, where it is to be reduced, through the reduction (section 7). */
  bundle(bytes: number, marks: BundleMarks, done: Action): void;
  send(to: number, bytes: number): void;
  receive(from: number, bytes: number, received: Action): void;
}

/** Runs a phase; `done` when it is over on this rank. */
export function runPhase(phase: Phase, port: Port, done: Action): void {
  switch (phase.dimension.implementation.algorithm) {
    case 'ring':
      return exchange(ring(phase), phase, port, done);
    case 'direct':
      return exchange(direct(phase), phase, port, done);
    case 'halvingDoubling':
      return exchange(halvingDoubling(phase), phase, port, done);
    case 'doubleBinaryTree':
      return tree(phase, port, done);
  }
}

interface Packet {
  readonly to: number;
  readonly from: number;
  readonly bytes: number;
}

/** The parameters of the common skeleton of section 8. */
interface Exchange {
  /** P: messages in flight. */
  readonly parallel: number;
  /** Z: relay packets in a cycle. */
  readonly relays: number;
  readonly messages: number;
  nextPacket(): Packet;
  /** Messages of each half of an all-reduce, where its second half waits for all messages of the first. */
  readonly barrier?: number;
}

function messageBytes({ kind, bytes, dimension }: Phase): number {
  return kind === 'allGather' ? bytes : Math.floor(bytes / dimension.ranks.length);
}

function ring(phase: Phase): Exchange {
  const count = phase.dimension.ranks.length;
  const step = phase.clockwise ? 1 : -1;
  const packet = {
    to: rankAt(phase.dimension, step),
    from: rankAt(phase.dimension, -step),
    bytes: messageBytes(phase),
  };
  const messages = { allReduce: 2 * (count - 1), allToAll: (count * (count - 1)) / 2 };
  return {
    parallel: 1,
    relays: count - 1,
    messages: phase.kind === 'allReduce' || phase.kind === 'allToAll' ? messages[phase.kind] : count - 1,
    nextPacket: () => packet,
  };
}

function direct(phase: Phase): Exchange {
  const { dimension, kind } = phase;
  const others = dimension.ranks.length - 1;
  const step = phase.clockwise ? 1 : -1;
  const parallel = Math.min(dimension.implementation.window ?? others, others);
  let created = 0;
  return {
    parallel,
    relays: dimension.subgroup ? others * parallel : parallel,
    messages: kind === 'allReduce' ? 2 * others : others,
    nextPacket() {
      const distance = step * (1 + (created++ % others));
      return { to: rankAt(dimension, distance), from: rankAt(dimension, -distance), bytes: messageBytes(phase) };
    },
    ...(kind === 'allReduce' && { barrier: others }),
  };
}

function halvingDoubling({ kind, bytes, dimension }: Phase): Exchange {
  if (kind === 'allToAll') throw new Error('halvingDoubling has no all-to-all');
  const count = dimension.ranks.length;
  const gather = kind === 'allGather';
  let off = gather ? Math.floor(count / 2) : 1;
  let size = gather ? bytes : Math.floor(bytes / 2);
  let factor = gather ? 0.5 : 2;
  const stepOn = (): void => {
    off = Math.floor(off * factor);
    size = Math.floor(size / factor);
  };
  return {
    parallel: 1,
    relays: Math.floor(Math.log2(count) - 1),
    messages: Math.floor((kind === 'allReduce' ? 2 : 1) * Math.log2(count)),
    nextPacket() {
      const partner = rankAt(dimension, Math.floor(dimension.position / off) % 2 === 0 ? off : -off);
      const packet = { to: partner, from: partner, bytes: size };
      stepOn();
      if (kind === 'allReduce' && off === count) {
        factor = 0.5;
        stepOn();
      }
      return packet;
    },
  };
}

function exchange(how: Exchange, { kind }: Phase, port: Port, done: Action): void {
  const { parallel, relays, barrier } = how;
  const cycle = parallel + relays;
  const waiting: Packet[] = [];
  let left = how.messages;
  let credits = 0;
  let created = 0;
  let arrived = 0;

  const create = (): void => {
    const packet = how.nextPacket();
    waiting.push(packet);
    const place = created % cycle;
    const flag = Math.floor(created / cycle) % 2 === 0;
    created++;
    const relay = place >= parallel;
    const marks: BundleMarks = {
      from: relay ? 'adapter' : 'npu',
      reduce: relay && (kind === 'reduceScatter' || (kind === 'allReduce' && flag)),
      returning: relay && cycle - place > parallel,
    };
    port.bundle(packet.bytes, marks, leaveBus);
  };
  const sendFirst = (): void => {
    if (waiting.length === 0 || credits === 0 || left === 0) return;
    const packet = waiting.shift()!;
    credits--;
    left--;
    port.send(packet.to, packet.bytes);
    port.receive(packet.from, packet.bytes, () => {
      arrived++;
      create();
    });
  };
  const leaveBus = (): void => {
    credits++;
    if (barrier === undefined || left > barrier) sendFirst();
    else {
      if (arrived < barrier) return;
      for (let sent = 0; sent < parallel; sent++) sendFirst();
    }
    if (left === 0 && credits === parallel) done();
  };
  for (let packet = 0; packet < parallel; packet++) create();
}

/** Section 8.4: always a whole all-reduce. */
function tree({ bytes, dimension, tree: which }: Phase, port: Port, done: Action): void {
  const { parent, children } = placeInTree(dimension.position, dimension.ranks.length, which);
  const rank = (position: number): number => dimension.ranks[position];
  const bundle = (reduce: boolean, returning: boolean, then: Action): void =>
    port.bundle(bytes, { from: 'adapter', reduce, returning }, then);
  if (parent === undefined) {
    const child = rank(children[0]);
    port.receive(child, bytes, () =>
      bundle(true, true, () => {
        port.send(child, bytes);
        done();
      }),
    );
    return;
  }
  const up = rank(parent);
  if (children.length === 0) {
    port.bundle(bytes, { from: 'npu', reduce: false, returning: false }, () => {
      port.send(up, bytes);
      port.receive(up, bytes, () => bundle(false, false, done));
    });
    return;
  }
  let arrived = 0;
  let reduced = 0;
  const whenReduced = (): void => {
    reduced++;
    if (reduced < 2) return;
    port.send(up, bytes);
    port.receive(up, bytes, () =>
      bundle(true, true, () => {
        for (const child of children) port.send(rank(child), bytes);
        done();
      }),
    );
  };
  for (const child of children) {
    port.receive(rank(child), bytes, () => {
      arrived++;
      bundle(true, arrived === 2, whenReduced);
    });
  }
}

/** Parent and children of a position: a root above a perfect tree of the others, numbered in order. */
function placeInTree(
  position: number,
  count: number,
  which: Phase['tree'],
): { parent: number | undefined; children: number[] } {
  if (!Number.isInteger(Math.log2(count))) throw new Error(`doubleBinaryTree over ${count} ranks`);
  const root = which === 'rootMax' ? count - 1 : 0;
  let low = which === 'rootMax' ? 0 : 1;
  let high = which === 'rootMax' ? count - 2 : count - 1;
  const middle = (): number => (low + high) / 2;
  if (position === root) return { parent: undefined, children: [middle()] };
  let parent = root;
  while (position !== middle()) {
    parent = middle();
    if (position < parent) high = parent - 1;
    else low = parent + 1;
  }
  const half = (high - low + 2) / 4;
  return { parent, children: low === high ? [] : [position - half, position + half] };
}
