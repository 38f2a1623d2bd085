import { finding } from '../../base/catalogue.js';
import { counted, grouped as digits } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { roundHalfUp } from '../../base/units.js';
import { Arm } from '../../formats/et/attribute-arms.js';
import { attributeHead, type EtWriter } from '../../formats/et/et-writer.js';
import { newMetadata } from '../../formats/et/metadata.js';
import type { MadeJob } from '../../formats/made-job.js';
import { NodeType } from '../../trace/node-type.js';
import { AnySource, isOpen } from './any-source.js';
import { GoalAttribute } from './attributes.js';
import { operationOrder } from './operation-order.js';
import { ANY, GoalKind, type GoalRank, type GoalSchedule } from './schedule.js';
import { StartDependencies } from './start-dependencies.js';

const Head = {
  isCpuOp: attributeHead('is_cpu_op', Arm.bool),
  size: attributeHead('comm_size', Arm.int64),
  destination: attributeHead('comm_dst', Arm.int32),
  source: attributeHead('comm_src', Arm.int32),
  tag: attributeHead('comm_tag', Arm.int32),
  wideTag: attributeHead('comm_tag', Arm.int64),
  nanoseconds: attributeHead(GoalAttribute.nanoseconds, Arm.int64),
  cpu: attributeHead(GoalAttribute.cpu, Arm.int64),
  nic: attributeHead(GoalAttribute.nic, Arm.int64),
  anySource: attributeHead(GoalAttribute.anySource, Arm.bool),
  anyTag: attributeHead(GoalAttribute.anyTag, Arm.bool),
  starts: attributeHead(GoalAttribute.starts, Arm.int64List),
};
const LARGEST_INT32 = 2 ** 31 - 1;
const NANOSECONDS_PER_MICRO = 1000;
/** Nodes named in a finding. */
const NAMED = 5;

/**
 * The job of a GOAL schedule (exchange-formats 1.6): `calc` becomes a compute node, `send` and `recv` become transfers,
 * `requires` a data dependency. Ids are 1, 2, … in the order of definition where that has every operation behind those it
 * waits for, else in the nearest order that does.
 * @param findings what was found when the schedule was read; what its ranks show is added
 */
export function goalJob(schedule: GoalSchedule, prefix: string, findings: Finding[]): MadeJob {
  const { rankCount } = schedule;
  const asking = new Set<number>();
  const survey = new Survey();
  for (let rank = 0; rank < rankCount; rank++) survey.take(rank, schedule.rank(rank), asking);
  const partners = new AnySource(schedule, asking);
  for (const rank of asking) survey.takePartners(rank, schedule.rank(rank), partners);
  findings.push(...survey.findings());
  return {
    rankCount,
    prefix,
    groups: new Map(),
    findings,
    writeRank: (rank, out) => writeRank(schedule.rank(rank), rank, rankCount, partners, out),
  };
}

function writeRank(rank: GoalRank, number: number, rankCount: number, partners: AnySource, out: EtWriter): void {
  const { length, kind, amount, requires, requiresStart, irequires, irequiresStart } = rank;
  const order = operationOrder(rank);
  const starts = new StartDependencies(rank, order);
  const idOf = (operations: ArrayLike<number>, from: number, to: number): number[] => {
    const ids: number[] = [];
    for (let at = from; at < to; at++) ids.push(order.place[operations[at]] + 1);
    return ids;
  };
  const names = new Names();
  out.metadata(newMetadata({ rank: number, worldSize: rankCount }));
  for (let place = 0; place < length; place++) {
    const operation = order.operation[place];
    const isCalc = kind[operation] === GoalKind.calc;
    const isSend = kind[operation] === GoalKind.send;
    const { peer, tag } = isOpen(rank, operation)
      ? partners.partner(number, rank.peer[operation], rank.tag[operation])
      : { peer: rank.peer[operation], tag: rank.tag[operation] };
    const type = isCalc ? NodeType.compute : isSend ? NodeType.send : NodeType.receive;
    out.begin(place + 1, isCalc ? names.calc : isSend ? names.send(peer) : names.receive(peer), type);
    out.control(idOf(starts.operations, starts.start[place], starts.start[place + 1]));
    out.data(idOf(requires, requiresStart[operation], requiresStart[operation + 1]));
    if (isCalc) out.durationMicros(roundHalfUp(amount[operation] / NANOSECONDS_PER_MICRO));
    out.integer(Head.isCpuOp, 0);
    if (isCalc) out.integer(Head.nanoseconds, amount[operation]);
    else {
      out.integer(Head.size, amount[operation]);
      if (isSend || peer !== ANY) out.integer(isSend ? Head.destination : Head.source, peer);
      if (isSend || tag !== ANY) out.integer(tag > LARGEST_INT32 ? Head.wideTag : Head.tag, tag);
      if (!isSend && rank.peer[operation] === ANY) out.integer(Head.anySource, 1);
      if (!isSend && rank.tag[operation] === ANY) out.integer(Head.anyTag, 1);
    }
    out.integer(Head.cpu, rank.cpu[operation]);
    if (!isCalc) out.integer(Head.nic, rank.nic[operation]);
    if (irequiresStart[operation] < irequiresStart[operation + 1]) {
      out.integers(Head.starts, idOf(irequires, irequiresStart[operation], irequiresStart[operation + 1]));
    }
    out.end();
  }
}

