import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import type { StepKind } from '../../collectives/programs/program.js';
import type { LooseStep } from '../msccl/loose-steps.js';
import { packetSources, PacketCells, type PacketCell } from './packet-cells.js';
import type { Plan, PlanChannel, PlanChannelType, PlanOperand } from './plan.js';
import { channelKey, type FarEnd, type RunningBlock } from './running-block.js';
import { stuckFindings } from './stuck-blocks.js';
import type { PlanAction, UnrolledPlan } from './unroll.js';

/** A send of one gpu and the receive of another that belong together. */
export interface PlanMessage {
  readonly from: number;
  readonly to: number;
  /** Thread blocks that they stand for, over all gpus. */
  readonly sender: number;
  readonly receiver: number;
  readonly send: LooseStep;
  readonly receive: LooseStep;
  /** Place of the send among all sends, in an order that no thread block contradicts. */
  readonly sendOrder: number;
}

/** A plan in steps of sends, receives and local work. */
export interface PlanRun {
  /** By gpu and thread block: local steps, in order. */
  readonly local: readonly (readonly LooseStep[][])[];
  /** In the order of their receives. */
  readonly messages: readonly PlanMessage[];
  readonly findings: readonly Finding[];
}

interface Put {
  readonly block: number;
  readonly op: number;
  readonly key: string | undefined;
  readonly step: LooseStep;
  readonly place: PlanOperand;
  readonly isPort: boolean;
}

interface Signal {
  readonly clock: Int32Array;
  readonly puts: readonly Put[];
  readonly line: number;
  readonly block: number;
}

interface Release {
  readonly clock: Int32Array;
  readonly frontier: readonly LooseStep[];
}

/**
 * Runs a plan on nothing but the order of its ops, and gives sends and receives that keep it (exchange-formats section 5): the puts before
 * a signal are received where the peer waits for it, packets where they are read first, and a read is a send of the gpu that has the
 * bytes, behind all that the reader knows to be done there. What the steps of a gpu wait for is what its thread blocks know of each
 * other: by barriers, semaphores, and signals that came back from other gpus.
 */
export function runPlan(plan: Plan, unrolled: UnrolledPlan): PlanRun {
  return new Running(plan, unrolled).run();
}

class Running {
  readonly #plan: Plan;
  readonly #blocks: RunningBlock[] = [];
  readonly #ofRank: RunningBlock[][];
  readonly #signals = new Map<string, { sent: Signal[]; taken: number }>();
  readonly #puts = new Map<string, Put[]>(); // by `from to`: not told by a signal yet
  readonly #packets: PacketCells;
  readonly #barriers = new Map<string, RunningBlock[]>();
  readonly #semaphores: { free: number; released: Release[] }[][];
  readonly #farEnds: FarEnd[][];
  readonly #messages: PlanMessage[] = [];
  readonly #findings: Finding[] = [];
  readonly #pieces: number;
  readonly #sendOrder = new Map<LooseStep, number>();
  #emptySignals = 0;
  #reads = 0;

  constructor(plan: Plan, unrolled: UnrolledPlan) {
    this.#plan = plan;
    this.#pieces = unrolled.pieces;
    const count = unrolled.actions.reduce((sum, { length }) => sum + length, 0);
    this.#ofRank = plan.gpus.map(({ threadBlocks }, rank) =>
      threadBlocks.map(({ id }, at) => {
        const block: RunningBlock = {
          ...{ index: this.#blocks.length, rank, id, actions: unrolled.actions[rank][at], local: [], next: 0 },
          ...{ clock: new Int32Array(count), frontier: [], frontiers: [], outstanding: [], awaited: new Set<FarEnd>() },
        };
        this.#blocks.push(block);
        return block;
      }),
    );
    this.#packets = new PacketCells(plan.gpus.length, unrolled);
    this.#semaphores = plan.gpus.map(({ semaphores }) => semaphores.map((free) => ({ free, released: [] })));
    this.#farEnds = plan.gpus.map(() => []);
  }

