import { grown } from '../base/grown.js';
import type { LaneQueue } from '../kernel/lane-queue.js';
import type { CollectivePlan, Phase } from './collective-plan.js';
import type { CollectiveRow } from './collective-rows.js';
import { Timer } from './events.js';
import { Flights } from './flights.js';
import { originOf } from './link-ways.js';
import { positionOf, rankAt, type LogicalDimension } from './logical-dimension.js';
import { Pattern } from './phase-shape.js';
import { PreparedPhase } from './prepared-phase.js';
import { isAnticlockwise, queueInTurn } from './queue-turns.js';
import type { RankTimers } from './rank-timers.js';
import { BusEnd, type SharedBus } from './shared-bus.js';
import { StartOrders } from './start-orders.js';
import type { Transport } from './transport.js';
import { treePlace } from './tree-place.js';
import { takesTurns, TurnCounters } from './turn-counters.js';

/** Fields of a record, one for each chunk of a rank's collective: 64 bytes. */
const PHASE = 0; // prepared phase
const PLACE = 1; // place of the phase among those of the plan
const SENT = 2; // messages
const CREATED = 3; // packets
const CREDITS = 4; // bundles that have passed and were not used for a send
const RECEIVED = 5; // messages
const POSTED = 6; // receives that wait: 1 where there is at most one; in a tree a bit for each neighbour
const POSITION = 7; // in the dimension
const OUT = 8; // rank that messages go to; left child in a tree; block of receives that wait in `direct`
const IN = 9; // rank that messages come from; parent in a tree
const DIRECTION = 10; // 1 clockwise, −1 anticlockwise; right child in a tree
const RANK = 11;
const QUEUE = 12;
const NEXT = 13; // next record that waits in the queue, −1 at its end
const TAG = 14;
const RIGHT = DIRECTION;
const BLOCK = OUT;
const FLIGHT = 15;
const FIELDS = 16;

/** Bits of POSTED in a tree. */
const FROM_PARENT = 1;
const FROM_LEFT = 2;
const FROM_RIGHT = 4;

/** Told when a collective is done on a rank. */
export interface StreamListener {
  collectiveDone(rank: number, node: number, row: CollectiveRow): void;
  /** A custom collective that waits in a queue may begin. */
  beginCustom(rank: number, plan: CollectivePlan): void;
}

/**
 * The collectives in flight, as a rule one a rank: its chunks wait in the queues of dimensions and go through their phases
 * (astra-sim-semantics sections 5 to 8). All that happens to a message happens here and in {@link Transport}; `test/bench`
 * measures both.
 */
export class Streams {
  listener!: StreamListener;
  bus: SharedBus | undefined;

  readonly #queue: LaneQueue;
  readonly #timers: RankTimers;
  readonly #transport: Transport;
  readonly #plans: readonly CollectivePlan[];
  readonly #knowsDelays: boolean;
  readonly #phases: PreparedPhase[] = [];
  readonly #phasesOf: Int32Array[][] = []; // [plans][orders] prepared phases

  #records = new Int32Array(0); // [records × FIELDS]
  #recordCount = 0;
  /** [blocks × sources] receives that wait, by distance of the source; a block for each record that runs a `direct` phase. */
  #posted = new Uint8Array(0);
  #freeBlock = -1;
  #blockNext = new Int32Array(0); // [blocks] next free one, −1 at the end
  readonly #sources: number;
  /** First records of blocks that nobody uses, by chunks. */
  readonly #freeBlocks = new Map<number, number[]>();

  readonly #flights: Flights;
  readonly #turns: TurnCounters;
  readonly #queuesPerDimension: number;
  readonly #dimensions: number;
  readonly #mostRunning: number;
  // By rank, dimension and queue.
  readonly #running: Int32Array;
  readonly #firstWaiting: Int32Array; // record, −1 for none
  readonly #lastWaiting: Int32Array;
  /** Where several collectives of a rank are in flight. */
  readonly #startOrders: StartOrders | undefined;
  readonly #runningCustom: Int32Array; // [ranks] record, −1 for none

