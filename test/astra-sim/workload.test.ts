import { linkDependents } from '../../src/astra-sim/link-dependents.js';
import { OperatorKind, Role, Slot, SystemNodes } from '../../src/astra-sim/system-nodes.js';
import { Workload, type Issuer } from '../../src/astra-sim/workload.js';
import { traceOf } from '../support/traces.js';

/** Kinds of nodes: role, slot, operator. */
const KINDS = {
  gpu: [Role.timed, Slot.gpu, OperatorKind.gpu],
  cpu: [Role.timed, Slot.cpu, OperatorKind.cpu],
  collective: [Role.collective, Slot.communication, OperatorKind.communication],
  send: [Role.send, Slot.communication, OperatorKind.communication],
  receive: [Role.receive, Slot.none, OperatorKind.communication],
  memory: [Role.memory, Slot.communication, OperatorKind.memory],
  invalid: [Role.instant, Slot.communication, OperatorKind.invalid],
  skipped: [Role.instant, Slot.gpu, OperatorKind.gpu],
  /** Under replay-only. */
  timedSend: [Role.timed, Slot.communication, OperatorKind.communication],
} as const;

/** Kind, ids of the nodes it waits for, duration in ns. */
type Told = readonly [kind: keyof typeof KINDS, after?: readonly number[], ns?: number];

/** A workload whose nodes end when the test says so; ids are places, from 0. */
class Bench implements Issuer {
  nowNs = 0;
  readonly workload: Workload;
  /** Nodes issued since this was looked at last, `how node`. */
  #issued: string[] = [];
  readonly #nodes = new SystemNodes();

  constructor(ranks: readonly (readonly Told[])[], replayOnly = false) {
    const nodes = this.#nodes;
    for (const [rank, told] of ranks.entries()) {
      const first = nodes.length;
      nodes.reserve(first + told.length);
      nodes.length += told.length;
      nodes.offset.push(nodes.length);
      told.forEach(([kind, , ns = 0], at) => {
        [nodes.role[first + at], nodes.slot[first + at], nodes.operator[first + at]] = KINDS[kind];
        nodes.amount[first + at] = ns;
      });
      const trace = traceOf(
        told.map(([, after = []], id) => ({ id, data_deps: [...after] })),
        rank,
      );
      linkDependents(nodes, trace, undefined, 'both');
    }
    this.workload = new Workload(nodes, this, replayOnly);
  }

  begin(): string[] {
    this.workload.begin();
    return this.issued();
  }

  /** A node ends at an instant: gives what is issued then. */
  end(nowNs: number, node: number, rank = 0): string[] {
    this.nowNs = nowNs;
    this.workload.complete(rank, node);
    return this.issued();
  }

  issued(): string[] {
    const issued = this.#issued;
    this.#issued = [];
    return issued;
  }

  issueTimed = (_rank: number, node: number): unknown => this.#issued.push(`timed ${node}`);
  issueCollective = (_rank: number, node: number): unknown => this.#issued.push(`collective ${node}`);
  issueSend = (_rank: number, node: number): unknown => this.#issued.push(`send ${node}`);
  issueReceive = (_rank: number, node: number): unknown => this.#issued.push(`receive ${node}`);
  issueMemory = (_rank: number, node: number): unknown => this.#issued.push(`memory ${node}`);
}

describe('issue rule (astra-sim-semantics section 3)', () => {
  test('ready nodes in ascending id, each whose slot is free', () => {
    const bench = new Bench([[['send'], ['gpu'], ['collective'], ['gpu'], ['cpu'], ['memory'], ['cpu']]]);
    expect(bench.begin()).toEqual(['send 0', 'timed 1', 'timed 4']);
    // The communication slot goes to the smallest id that waits for it.
    expect(bench.end(5, 0)).toEqual(['collective 2']);
    expect(bench.end(6, 4)).toEqual(['timed 6']);
    expect(bench.end(7, 2)).toEqual(['memory 5']);
    expect(bench.end(8, 1)).toEqual(['timed 3']);
  });

  test('receives take no slot, and hold none', () => {
    const bench = new Bench([[['receive'], ['receive'], ['send'], ['receive'], ['send', [0]]]]);
    expect(bench.begin()).toEqual(['receive 0', 'receive 1', 'send 2', 'receive 3']);
    // Node 4 is ready, but node 2 still sends.
    expect(bench.end(5, 0)).toEqual([]);
    expect(bench.end(9, 2)).toEqual(['send 4']);
  });

  test('a node that becomes ready with a smaller id overtakes those that wait for the slot', () => {
    const bench = new Bench([[['gpu', [1]], ['send'], ['gpu'], ['gpu']]]);
    expect(bench.begin()).toEqual(['send 1', 'timed 2']);
    expect(bench.end(1, 1)).toEqual([]);
    expect(bench.end(2, 2)).toEqual(['timed 0']);
    expect(bench.end(3, 0)).toEqual(['timed 3']);
  });

  test('all ranks issue at time 0 in their order', () => {
    const bench = new Bench([[['gpu'], ['send']], [['send']], [['cpu']]]);
    expect(bench.begin()).toEqual(['timed 0', 'send 1', 'send 2', 'timed 3']);
  });

  test('a node waits for all it depends on', () => {
    const bench = new Bench([[['gpu'], ['cpu'], ['send', [0, 1]]]]);
    bench.begin();
    expect(bench.end(1, 0)).toEqual([]);
    expect(bench.end(2, 1)).toEqual(['send 2']);
  });
});