  run(): PlanRun {
    for (let moved = true; moved;) {
      moved = false;
      for (const block of this.#blocks) {
        while (block.next < block.actions.length && this.#step(block)) moved = true;
      }
    }
    const stuck = this.#blocks.filter(({ next, actions }) => next < actions.length);
    if (stuck.length > 0) {
      const sent = (key: string): number => this.#signals.get(key)?.sent.length ?? 0;
      const met = (rank: number, id: number): number => this.#barriers.get(`${rank} ${id}`)?.length ?? 0;
      this.#findings.push(...stuckFindings(this.#blocks, stuck, sent, met));
    } else {
      this.#tellLeftOver();
    }
    this.#tellOneSided();
    const local = this.#ofRank.map((blocks) => blocks.map((block) => block.local));
    return { local, messages: this.#messages, findings: this.#findings };
  }

  /** @returns whether the next op of the block could run */
  #step(block: RunningBlock): boolean {
    const action = block.actions[block.next];
    const { op } = action;
    switch (op.name) {
      case 'barrier':
        return this.#barrier(block, op.barrier!);
      case 'wait':
      case 'rlxwait':
        if (!op.channels.every((channel) => this.#hasSignal(block, channel))) return false;
        this.#wait(block, op.channels);
        break;
      case 'sem_acquire':
        if (!this.#acquire(block, op.semaphores)) return false;
        break;
      default:
        if (!this.#readPackets(block, action)) return false;
        this.#perform(block, action);
    }
    this.#advance(block);
    return true;
  }

  #advance(block: RunningBlock): void {
    block.frontiers.push(block.frontier);
    block.clock[block.index] = ++block.next;
  }

  /** Does an op that nothing holds up any more. */
  #perform(block: RunningBlock, action: PlanAction): void {
    const { op, sources, destinations } = action;
    switch (op.name) {
      case 'signal':
      case 'rlxsignal':
        for (const channel of op.channels) this.#signal(block, channel);
        return;
      case 'flush':
        this.#flush(block, op.channels);
        return;
      case 'sem_release':
        for (const id of op.semaphores) {
          this.#semaphores[block.rank][id].released.push({ clock: clockOf(block), frontier: block.frontier });
        }
        return;
      case 'put':
      case 'pws':
      case 'pwsf':
        this.#put(block, action, sources, destinations);
        if (op.name === 'put') return;
        for (const channel of op.channels) this.#signal(block, channel);
        if (op.name === 'pwsf') this.#flush(block, op.channels);
        return;
      case 'ppkt':
      case 'rppkt':
        this.#putPackets(block, action, sources, destinations);
        return;
      case 'get':
        block.frontier = sources.map((source, at) => this.#read(block, source, 'r', undefined, destinations[at]));
        return;
      case 'rre':
      case 'rres':
        this.#readReduce(block, action);
        return;
      case 'copy':
      case 'cpkt':
      case 'upkt':
        block.frontier = [this.#add(block, 'cpy', sources[0], destinations[0])];
        if (op.name === 'cpkt') this.#packLocally(block, destinations[0]);
        return;
      case 're':
      case 'res':
      case 'repkt':
      case 'recpkt':
      case 'respkt':
      case 'recspkt':
        this.#reduce(block, action);
    }
  }

  // Signals and waits

  #signal(block: RunningBlock, channel: PlanChannel): void {
    const key = channelKey(channel, block.rank, channel.peer);
    const pair = `${block.rank} ${channel.peer}`;
    const isTold = (put: Put): boolean =>
      (put.block === block.index || block.clock[put.block] > put.op) && (put.key === undefined || put.key === key);
    const waiting = this.#puts.get(pair) ?? [];
    const puts = waiting.filter(isTold);
    this.#puts.set(
      pair,
      waiting.filter((put) => !puts.includes(put)),
    );
    const { line } = block.actions[block.next].op;
    const signals = this.#signals.get(key) ?? { sent: [], taken: 0 };
    this.#signals.set(key, signals);
    signals.sent.push({ clock: clockOf(block), puts, line, block: block.index });
  }

  #hasSignal(block: RunningBlock, channel: PlanChannel): boolean {
    const signals = this.#signals.get(channelKey(channel, channel.peer, block.rank));
    return signals !== undefined && signals.taken < signals.sent.length;
  }

  #wait(block: RunningBlock, channels: readonly PlanChannel[]): void {
    const before = block.frontier;
    const after = new Set<LooseStep>();
    for (const channel of channels) {
      const signals = this.#signals.get(channelKey(channel, channel.peer, block.rank))!;
      const { clock, puts } = signals.sent[signals.taken++];
      const base = union(before, this.#learn(block, clock));
      if (puts.length === 0) {
        this.#emptySignals++;
        for (const step of base) after.add(step);
      }
      for (const put of puts) {
        const receive = looseStep('r', undefined, put.place, put.place.count, base, this.#line(block));
        this.#message(put.block, block, put.step, receive, put.isPort);
        after.add(receive);
      }
    }
    block.frontier = [...after];
  }

  /**
   * Takes over what another thread block knew.
   * @returns steps of the gpu that are known to be done by it
   */
  #learn(block: RunningBlock, clock: Int32Array): LooseStep[] {
    const done = new Set<LooseStep>();
    for (const other of this.#ofRank[block.rank]) {
      if (other === block || clock[other.index] <= block.clock[other.index]) continue;
      for (const step of other.frontiers[clock[other.index] - 1]) done.add(step);
    }
    for (const end of this.#farEnds[block.rank]) {
      if (clock[end.block] <= end.op || block.awaited.has(end)) continue;
      block.awaited.add(end);
      done.add(end.step);
    }
    for (let at = 0; at < clock.length; at++) if (clock[at] > block.clock[at]) block.clock[at] = clock[at];
    return [...done];
  }

  // Thread blocks of one gpu among each other

  #barrier(block: RunningBlock, { id, threadBlocks }: { id: number; threadBlocks: number }): boolean {
    const key = `${block.rank} ${id}`;
    const met = this.#barriers.get(key) ?? [];
    this.#barriers.set(key, met);
    if (met.includes(block)) return false;
    met.push(block);
    if (met.length < threadBlocks) return false;
    this.#barriers.delete(key);
    const all = met.reduce<readonly LooseStep[]>((steps, one) => union(steps, one.frontier), []);
    // One step that waits for all of them, for the others to wait for it alone.
    const [first] = met;
    const frontier = all.length < 2 ? all : [this.#add(first, 'nop', undefined, undefined, all)];
    const known = met[0].clock.map((_, at) => Math.max(...met.map(({ clock }) => clock[at])));
    for (const one of met) {
      one.clock.set(known);
      for (const other of met) for (const end of other.awaited) one.awaited.add(end);
    }
    for (const one of met) {
      one.frontier = frontier;
      this.#advance(one);
    }
    for (const one of met) for (const other of met) one.clock[other.index] = other.next;
    return true;
  }

  #acquire(block: RunningBlock, ids: readonly number[]): boolean {
    const semaphores = ids.map((id) => this.#semaphores[block.rank][id]);
    if (semaphores.some(({ free, released }) => free === 0 && released.length === 0)) return false;
    for (const semaphore of semaphores) {
      if (semaphore.free > 0) {
        semaphore.free--;
        continue;
      }
      const { clock, frontier } = semaphore.released.shift()!;
      block.frontier = union(block.frontier, frontier, this.#learn(block, clock));
    }
    return true;
  }

  #flush(block: RunningBlock, channels: readonly PlanChannel[]): void {
    const keys = channels.map((channel) => channelKey(channel, block.rank, channel.peer));
    const flushed = block.outstanding.filter(({ key }) => keys.includes(key));
    block.outstanding = block.outstanding.filter(({ key }) => !keys.includes(key));
    block.frontier = union(
      block.frontier,
      flushed.map(({ step }) => step),
    );
  }

  // Puts

  #put(
    block: RunningBlock,
    { op }: PlanAction,
    sources: readonly PlanOperand[],
    destinations: readonly PlanOperand[],
  ): void {
    const sends: LooseStep[] = [];
    for (const [at, place] of destinations.entries()) {
      const source = sources[Math.min(at, sources.length - 1)];
      const step = this.#send(block, source, op.type, op.channels[at] ?? op.channels[0], sends);
      const pair = `${block.rank} ${place.rank}`;
      const isPort = op.type === 'port';
      const channel = op.channels[at] ?? op.channels[0];
      const key = isPort ? channelKey(channel, block.rank, channel.peer) : undefined;
      const puts = this.#puts.get(pair) ?? [];
      this.#puts.set(pair, puts);
      puts.push({ block: block.index, op: block.next, key, step, place, isPort });
    }
    if (sends.length > 0) block.frontier = sends;
  }

  /** A send; what follows waits for it, but not for one through a port, which a flush waits for. */
  #send(
    block: RunningBlock,
    source: PlanOperand,
    type: PlanChannelType | undefined,
    channel: PlanChannel | undefined,
    sends: LooseStep[],
  ): LooseStep {
    const step = looseStep('s', source, undefined, source.count, block.frontier, this.#line(block));
    this.#sendOrder.set(step, this.#sendOrder.size);
    if (type !== 'port') sends.push(step);
    else block.outstanding.push({ step, key: channelKey(channel!, block.rank, channel!.peer) });
    return step;
  }

  #putPackets(
    block: RunningBlock,
    { op }: PlanAction,
    sources: readonly PlanOperand[],
    destinations: readonly PlanOperand[],
  ): void {
    const sends: LooseStep[] = [];
    for (const [at, whole] of destinations.entries()) {
      const source = sources[Math.min(at, sources.length - 1)];
      for (const place of this.#packets.parts(whole)) {
        const from = { ...source, offset: source.offset + place.offset - whole.offset, count: place.count };
        const step = this.#send(block, from, op.type, op.channels[at] ?? op.channels[0], sends);
        this.#pack(block, {
          place,
          step,
          isRemote: true,
          block: block.index,
          clock: clockOf(block),
          received: undefined,
        });
      }
    }
    if (sends.length > 0) block.frontier = sends;
  }

  #packLocally(block: RunningBlock, place: PlanOperand): void {
    const [step] = block.frontier;
    this.#pack(block, { place, step, isRemote: false, block: block.index, clock: clockOf(block), received: undefined });
  }

  #pack(block: RunningBlock, cell: PacketCell): void {
    const lost = this.#packets.write(cell);
    if (lost === undefined) return;
    this.#tellUnmatched(
      block.rank,
      `${this.#label(block)} writes packets over those of ${this.#label(this.#blocks[lost.block], lost.step.line)}, which nobody has read`,
    );
  }

  /** Receives the packets that an op reads. @returns whether all are there */
  #readPackets(block: RunningBlock, { op, sources }: PlanAction): boolean {
    const places = packetSources(op.name, sources);
    if (places.length === 0) return true;
    const cells = places.map((place) => this.#packets.read(place));
    if (cells.includes(undefined)) return false;
    const after = new Set<LooseStep>();
    const before = block.frontier;
    for (const cell of (cells as PacketCell[][]).flat()) {
      const base = union(before, cell.isRemote ? this.#learn(block, cell.clock) : [cell.step]);
      if (cell.isRemote && cell.received === undefined) {
        const { place, step } = cell;
        cell.received = looseStep('r', undefined, place, place.count, base, this.#line(block));
        this.#message(cell.block, block, step, cell.received, true);
        after.add(cell.received);
      } else {
        for (const step of base) after.add(step);
        if (cell.received !== undefined) after.add(cell.received);
      }
    }
    block.frontier = [...after];
    return true;
  }

  // Reads of other gpus

  /** A read as a send of the gpu that has the bytes, and a step that receives them here. */
  #read(
    block: RunningBlock,
    place: PlanOperand,
    kind: 'r' | 'rrc',
    source: PlanOperand | undefined,
    destination: PlanOperand,
  ): LooseStep {
    this.#reads++;
    const { rank } = place;
    const done = this.#ofRank[rank].flatMap((other) =>
      block.clock[other.index] > 0 ? other.frontiers[block.clock[other.index] - 1] : [],
    );
    const send = looseStep('s', place, undefined, place.count, done, this.#line(block));
    const receive = looseStep(kind, source, destination, place.count, block.frontier, this.#line(block));
    this.#farEnds[rank].push({ step: send, block: block.index, op: block.next });
    // A sender of its own: these sends belong to no thread block of the gpu.
    const sender = -1 - block.index;
    const sendOrder = this.#sendOrder.size;
    this.#sendOrder.set(send, sendOrder);
    this.#messages.push({ from: rank, to: block.rank, sender, receiver: block.index, send, receive, sendOrder });
    return receive;
  }

  #readReduce(block: RunningBlock, action: PlanAction): void {
    const { sources, destinations } = action;
    const [sum, ...further] = destinations;
    for (const [at, source] of sources.slice(1).entries()) {
      block.frontier = [this.#read(block, source, 'rrc', at === 0 ? sources[0] : sum, sum)];
    }
    if (further.length > 0) this.#put(block, action, [sum], further);
  }

  // Local work

  /** The sum of all sources, in the first destination; then copies of it, as packets of this gpu and for others. */
  #reduce(block: RunningBlock, action: PlanAction): void {
    const { op, sources, destinations } = action;
    const [sum, ...further] = destinations;
    const own = sources.findIndex((source) => this.#place(source) === this.#place(sum));
    const first = Math.max(0, own);
    if (own < 0) block.frontier = [this.#add(block, 'cpy', sources[0], sum)];
    for (const [at, source] of sources.entries()) {
      if (at !== first) block.frontier = [this.#add(block, 're', source, sum)];
    }
    if (op.name === 'recpkt' || op.name === 'recspkt') {
      const copy = further.shift()!;
      block.frontier = [this.#add(block, 'cpy', sum, copy)];
      this.#packLocally(block, copy);
    }
    if (further.length === 0) return;
    if (op.name === 'res') this.#put(block, action, [sum], further);
    else this.#putPackets(block, action, [sum], further);
  }

  /** Name of the memory at a place: in place, input and output are one. */
  #place({ rank, buffer, offset }: PlanOperand): string {
    if (!this.#plan.inPlace || buffer === 's') return `${buffer} ${offset}`;
    const { inputChunks, outputChunks } = this.#plan.gpus[rank];
    const isPart = buffer === 'i' ? inputChunks < outputChunks : outputChunks < inputChunks;
    const pieces = isPart ? rank * Math.min(inputChunks, outputChunks) * this.#pieces : 0;
    return `user ${pieces + offset}`;
  }

  #add(
    block: RunningBlock,
    kind: StepKind,
    source: PlanOperand | undefined,
    destination: PlanOperand | undefined,
    after: readonly LooseStep[] = block.frontier,
  ): LooseStep {
    const step = looseStep(kind, source, destination, source?.count ?? 0, after, this.#line(block));
    block.local.push(step);
    return step;
  }

  #message(sender: number, receiver: RunningBlock, send: LooseStep, receive: LooseStep, isAwaited: boolean): void {
    const from = this.#blocks[sender].rank;
    const sendOrder = this.#sendOrder.get(send)!;
    this.#messages.push({ from, to: receiver.rank, sender, receiver: receiver.index, send, receive, sendOrder });
    if (isAwaited) this.#farEnds[from].push({ step: send, block: receiver.index, op: receiver.next });
  }

  // What is told

  #tellLeftOver(): void {
    for (const [key, { sent, taken }] of this.#signals) {
      if (taken === sent.length) continue;
      const { block, line } = sent[taken];
      const label = this.#label(this.#blocks[block], line);
      this.#tellUnmatched(
        this.#blocks[block].rank,
        `${key}: ${counted(sent.length, 'signal')} and ${counted(taken, 'wait')}, expected as many; the first without a wait is that of ${label}`,
      );
    }
    for (const [put] of this.#puts.values()) {
      if (put === undefined) continue;
      const block = this.#blocks[put.block];
      this.#tellUnmatched(
        block.rank,
        `${this.#label(block, put.step.line)} puts into gpu ${put.place.rank}, and no signal to it follows: nobody knows when the bytes are there`,
      );
    }
    for (const { block, step, place } of this.#packets.unread()) {
      const writer = this.#blocks[block];
      this.#tellUnmatched(
        writer.rank,
        `${this.#label(writer, step.line)} writes packets into gpu ${place.rank}, which never reads them`,
      );
    }
  }

  #tellUnmatched(gpu: number, message: string): void {
    this.#findings.push(finding('PLAN_UNMATCHED', message, { gpu }));
  }

  #tellOneSided(): void {
    const told = [
      this.#emptySignals > 0 && `signals without a put before them, which cost nothing: ${this.#emptySignals}`,
      this.#reads > 0 &&
        `reads, which are sends of the gpu that has the bytes, without the way of the request: ${this.#reads}`,
    ].filter((text) => text !== false);
    if (told.length === 0) return;
    this.#findings.push(
      finding('PLAN_ONE_SIDED', told.join('; '), { emptySignals: this.#emptySignals, reads: this.#reads }),
    );
  }

  #line(block: RunningBlock): number {
    return block.actions[block.next].op.line;
  }

  #label(block: RunningBlock, line = this.#line(block)): string {
    return `gpu ${block.rank} thread block ${block.id} (line ${line})`;
  }
}

/** What a thread block knows with the op that it is at. */
function clockOf(block: RunningBlock): Int32Array {
  const clock = block.clock.slice();
  clock[block.index] = block.next + 1;
  return clock;
}

function looseStep(
  kind: StepKind,
  source: Pick<PlanOperand, 'buffer' | 'offset'> | undefined,
  destination: Pick<PlanOperand, 'buffer' | 'offset'> | undefined,
  count: number,
  after: readonly LooseStep[],
  line: number,
): LooseStep {
  const place = (operand: typeof source): LooseStep['source'] =>
    operand && { buffer: operand.buffer, offset: operand.offset };
  return { kind, source: place(source), destination: place(destination), count, after: new Set(after), line };
}

function union(...lists: readonly (readonly LooseStep[])[]): readonly LooseStep[] {
  return [...new Set(lists.flat())];
}