  constructor(
    setting: {
      readonly rankCount: number;
      readonly dimensions: number;
      readonly queuesPerDimension: number;
      readonly activeChunks: number;
      /** Whether ranks may have many collectives in flight; the members of a phase start it in one order then. */
      readonly manyInFlight: boolean;
      readonly localMemoryGBps: number;
    },
    plans: readonly CollectivePlan[],
    queue: LaneQueue,
    timers: RankTimers,
    transport: Transport,
  ) {
    const { rankCount, dimensions, queuesPerDimension, activeChunks, localMemoryGBps, manyInFlight } = setting;
    this.#queue = queue;
    this.#timers = timers;
    this.#transport = transport;
    this.#plans = plans;
    this.#knowsDelays = transport.isUnaware && !transport.rendezvous;
    this.#queuesPerDimension = queuesPerDimension;
    this.#dimensions = dimensions;
    this.#mostRunning = Math.ceil(activeChunks / queuesPerDimension);
    let sources = 0;
    for (const plan of plans) {
      const numbersOf = (phases: readonly Phase[]): Int32Array =>
        Int32Array.from(phases, (phase, place) => {
          if (phase.shape.pattern === Pattern.direct) sources = Math.max(sources, phase.shape.count - 1);
          return this.#phases.push(new PreparedPhase(phases, place, plan, localMemoryGBps, queue, transport.sizes)) - 1;
        });
      this.#phasesOf.push(plan.orders.map(numbersOf));
    }
    this.#sources = sources;
    this.#flights = new Flights(rankCount, manyInFlight);
    this.#turns = new TurnCounters(rankCount, dimensions);
    const queues = rankCount * dimensions * queuesPerDimension;
    this.#running = new Int32Array(queues);
    this.#firstWaiting = new Int32Array(queues).fill(-1);
    this.#lastWaiting = new Int32Array(queues).fill(-1);
    this.#startOrders = manyInFlight ? new StartOrders(dimensions * queuesPerDimension) : undefined;
    this.#runningCustom = new Int32Array(rankCount).fill(-1);
  }

  /**
   * A rank begins a collective: its chunks are created one after another and put into the queues of their first phase.
   * @param priority chunks of a higher one go before those that wait
   */
  create(rank: number, plan: number, node: number, row: CollectiveRow, firstTag: number, priority: number): void {
    const { chunks, custom } = this.#plans[plan];
    const first = this.#takeBlock(chunks);
    const flight = this.#flights.begin(rank, { plan, node, row, firstTag, priority, chunks, firstRecord: first });
    if (custom === undefined) this.#takeTurns(rank, plan, row);
    const records = this.#records;
    for (let chunk = 0; chunk < chunks; chunk++) {
      const record = first + chunk;
      const at = record * FIELDS;
      records[at + RANK] = rank;
      records[at + FLIGHT] = flight;
      records[at + TAG] = firstTag + chunk;
      records[at + PLACE] = 0;
      records[at + POSTED] = 0;
    }
    for (let chunk = 0; chunk < chunks; chunk++) this.#startWaiting(this.#enqueue(first + chunk));
  }

  /** The custom collective of a rank sends a message. */
  sentCustom(rank: number, bytes: number): void {
    this.#flights.countSent(this.#records[this.#runningCustom[rank] * FIELDS + FLIGHT], bytes);
  }

  /** The custom collective of a rank is through. */
  endCustom(rank: number): void {
    const record = this.#runningCustom[rank];
    this.#runningCustom[rank] = -1;
    this.#endPhase(record);
  }

  /** What collectives in flight have sent: visits them by rank, with their nodes. */
  forEachFlight(
    visit: (rank: number, row: CollectiveRow, messages: number, bytes: number, node: number) => void,
  ): void {
    const { row, messages, bytes, node } = this.#flights;
    this.#flights.forEach((rank, flight) => visit(rank, row[flight], messages[flight], bytes[flight], node[flight]));
  }