describe('nodes that complete at once do not lead to another look', () => {
  test('their dependents wait for the next completion of the rank', () => {
    const bench = new Bench([[['invalid'], ['cpu', [0]], ['gpu'], ['gpu']]]);
    // The slots of node 1 are free, but the look that let node 0 pass does not see it.
    expect(bench.begin()).toEqual(['timed 2']);
    expect(bench.end(5, 2)).toEqual(['timed 1', 'timed 3']);
  });

  test('they need their slot to be free, and leave it free', () => {
    const bench = new Bench([[['send'], ['invalid'], ['invalid'], ['send'], ['skipped']]]);
    expect(bench.begin()).toEqual(['send 0']);
    expect(bench.workload.nodesFinished[0]).toBe(1);
    // Both pass, then the send is issued.
    expect(bench.end(5, 0)).toEqual(['send 3']);
    expect(bench.workload.nodesFinished[0]).toBe(4);
  });

  test('where nothing is in flight the look is made, as often as it takes (section 18)', () => {
    const bench = new Bench([[['invalid'], ['invalid', [0]], ['skipped', [1]], ['gpu', [2]]]]);
    expect(bench.begin()).toEqual(['timed 3']);
  });

  test('also after the last completion', () => {
    const bench = new Bench([[['gpu'], ['invalid', [0]], ['gpu', [1]]]]);
    bench.begin();
    expect(bench.end(5, 0)).toEqual(['timed 2']);
    bench.end(9, 2);
    expect(bench.workload.finishOrder).toEqual([0]);
  });

  test('and after the last event, beside a receive that never completes', () => {
    const bench = new Bench([[['receive'], ['invalid'], ['gpu', [1]]], [['gpu']]]);
    expect(bench.begin()).toEqual(['receive 0', 'timed 3']);
    bench.end(5, 3, 1);
    expect(bench.workload.rescueAll()).toBe(true);
    expect(bench.issued()).toEqual(['timed 2']);
    bench.end(8, 2);
    expect(bench.workload.rescueAll()).toBe(false);
    expect(bench.workload.nodesFinished).toEqual(Int32Array.of(2, 1));
  });

  test('a slot that is held for ever is no reason to look again and again', () => {
    const bench = new Bench([[['send'], ['send']]]);
    bench.begin();
    expect(bench.workload.hasReady(0)).toBe(true);
    expect(bench.workload.rescueAll()).toBe(false);
  });
});

describe('what is kept (section 16)', () => {
  test('finished nodes, ends and the order in which ranks finish', () => {
    const bench = new Bench([[['gpu'], ['gpu']], [['gpu']]]);
    bench.begin();
    bench.end(4, 0);
    bench.end(6, 2, 1);
    bench.end(9, 1);
    const { nodesFinished, endNs, finishOrder } = bench.workload;
    expect([nodesFinished, endNs, finishOrder]).toEqual([Int32Array.of(2, 1), Float64Array.of(9, 6), [1, 0]]);
  });

  test('durations of the compute nodes that were issued; under replay-only those of all that are not of a CPU', () => {
    const told: Told[] = [
      ['gpu', [], 10],
      ['cpu', [], 200],
      ['timedSend', [], 3000],
      ['gpu', [], 40_000],
    ];
    const plain = new Bench([told]);
    plain.begin();
    expect(plain.workload.computeNs[0]).toBe(10);
    plain.end(10, 0);
    expect(plain.workload.computeNs[0]).toBe(40_010);
    const replayed = new Bench([told], true);
    replayed.begin();
    expect(replayed.workload.computeNs[0]).toBe(3010);
  });

  test('times of each kind from issue to completion, those without length too', () => {
    const bench = new Bench([[['gpu'], ['invalid'], ['receive'], ['send', [0]]]]);
    bench.begin();
    bench.end(10, 0);
    bench.end(15, 2);
    bench.end(30, 3);
    const { activity } = bench.workload;
    const { gpu, invalid, communication, cpu } = OperatorKind;
    expect([gpu, invalid, communication, cpu].map((kind) => activity.time(0, kind, 30))).toEqual([
      10,
      0,
      30,
      undefined,
    ]);
  });
});