/** Names of nodes as bytes, each built once. */
class Names {
  readonly calc = Buffer.from('calc');
  readonly #sends = new Map<number, Uint8Array>();
  readonly #receives = new Map<number, Uint8Array>();

  send(peer: number): Uint8Array {
    return named(this.#sends, 'send to', peer);
  }

  receive(peer: number): Uint8Array {
    return named(this.#receives, 'receive from', peer);
  }
}

function named(names: Map<number, Uint8Array>, what: string, peer: number): Uint8Array {
  let name = names.get(peer);
  if (name === undefined) names.set(peer, (name = Buffer.from(`${what} ${peer === ANY ? 'any' : peer}`)));
  return name;
}

/** Things of one kind over all ranks: how many, and where the first is. */
class Seen {
  count = 0;
  first = '';

  add(place: () => string): void {
    if (this.count++ === 0) this.first = place();
  }
}

class Survey {
  readonly #rounded = new Seen();
  #nanosecondsOff = 0;
  readonly #starts = new Seen();
  readonly #wide = new Seen();
  readonly #resolved = new Seen();
  readonly #open = new Seen();
  readonly #stuck: Finding[] = [];

  take(number: number, rank: GoalRank, asking: Set<number>): void {
    const { length, kind, amount, tag, irequires } = rank;
    let order = undefined;
    for (let operation = 0; operation < length; operation++) {
      if (kind[operation] === GoalKind.calc) {
        const off = Math.abs(
          amount[operation] - NANOSECONDS_PER_MICRO * roundHalfUp(amount[operation] / NANOSECONDS_PER_MICRO),
        );
        if (off === 0) continue;
        this.#nanosecondsOff += off;
        this.#rounded.add(() => this.#place(number, (order ??= operationOrder(rank)).place[operation]));
      } else {
        if (isOpen(rank, operation)) asking.add(number);
        else if (tag[operation] > LARGEST_INT32) {
          this.#wide.add(() => this.#place(number, (order ??= operationOrder(rank)).place[operation]));
        }
      }
    }
    if (irequires.length > 0) {
      this.#starts.add(() => `on rank ${number}`);
      this.#starts.count += irequires.length - 1;
    }
    const { stuck, operation } = (order ??= operationOrder(rank));
    if (stuck === 0) return;
    const nodes = Array.from({ length: Math.min(stuck, NAMED) }, (_, at) => length - stuck + at + 1);
    const kindOf = ['', 'send', 'recv', 'calc'][kind[operation[length - stuck]]];
    const which = `${counted(stuck, 'operation')} of rank ${number} never ${stuck === 1 ? 'runs' : 'run'}`;
    const message = `${which}: waiting in a circle, or behind one; first node ${nodes[0]}, a ${kindOf}`;
    this.#stuck.push(finding('GOAL_CYCLE', message, { rank: number, nodes, count: stuck }));
  }

  takePartners(number: number, rank: GoalRank, partners: AnySource): void {
    const { place } = operationOrder(rank);
    for (let operation = 0; operation < rank.length; operation++) {
      if (!isOpen(rank, operation)) continue;
      const { peer, tag } = partners.partner(number, rank.peer[operation], rank.tag[operation]);
      (peer === ANY || tag === ANY ? this.#open : this.#resolved).add(() => this.#place(number, place[operation]));
    }
  }

  findings(): Finding[] {
    const findings = [...this.#stuck];
    const tell = (
      code: Parameters<typeof finding>[0],
      { count, first }: Seen,
      message: (what: string) => string,
    ): void => {
      if (count > 0) findings.push(finding(code, message(first), { count }));
    };
    const times = `${digits(this.#nanosecondsOff)} ns in all`;
    tell(
      'GOAL_ROUNDED',
      this.#rounded,
      (first) =>
        `${counted(this.#rounded.count, 'calc operation')}: no whole microseconds, rounded by ${times}, first ${first}; the attribute duration_ns keeps the exact time`,
    );
    tell(
      'GOAL_START_DEPENDENCY',
      this.#starts,
      (first) =>
        `${counted(this.#starts.count, 'dependency', 'dependencies')} on the start of an operation (irequires), first ${first}: each became control dependencies on what that operation waits for; the attribute goal_irequires keeps it`,
    );
    tell(
      'TAG_WIDE',
      this.#wide,
      (first) =>
        `${counted(this.#wide.count, 'send or receive', 'sends and receives')} with a tag above 2^31 − 1, first ${first}: comm_tag is an int64 there`,
    );
    tell(
      'GOAL_SOURCE_FOUND',
      this.#resolved,
      (first) =>
        `${counted(this.#resolved.count, 'receive')} from any source or of any tag, first ${first}: only one sender and tag fits, and is written`,
    );
    tell(
      'GOAL_SOURCE_OPEN',
      this.#open,
      (first) =>
        `${counted(this.#open.count, 'receive')} from any source or of any tag, first ${first}: not one sender and tag fits, so a replay has no partner for it`,
    );
    return findings;
  }

  #place(rank: number, place: number): string {
    return `rank ${rank} node ${place + 1}`;
  }
}