  /** A message has arrived: gives whether a receive waited for it. */
  receive(destination: number, source: number, tag: number, size: number): boolean {
    const record = this.#flights.recordOf(destination, tag);
    if (record < 0) return false;
    const records = this.#records;
    const at = record * FIELDS;
    if (records[at + POSTED] === 0) return false;
    const phase = this.#phases[records[at + PHASE]];
    if (phase.pattern === Pattern.ring) {
      if (source !== records[at + IN] || size !== phase.firstSize) return false;
      records[at + POSTED] = 0;
    } else if (phase.pattern === Pattern.direct) {
      if (size !== phase.firstSize) return false;
      const distance = this.#distance(phase, at, source);
      const place = records[at + BLOCK] * this.#sources + distance;
      if (distance < 0 || this.#posted[place] === 0) return false;
      this.#posted[place]--;
      records[at + POSTED]--;
    } else if (phase.pattern === Pattern.halvingDoubling) {
      if (source !== records[at + IN] || size !== phase.sizes[records[at + SENT] - 1]) return false;
      records[at + POSTED] = 0;
    } else {
      if (size !== phase.firstSize) return false;
      const bit = source === records[at + IN] ? FROM_PARENT : source === records[at + OUT] ? FROM_LEFT : FROM_RIGHT;
      if (bit === FROM_RIGHT && source !== records[at + RIGHT]) return false;
      if ((records[at + POSTED] & bit) === 0) return false;
      records[at + POSTED] &= ~bit;
    }
    this.received(record);
    return true;
  }

  /** A receive of the record is complete: the message makes one more packet, whose bundle enters the bus. */
  received(record: number): void {
    const records = this.#records;
    const at = record * FIELDS;
    const phase = this.#phases[records[at + PHASE]];
    const number = records[at + RECEIVED]++;
    if (phase.pattern === Pattern.doubleBinaryTree) {
      const isLeaf = records[at + OUT] < 0;
      const isRoot = records[at + IN] < 0;
      // Relayed to the other end and back: bundles of the second child, of the parent and of the root.
      this.#enterBusInTree(record, phase, !isLeaf, true, !isLeaf && (isRoot || number > 0));
      return;
    }
    const packet = records[at + CREATED]++;
    this.#enterBus(record, phase, packet, phase.reduces && phase.reduced[packet] === 1);
  }

  /** A bundle has passed; one that is to be reduced is now. */
  bundle(record: number, isReduced: boolean): void {
    if (!isReduced) {
      this.passed(record);
      return;
    }
    const records = this.#records;
    const at = record * FIELDS;
    const phase = this.#phases[records[at + PHASE]];
    const packet = phase.reductionNs.length === 1 ? 0 : records[at + CREATED] - 1;
    this.#timers.register(
      records[at + RANK],
      phase.reductionLane[packet],
      phase.reductionNs[packet],
      Timer.reduction,
      record,
    );
  }

  /** A bundle is through: it allows a send. */
  passed(record: number): void {
    const records = this.#records;
    const at = record * FIELDS;
    const phase = this.#phases[records[at + PHASE]];
    if (phase.pattern === Pattern.doubleBinaryTree) {
      this.#passedInTree(record, phase);
      return;
    }
    records[at + CREDITS]++;
    const { sends, parallelism } = phase;
    if (phase.hasBarrier && sends - records[at + SENT] <= phase.count - 1) {
      if (records[at + RECEIVED] >= phase.count - 1) {
        for (let packet = 0; packet < parallelism && this.#mayStillSend(at, sends); packet++) this.#send(record, phase);
      }
    } else if (this.#mayStillSend(at, sends)) {
      this.#send(record, phase);
    }
    if (records[at + SENT] === sends && records[at + CREDITS] === parallelism) this.#endPhase(record);
  }

  /** Where chunks of the rank's collectives stand, for messages: visits those that wait for messages, with place of phase and node. */
  forEachWaiting(
    rank: number,
    visit: (chunk: number, source: number, bytes: number, phase: number, node: number) => void,
  ): void {
    const flights = this.#flights;
    for (let flight = flights.first[rank]; flight >= 0; flight = flights.next[flight]) {
      const node = flights.node[flight];
      for (let chunk = 0; chunk < flights.chunks[flight]; chunk++) {
        const record = flights.firstRecord[flight] + chunk;
        const phase = this.#records[record * FIELDS + PLACE];
        this.#forEachSource(record, (source, bytes) => visit(chunk, source, bytes, phase, node));
      }
    }
  }

  #forEachSource(record: number, visit: (source: number, bytes: number) => void): void {
    const records = this.#records;
    const at = record * FIELDS;
    const posted = records[at + POSTED];
    if (posted === 0) return;
    const phase = this.#phases[records[at + PHASE]];
    const bytes = phase.bytes[phase.pattern === Pattern.halvingDoubling ? records[at + SENT] - 1 : 0];
    if (phase.pattern === Pattern.direct) {
      for (let distance = 0; distance < phase.count - 1; distance++) {
        if (this.#posted[records[at + BLOCK] * this.#sources + distance] > 0)
          visit(this.#peer(phase, at, -(distance + 1)), bytes);
      }
    } else if (phase.pattern === Pattern.doubleBinaryTree) {
      if (posted & FROM_PARENT) visit(records[at + IN], bytes);
      if (posted & FROM_LEFT) visit(records[at + OUT], bytes);
      if (posted & FROM_RIGHT) visit(records[at + RIGHT], bytes);
    } else {
      visit(records[at + IN], bytes);
    }
  }

  #mayStillSend(at: number, sends: number): boolean {
    return this.#records[at + CREDITS] > 0 && this.#records[at + SENT] < sends;
  }

  /** Sends the first packet that waits, then posts the receive that goes with it. */
  #send(record: number, phase: PreparedPhase): void {
    const records = this.#records;
    const at = record * FIELDS;
    const transport = this.#transport;
    const rank = records[at + RANK];
    const tag = records[at + TAG];
    const packet = records[at + SENT]++;
    records[at + CREDITS]--;
    this.#flights.countSent(records[at + FLIGHT], phase.bytes[phase.bytes.length === 1 ? 0 : packet]);
    if (phase.pattern === Pattern.ring) {
      const size = phase.firstSize;
      this.#sendTo(phase, at, records[at + OUT], records[at + IN], records[at + DIRECTION], tag, size);
      if (transport.postStream(records[at + IN], rank, tag, size, record)) records[at + POSTED] = 1;
      return;
    }
    if (phase.pattern === Pattern.direct) {
      const size = phase.firstSize;
      const distance = packet % (phase.count - 1);
      const from = this.#peer(phase, at, -(distance + 1));
      const to = this.#peer(phase, at, distance + 1);
      this.#sendTo(phase, at, to, from, (distance + 1) * records[at + DIRECTION], tag, size);
      if (transport.postStream(from, rank, tag, size, record)) {
        this.#posted[records[at + BLOCK] * this.#sources + distance]++;
        records[at + POSTED]++;
      }
      return;
    }
    const distance = phase.distances[packet];
    const position = records[at + POSITION];
    const isLower = Math.floor(position / distance) % 2 === 0;
    const partner = rankAt(phase.members, rank, position, isLower ? position + distance : position - distance);
    const size = phase.sizes[packet];
    records[at + IN] = partner;
    if (transport.isFolded) this.#sendFolded(phase, at, partner, partner, distance, tag, size);
    else transport.sendStream(rank, partner, tag, size);
    if (transport.postStream(partner, rank, tag, size, record)) records[at + POSTED] = 1;
  }

  /**
   * Sends to the partner at a distance, below 0 anticlockwise. On the unaware network all messages of a size to a distance in a
   * coordinate take equally long.
   * @param mirror the partner at that distance the other way round
   */
  #sendTo(
    phase: PreparedPhase,
    at: number,
    partner: number,
    mirror: number,
    signedDistance: number,
    tag: number,
    size: number,
  ): void {
    const transport = this.#transport;
    const rank = this.#records[at + RANK];
    const distance = signedDistance < 0 ? signedDistance + phase.count : signedDistance;
    if (transport.isFolded) {
      this.#sendFolded(phase, at, partner, mirror, distance, tag, size);
      return;
    }
    if (phase.lanes.length === 0 || !this.#knowsDelays) {
      transport.sendStream(rank, partner, tag, size);
      return;
    }
    let lane = phase.lanes[distance];
    if (lane === 0) {
      lane = this.#queue.laneOf(transport.delayNs(rank, partner, phase.bytes[0]));
      phase.lanes[distance] = lane;
    }
    if (lane === 0) transport.sendStream(rank, partner, tag, size);
    else transport.sendStreamAfter(lane, this.#queue.delayOf(lane), rank, partner, tag, size);
  }

  /**
   * To a rank all messages of a chunk that arrive at one instant are alike, and where chunks have one phase those of all chunks: no later
   * queue takes the chunks in the order in which they end it.
   */
  #sendFolded(
    phase: PreparedPhase,
    at: number,
    partner: number,
    mirror: number,
    distance: number,
    tag: number,
    size: number,
  ): void {
    const flight = this.#records[at + FLIGHT];
    const hasOnePhase = this.#phasesOf[this.#flights.plan[flight]][0].length === 1;
    const interchange = hasOnePhase ? this.#flights.firstTag[flight] : tag;
    this.#transport.sendFolded(partner, mirror, originOf(phase.dimension, distance), interchange, tag, size);
  }

  /** Rank at a distance in the direction of the record. */
  #peer(phase: PreparedPhase, at: number, distance: number): number {
    const { count, members } = phase;
    const own = this.#records[at + POSITION];
    let position = own + distance * this.#records[at + DIRECTION];
    if (position >= count) position -= count;
    else if (position < 0) position += count;
    return rankAt(members, this.#records[at + RANK], own, position);
  }

  /** Distance − 1 of a source behind the record, against its direction; −1 for a rank that is not in its dimension. */
  #distance(phase: PreparedPhase, at: number, source: number): number {
    const { count, members } = phase;
    const own = this.#records[at + POSITION];
    const position = positionOf(members, source);
    if (position < 0 || rankAt(members, this.#records[at + RANK], own, position) !== source) return -1;
    let distance = (own - position) * this.#records[at + DIRECTION];
    if (distance < 0) distance += count;
    return distance - 1;
  }

  #passedInTree(record: number, phase: PreparedPhase): void {
    const records = this.#records;
    const at = record * FIELDS;
    const passed = ++records[at + CREDITS];
    const parent = records[at + IN];
    const left = records[at + OUT];
    const right = records[at + RIGHT];
    if (left < 0) {
      if (passed === 1) this.#sendInTree(record, phase, parent, true);
      else this.#endPhase(record);
    } else if (parent < 0) {
      this.#sendInTree(record, phase, left, false);
      this.#endPhase(record);
    } else if (passed === 2) {
      this.#sendInTree(record, phase, parent, true);
    } else if (passed === 3) {
      this.#sendInTree(record, phase, left, false);
      this.#sendInTree(record, phase, right, false);
      this.#endPhase(record);
    }
  }

  #sendInTree(record: number, phase: PreparedPhase, to: number, thenReceive: boolean): void {
    const at = record * FIELDS;
    this.#flights.countSent(this.#records[at + FLIGHT], phase.bytes[0]);
    this.#transport.sendStream(this.#records[at + RANK], to, this.#records[at + TAG], phase.firstSize);
    if (thenReceive) this.#postInTree(record, phase, to, FROM_PARENT);
  }

  #postInTree(record: number, phase: PreparedPhase, from: number, bit: number): void {
    const records = this.#records;
    const at = record * FIELDS;
    if (this.#transport.postStream(from, records[at + RANK], records[at + TAG], phase.firstSize, record)) {
      records[at + POSTED] |= bit;
    }
  }

  /** The bundle of a packet crosses the bus: fresh ones from the NPU's side, relayed ones from the network's (sections 7, 15). */
  #enterBus(record: number, phase: PreparedPhase, packet: number, isReduced: boolean): void {
    const rank = this.#records[record * FIELDS + RANK];
    if (this.bus !== undefined && phase.usesBus) {
      const { parallelism, relays } = phase;
      const bytes = phase.bytes[Math.min(packet, phase.bytes.length - 1)];
      const relay = (packet % (parallelism + relays)) - parallelism;
      const returns = relay >= 0 && relays - relay > parallelism;
      const end = relay >= 0 ? BusEnd.M : BusEnd.A;
      this.bus.request(rank, end, bytes, isReduced, returns, 2 * record + (isReduced ? 1 : 0));
      return;
    }
    const timer = isReduced ? Timer.reducingBundle : Timer.bundle;
    this.#timers.register(rank, phase.endpointLane, phase.endpointNs, timer, record);
  }

  #enterBusInTree(
    record: number,
    phase: PreparedPhase,
    isReduced: boolean,
    isReceived: boolean,
    returns: boolean,
  ): void {
    if (this.bus === undefined || !phase.usesBus) {
      this.#enterBus(record, phase, 0, isReduced);
      return;
    }
    const rank = this.#records[record * FIELDS + RANK];
    const end = isReceived ? BusEnd.M : BusEnd.A;
    this.bus.request(rank, end, phase.bytes[0], isReduced, returns, 2 * record + (isReduced ? 1 : 0));
  }

  /** Puts a record into the queue of its phase, behind those of its priority or a higher one: gives the queue. */
  #enqueue(record: number): number {
    const records = this.#records;
    const at = record * FIELDS;
    const queue = this.#queueOf(record);
    records[at + QUEUE] = queue;
    const priority = this.#flights.priority[records[at + FLIGHT]];
    let before = this.#lastWaiting[queue];
    if (before >= 0 && this.#flights.priority[records[before * FIELDS + FLIGHT]] < priority) {
      before = -1;
      for (let other = this.#firstWaiting[queue]; ; other = records[other * FIELDS + NEXT]) {
        if (this.#flights.priority[records[other * FIELDS + FLIGHT]] < priority) break;
        before = other;
      }
    }
    const after = before < 0 ? this.#firstWaiting[queue] : records[before * FIELDS + NEXT];
    if (before < 0) this.#firstWaiting[queue] = record;
    else records[before * FIELDS + NEXT] = record;
    records[at + NEXT] = after;
    if (after < 0) this.#lastWaiting[queue] = record;
    return queue;
  }

  #queueOf(record: number): number {
    const records = this.#records;
    const at = record * FIELDS;
    const rank = records[at + RANK];
    const flight = records[at + FLIGHT];
    const plan = this.#flights.plan[flight];
    const { custom, orderOf } = this.#plans[plan];
    if (custom !== undefined) return rank * this.#dimensions * this.#queuesPerDimension;
    const chunk = record - this.#flights.firstRecord[flight];
    const place = records[at + PLACE];
    const number = this.#phasesOf[plan][orderOf === undefined ? 0 : orderOf[chunk]][place];
    const { dimension, turn } = this.#phases[number];
    records[at + PHASE] = number;
    const level = rank * this.#dimensions + dimension;
    if (this.#queuesPerDimension === 1) return level;
    const given = this.#flights.row[flight].turns!.given[place] + chunk;
    return level * this.#queuesPerDimension + queueInTurn(turn, given, this.#queuesPerDimension);
  }

  /**
   * The counters are those of a rank; where they differ between the members of a collective, because only some of them ran one before,
   * those of the member that begins first count, and the program stalls (section 19).
   */
  #takeTurns(rank: number, number: number, row: CollectiveRow): void {
    const plan = this.#plans[number];
    if (!takesTurns(plan, this.#queuesPerDimension)) return;
    row.turns ??= this.#turns.turns(rank, plan);
    this.#turns.pass(rank, plan, row.turns);
  }

  /** Starts the records that wait, as far as the queue takes them. */
  #startWaiting(queue: number): void {
    while (this.#running[queue] < this.#mostRunning) {
      const record = this.#startOrders === undefined ? this.#firstWaiting[queue] : this.#mayStart(queue);
      if (record < 0) return;
      this.#takeOut(queue, record);
      this.#running[queue]++;
      this.#startOrders?.start(
        queue,
        this.#keyOf(record),
        this.#records[record * FIELDS + RANK],
        this.#peersOf(record),
      );
      this.#start(record);
    }
  }

  /** The record that starts next where several collectives of a rank are in flight, −1 while none may: customs run one after another. */
  #mayStart(queue: number): number {
    const records = this.#records;
    const due = this.#startOrders?.next(queue);
    let record = this.#firstWaiting[queue];
    while (due !== undefined && record >= 0 && this.#keyOf(record) !== due) record = records[record * FIELDS + NEXT];
    if (record < 0) return -1;
    const isCustom = this.#planOf(record).custom !== undefined;
    return isCustom && this.#runningCustom[records[record * FIELDS + RANK]] >= 0 ? -1 : record;
  }

  #takeOut(queue: number, record: number): void {
    const records = this.#records;
    const next = records[record * FIELDS + NEXT];
    let before = -1;
    for (let other = this.#firstWaiting[queue]; other !== record; other = records[other * FIELDS + NEXT])
      before = other;
    if (before < 0) this.#firstWaiting[queue] = next;
    else records[before * FIELDS + NEXT] = next;
    if (next < 0) this.#lastWaiting[queue] = before;
  }

  /** What the phase of a record is known as to all its members: place in the chunk, and tag, which is below 2^30. */
  #keyOf(record: number): number {
    return this.#records[record * FIELDS + PLACE] * 2 ** 30 + this.#records[record * FIELDS + TAG];
  }

  #peersOf(record: number): LogicalDimension {
    const plan = this.#planOf(record);
    return plan.custom === undefined ? this.#phases[this.#records[record * FIELDS + PHASE]].members : plan.members;
  }

  #planOf(record: number): CollectivePlan {
    return this.#plans[this.#flights.plan[this.#records[record * FIELDS + FLIGHT]]];
  }

  #start(record: number): void {
    const records = this.#records;
    const at = record * FIELDS;
    const rank = records[at + RANK];
    const plan = this.#plans[this.#flights.plan[records[at + FLIGHT]]];
    if (plan.custom !== undefined) {
      this.#runningCustom[rank] = record;
      this.listener.beginCustom(rank, plan);
      return;
    }
    const phase = this.#phases[records[at + PHASE]];
    const position = positionOf(phase.members, rank);
    records[at + SENT] = 0;
    records[at + CREATED] = 0;
    records[at + CREDITS] = 0;
    records[at + RECEIVED] = 0;
    records[at + POSTED] = 0;
    records[at + POSITION] = position;
    const queue = records[at + QUEUE] % this.#queuesPerDimension;
    records[at + DIRECTION] = isAnticlockwise(phase.turn, queue, this.#queuesPerDimension) ? -1 : 1;
    if (phase.pattern === Pattern.doubleBinaryTree) {
      this.#startTree(record, phase, position);
      return;
    }
    if (phase.pattern === Pattern.ring) {
      records[at + OUT] = this.#peer(phase, at, 1);
      records[at + IN] = this.#peer(phase, at, -1);
    } else if (phase.pattern === Pattern.direct) {
      records[at + BLOCK] = this.#takePosted();
    }
    for (let packet = 0; packet < phase.parallelism; packet++) {
      records[at + CREATED]++;
      this.#enterBus(record, phase, packet, false);
    }
  }

  #startTree(record: number, phase: PreparedPhase, position: number): void {
    const records = this.#records;
    const at = record * FIELDS;
    const rank = records[at + RANK];
    const flight = records[at + FLIGHT];
    const chunk = record - this.#flights.firstRecord[flight];
    const before = this.#flights.row[flight].turns!.trees[records[at + PLACE]];
    const built = before + chunk * phase.trees + phase.tree;
    const { parent, left, right } = treePlace(phase.count, position, built % 2 === 0);
    const rankOf = (place: number): number => (place < 0 ? -1 : rankAt(phase.members, rank, position, place));
    records[at + IN] = rankOf(parent);
    records[at + OUT] = rankOf(left);
    records[at + RIGHT] = rankOf(right);
    if (left < 0) {
      this.#enterBusInTree(record, phase, false, false, false);
      return;
    }
    this.#postInTree(record, phase, records[at + OUT], FROM_LEFT);
    if (right >= 0) this.#postInTree(record, phase, records[at + RIGHT], FROM_RIGHT);
  }

  /** A record is through its phase. */
  #endPhase(record: number): void {
    const records = this.#records;
    const at = record * FIELDS;
    const flight = records[at + FLIGHT];
    const queue = records[at + QUEUE];
    const place = records[at + PLACE] + 1;
    if (this.#plans[this.#flights.plan[flight]].custom === undefined) this.#givePosted(record);
    if (place >= this.#phasesOf[this.#flights.plan[flight]][0].length) {
      // The rank may begin its next collective in there, before the queue has let go of this chunk.
      if (--this.#flights.left[flight] === 0) this.#endFlight(flight, records[at + RANK]);
      this.#running[queue]--;
      this.#startWaiting(queue);
      return;
    }
    records[at + PLACE] = place;
    const next = this.#enqueue(record);
    this.#running[queue]--;
    this.#startWaiting(queue);
    this.#startWaiting(next);
  }

  #endFlight(flight: number, rank: number): void {
    const flights = this.#flights;
    flights.end(rank, flight);
    const chunks = flights.chunks[flight];
    const free = this.#freeBlocks.get(chunks);
    if (free === undefined) this.#freeBlocks.set(chunks, [flights.firstRecord[flight]]);
    else free.push(flights.firstRecord[flight]);
    const row = flights.row[flight];
    row.add(flights.messages[flight], flights.bytes[flight]);
    this.#transport.messagesSent[rank] += flights.messages[flight];
    this.#transport.bytesSent[rank] += flights.bytes[flight];
    this.listener.collectiveDone(rank, flights.node[flight], row);
  }

  /** A block without receives; one is given back when all have come. */
  #takePosted(): number {
    if (this.#freeBlock < 0) {
      const blocks = this.#blockNext.length;
      const larger = Math.max(2 * blocks, this.#flights.first.length);
      this.#blockNext = grown(this.#blockNext, larger);
      this.#posted = grown(this.#posted, larger * this.#sources);
      for (let block = larger - 1; block >= blocks; block--) {
        this.#blockNext[block] = this.#freeBlock;
        this.#freeBlock = block;
      }
    }
    const block = this.#freeBlock;
    this.#freeBlock = this.#blockNext[block];
    return block;
  }

  #givePosted(record: number): void {
    const at = record * FIELDS;
    if (this.#phases[this.#records[at + PHASE]].pattern !== Pattern.direct) return;
    const block = this.#records[at + BLOCK];
    this.#blockNext[block] = this.#freeBlock;
    this.#freeBlock = block;
  }

  /** First of so many records. */
  #takeBlock(chunks: number): number {
    const free = this.#freeBlocks.get(chunks)?.pop();
    if (free !== undefined) return free;
    const first = this.#recordCount;
    this.#recordCount += chunks;
    const capacity = this.#records.length / FIELDS;
    if (this.#recordCount > capacity) {
      // All ranks begin their first collective with equally many as a rule.
      const larger = Math.max(2 * capacity, chunks * this.#flights.first.length, this.#recordCount);
      this.#records = grown(this.#records, larger * FIELDS);
    }
    return first;
  }
}
