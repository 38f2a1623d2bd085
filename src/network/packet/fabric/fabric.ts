import { EventClass, eventOrder } from '../../../kernel/event-queue.js';
import type { EventQueue } from '../../../kernel/event-queue.js';
import type { Kernel } from '../../../kernel/kernel.js';
import { RandomStream } from '../../../kernel/random.js';
import { ByteRate } from '../../byte-rate.js';
import { ecmpHash, fmix, nodeHash } from './ecmp-hash.js';
import { arrivalOrder, lateArrivalOrder } from './arrival-order.js';
import { wireBytes } from '../settings/frame-sizes.js';
import * as packetRecord from './packet-record.js';
import type { HostSide } from './host-side.js';
import { LazyHops } from './lazy-hops.js';
import type { PacketNetworkSpec } from '../settings/packet-settings.js';
import { Packets } from './packets.js';
import { PortCounters } from './port-counters.js';
import { PortNumbers } from './port-numbers.js';
import * as portRecord from './port-record.js';
import { isRxApart, portRecords } from './port-records.js';
import { oneMember, Routes } from './routes.js';
import { PortWheel } from './port-wheel.js';
import type { SharedBuffer } from './shared-buffer.js';

// As constants of the module: the optimiser folds them, and loads imported ones each time.
const {
  BYTES,
  DEPARTURE,
  DESTINATION,
  ENTROPY,
  FLAGS,
  FLOW,
  HASH,
  INGRESS,
  KIND,
  NEXT,
  PACKET_DOUBLES,
  PACKET_INTEGERS,
  PacketFlag,
  PacketKind,
  PSN,
} = packetRecord;
const {
  BY_FREE_BYTES,
  CONTROL,
  DATA,
  DELAY,
  FLIGHT_HEAD,
  FLIGHT_TAIL,
  FREE,
  HEAD,
  KMAX,
  KMIN,
  LIMIT,
  LINK_CONTROL,
  LOSS,
  MEAN_QUEUE,
  MODE,
  PAUSED,
  PACKETS_SENT,
  BYTES_SENT,
  PEAK,
  PEER,
  PMAX,
  PORT_DOUBLES,
  PORT_INTEGERS,
  PortMode,
  RATE,
  SERVICE_BYTES,
  SERVICE_CLASS,
  TAIL,
  WAITING,
} = portRecord;

/**
 * Links and switches: takes frames from ports, over links, through switches, to the ports of hosts (NET-2, NET-3, SW-1 … SW-8).
 *
 * Frames on a link arrive in the order in which they were sent, so a link has one event at a time, the arrival of its first
 * frame. Where nothing but the link itself notices when a frame's serialisation ends, that is no event: what the port has
 * started by now is worked out when somebody looks, always before a packet is put into its queue and before its next arrival
 * is scheduled. Where PFC or a shared pool notices, each end of serialisation is an event. Both give the same times.
 */
export class Fabric {
  readonly spec: PacketNetworkSpec;
  readonly numbers: PortNumbers;
  readonly routes: Routes;
  readonly packets = new Packets();
  readonly counters: PortCounters;
  /** [ports × 48] and [ports × 24], one memory. */
  readonly integers: Int32Array;
  readonly doubles: Float64Array;
  hosts!: HostSide;
  /** Set where buffers are shared or PFC is on; then every port is explicit. */
  buffer: SharedBuffer | undefined;

  readonly #kernel: Kernel;
  readonly wheel: PortWheel;
  readonly #portCount: number;
  readonly #lazy: LazyHops | undefined;
  readonly #queue: EventQueue;
  readonly #rates: readonly ByteRate[]; // [rates]
  readonly serialPs: Float64Array; // [rates × stride] by bytes
  readonly serialStride: number;
  readonly nodeHash: Int32Array; // [nodes]
  readonly #isHost: Uint8Array; // [nodes]
  readonly #mode: string;
  readonly #structured: boolean;
  readonly #spreads: boolean; // packets name their ports by entropy values (NIC-5)
  readonly #lateRxPs: number; // RxLatency where it is not in the delays of links
  readonly #trimming: boolean;
  readonly #trimmedBytes: number;
  readonly #pfcBytes: number;
  readonly #retransmissionFactor: number;
  readonly #alpha: number;
  readonly #marks: boolean;
  readonly #marksAtEnqueue: boolean;
  readonly #ewma: number;
  readonly #lossy: boolean;
  readonly #streams = new Map<string, RandomStream>();
  readonly #turns = new Map<number, number>(); // next member of (node, set)
  #taken = DATA; // class of the packet that was taken last
  readonly #onArrival: number;
  readonly #onEnd: number;
  readonly #onLate: number;

  constructor(spec: PacketNetworkSpec, kernel: Kernel, isExplicit: boolean) {
    const { topology, settings } = spec;
    const { switches, frames } = settings;
    this.spec = spec;
    this.numbers = new PortNumbers(topology);
    this.routes = new Routes(topology, this.numbers, settings.routing.hostsForward);
    this.counters = new PortCounters(this.numbers.count);
    const records = portRecords(spec, this.numbers, isExplicit || !settings.fold);
    this.integers = records.integers;
    this.doubles = records.doubles;
    this.#queue = kernel.queue;
    this.#rates = records.gbps.map((gbps) => new ByteRate(gbps, 1n, 8n));
    this.serialStride = frames.mtuBytes + frames.phyOverheadBytes + 256;
    this.serialPs = new Float64Array(this.#rates.length * this.serialStride);
    for (const [rate, byteRate] of this.#rates.entries()) {
      for (let bytes = 0; bytes < this.serialStride; bytes++) {
        this.serialPs[rate * this.serialStride + bytes] = byteRate.picoseconds(bytes);
      }
    }
    this.nodeHash = Int32Array.from(topology.nodes, (_, node) => nodeHash(node));
    this.#isHost = Uint8Array.from(topology.nodes, ({ kind }) => (kind === 'host' ? 1 : 0));
    this.#mode = settings.routing.mode;
    this.#structured = settings.nic === 'mrc' && settings.mrc.evMode === 'structured';
    this.#spreads = settings.nic !== 'roce';
    this.#lateRxPs = isRxApart(settings) ? settings.hosts.rxLatencyPs : 0;
    this.#trimming = switches.trimming;
    this.#trimmedBytes = wireBytes(frames, frames.trimmedBytes);
    this.#pfcBytes = wireBytes(frames, frames.pfcBytes);
    this.#retransmissionFactor = switches.trimming ? switches.retransmissionFactor : 1;
    this.#alpha = switches.lossyAlpha ?? 0;
    this.#marks = switches.ecn.enabled;
    this.#marksAtEnqueue = switches.ecn.markAt === 'enqueue';
    this.#ewma = switches.ecn.ewma;
    this.#lossy = topology.links.some(({ loss }) => loss > 0);
    this.#kernel = kernel;
    this.#portCount = this.numbers.count;
    this.wheel = new PortWheel(2 * this.numbers.count);
    this.#lazy =
      settings.fold &&
      !isExplicit &&
      this.#mode === 'flow' &&
      !this.#structured &&
      !this.#marksAtEnqueue &&
      this.#ewma === 1
        ? new LazyHops(this, kernel, !this.#lossy && this.#lateRxPs === 0)
        : undefined;
    if (kernel.source !== undefined) throw new Error('a kernel takes the events of one packet network');
    kernel.source = (stopPs) => {
      if (this.#lazy === undefined) this.runNear(stopPs);
      else this.#lazy.run(stopPs);
      return !this.wheel.isEmpty;
    };
    this.#onArrival = kernel.addHandler((port) => this.#arrive(port));
    this.#onEnd = kernel.addHandler((port) => this.end(port));
    this.#onLate = kernel.addHandler((slot) =>
      this.#looked(slot, this.packets.integers[slot * PACKET_INTEGERS + INGRESS]),
    );
  }

  /** Rate of a port, Gbit/s. */
  gbpsOf(port: number): number {
    const { topology } = this.spec;
    return topology.links[this.numbers.linkOf[port]].gbps;
  }

  /** Serialisation of so many bytes at a port, ps. */
  serialisationPs(port: number, bytes: number): number {
    return this.serialPs[this.integers[port * PORT_INTEGERS + RATE] * this.serialStride + bytes];
  }

  /** Bytes in the queue of a port and class now, the frame in service among them. */
  queueBytes(port: number, packetClass: number): number {
    this.settle(port);
    const doubles = this.doubles;
    const at = port * PORT_DOUBLES;
    const integers = port * PORT_INTEGERS;
    const isServed = doubles[at + FREE] > this.#queue.time && this.integers[integers + SERVICE_CLASS] === packetClass;
    return doubles[at + WAITING + packetClass] + (isServed ? this.integers[integers + SERVICE_BYTES] : 0);
  }

  /** Starts a frame at a port that is idle, now. */
  start(port: number, slot: number): void {
    const packets = this.packets.integers;
    const at = slot * PACKET_INTEGERS;
    const packetClass =
      packets[at + KIND] === PacketKind.pfc ? LINK_CONTROL : packets[at + KIND] === PacketKind.data ? DATA : CONTROL;
    this.#start(port, slot, packetClass, this.#queue.time);
  }

  /** Puts a packet behind those of its class that wait at a port. */
  enqueue(port: number, slot: number, queueClass: number): void {
    const integers = this.integers;
    const packets = this.packets.integers;
    const at = port * PORT_INTEGERS + 2 * queueClass;
    packets[slot * PACKET_INTEGERS + NEXT] = -1;
    const tail = integers[at + TAIL];
    if (tail < 0) integers[at + HEAD] = slot;
    else packets[tail * PACKET_INTEGERS + NEXT] = slot;
    integers[at + TAIL] = slot;
    this.doubles[port * PORT_DOUBLES + WAITING + queueClass] += packets[slot * PACKET_INTEGERS + BYTES];
  }

  /** Takes the first that waits at a port, −1 for none: link control, then control, then data, without the classes that are paused. */
  takeFirst(port: number): number {
    const integers = this.integers;
    const at = port * PORT_INTEGERS;
    const paused = integers[at + PAUSED];
    if (integers[at + HEAD + 2 * LINK_CONTROL] >= 0) return this.#take(port, LINK_CONTROL);
    if (integers[at + HEAD + 2 * CONTROL] >= 0 && (paused & 2) === 0) return this.#take(port, CONTROL);
    if (integers[at + HEAD] >= 0 && (paused & 1) === 0) return this.#take(port, DATA);
    return -1;
  }

  /** Starts what a lazy port has started by now. */
  settle(port: number): void {
    if (this.integers[port * PORT_INTEGERS + MODE] === PortMode.lazy) this.settlePort(port, this.#queue.time);
  }

  /** Tells the other end of a port to stop or to go on sending a class (SW-6). */
  sendPfc(port: number, packetClass: number, stop: boolean): void {
    const slot = this.packets.take();
    const packets = this.packets.integers;
    const at = slot * PACKET_INTEGERS;
    packets[at + KIND] = PacketKind.pfc;
    packets[at + FLAGS] = 0;
    packets[at + BYTES] = this.#pfcBytes;
    packets[at + FLOW] = packetClass;
    packets[at + PSN] = stop ? 1 : 0;
    const { counters } = this;
    if (stop) counters.xoffsSent[2 * port + packetClass]++;
    else counters.xonsSent[2 * port + packetClass]++;
    this.#enqueuePfc(port, slot);
    if (this.integers[port * PORT_INTEGERS + MODE] === PortMode.host) this.hosts.wants(port);
    else if (this.integers[port * PORT_INTEGERS + SERVICE_CLASS] < 0) this.#startNext(port);
  }

  /** Behind the PFC frames that wait, ahead of CNPs. */
  #enqueuePfc(port: number, slot: number): void {
    const integers = this.integers;
    const packets = this.packets.integers;
    const at = port * PORT_INTEGERS + 2 * LINK_CONTROL;
    let before = -1;
    let next = integers[at + HEAD];
    while (next >= 0 && packets[next * PACKET_INTEGERS + KIND] === PacketKind.pfc) {
      before = next;
      next = packets[next * PACKET_INTEGERS + NEXT];
    }
    if (next < 0) {
      this.enqueue(port, slot, LINK_CONTROL);
      return;
    }
    packets[slot * PACKET_INTEGERS + NEXT] = next;
    if (before < 0) integers[at + HEAD] = slot;
    else packets[before * PACKET_INTEGERS + NEXT] = slot;
    this.doubles[port * PORT_DOUBLES + WAITING + LINK_CONTROL] += this.#pfcBytes;
  }

  #take(port: number, queueClass: number): number {
    this.#taken = queueClass;
    const integers = this.integers;
    const packets = this.packets.integers;
    const at = port * PORT_INTEGERS + 2 * queueClass;
    const slot = integers[at + HEAD];
    const next = packets[slot * PACKET_INTEGERS + NEXT];
    integers[at + HEAD] = next;
    if (next < 0) integers[at + TAIL] = -1;
    return slot;
  }

  /** What a port that is idle starts next. */
  #startNext(port: number): void {
    const slot = this.takeFirst(port);
    if (slot < 0) return;
    this.leave(port, slot);
  }

  /** Starts a packet that {@link takeFirst} has just taken out of its queue. */
  leave(port: number, slot: number): void {
    const packets = this.packets.integers;
    const at = slot * PACKET_INTEGERS;
    const queueClass = this.#taken;
    if (queueClass === DATA && this.#marks && !this.#marksAtEnqueue) {
      const doubles = this.doubles;
      const record = port * PORT_DOUBLES;
      const queue = this.#ewma < 1 ? doubles[record + MEAN_QUEUE] : doubles[record + WAITING];
      if (queue >= doubles[record + KMIN]) this.#mark(port, at, queue);
    }
    this.doubles[port * PORT_DOUBLES + WAITING + queueClass] -= packets[at + BYTES];
    this.#start(port, slot, queueClass, this.#queue.time);
  }

  /** As {@link settle}, of a port that is lazy. */
  settlePort(port: number, now: number): void {
    const integers = this.integers;
    const doubles = this.doubles;
    const at = port * PORT_INTEGERS;
    const record = port * PORT_DOUBLES;
    while (doubles[record + FREE] <= now) {
      let queueClass = CONTROL;
      if (integers[at + HEAD + 2] < 0) {
        if (integers[at + HEAD] < 0) return;
        queueClass = DATA;
      }
      const slot = this.#take(port, queueClass);
      const packet = slot * PACKET_INTEGERS;
      if (queueClass === DATA && this.#marks && !this.#marksAtEnqueue) {
        const queue = this.#ewma < 1 ? doubles[record + MEAN_QUEUE] : doubles[record + WAITING];
        if (queue >= doubles[record + KMIN]) this.#mark(port, packet, queue);
      }
      doubles[record + WAITING + queueClass] -= this.packets.integers[packet + BYTES];
      this.#start(port, slot, queueClass, doubles[record + FREE]);
    }
  }

  #start(port: number, slot: number, packetClass: number, startPs: number): void {
    const integers = this.integers;
    const doubles = this.doubles;
    const packets = this.packets.integers;
    const at = port * PORT_INTEGERS;
    const record = port * PORT_DOUBLES;
    const bytes = packets[slot * PACKET_INTEGERS + BYTES];
    const departure = startPs + this.serialPs[integers[at + RATE] * this.serialStride + bytes];
    this.packets.doubles[slot * PACKET_DOUBLES + DEPARTURE] = departure;
    doubles[record + FREE] = departure;
    integers[at + SERVICE_BYTES] = bytes;
    integers[at + SERVICE_CLASS] = packetClass;
    doubles[record + PACKETS_SENT]++;
    doubles[record + BYTES_SENT] += bytes;
    packets[slot * PACKET_INTEGERS + NEXT] = -1;
    const tail = integers[at + FLIGHT_TAIL];
    integers[at + FLIGHT_TAIL] = slot;
    if (tail < 0) {
      integers[at + FLIGHT_HEAD] = slot;
      this.scheduleArrival(port, integers[at + PEER], departure + doubles[record + DELAY]);
    } else {
      packets[tail * PACKET_INTEGERS + NEXT] = slot;
    }
    if (integers[at + MODE] !== PortMode.lazy) {
      if (this.wheel.reaches(departure, this.#queue.time)) this.wheel.push(port, departure);
      else this.#queue.push(departure, eventOrder(EventClass.completion, port), this.#onEnd, port);
    }
  }

  /** The first frame on the link of a port arrives at `timePs` at the port at the other end. */
  scheduleArrival(port: number, ingress: number, timePs: number): void {
    if (this.wheel.reaches(timePs, this.#queue.time)) this.wheel.push(this.#portCount + ingress, timePs);
    else this.#queue.push(timePs, arrivalOrder(ingress), this.#onArrival, port);
  }

  /**
   * Up to when events of the wheel may be handled: to the queue's next one, and to now where work waits for the end of the
   * instant. A bucket that begins later must not be opened, since what is done first may start frames that end before it.
   */
  reach(stopPs: number): number {
    return this.#kernel.settlePending ? this.#queue.time : Math.min(this.#queue.peekTime(), stopPs);
  }

  /** Whether an event of the wheel, which lies at the instant that runs, comes before the queue's next one of that instant. */
  precedesQueue(entity: number): boolean {
    const order =
      entity < this.#portCount ? eventOrder(EventClass.completion, entity) : arrivalOrder(entity - this.#portCount);
    return order <= this.#queue.nextOrder();
  }

  /** Whether no link has an event left at the instant that runs. */
  isQuiet(): boolean {
    return this.wheel.nextTime(this.#queue.time) > this.#queue.time;
  }

  /** Handles events of the near future as long as they precede all others. */
  runNear(stopPs: number): void {
    const wheel = this.wheel;
    const queue = this.#queue;
    const ports = this.#portCount;
    for (;;) {
      const limit = this.reach(stopPs);
      const time = wheel.nextTime(limit);
      if (time === Infinity || time > limit) return;
      const entity = wheel.nextEntity;
      if (time === limit) {
        queue.advance(time);
        if (!this.precedesQueue(entity)) return;
      }
      wheel.pop();
      queue.time = time;
      this.#kernel.events++;
      if (entity < ports) this.end(entity);
      else this.#arrive(this.integers[(entity - ports) * PORT_INTEGERS + PEER]);
    }
  }

  /** The end of a serialisation. */
  end(port: number): void {
    const integers = this.integers;
    const at = port * PORT_INTEGERS;
    const packetClass = integers[at + SERVICE_CLASS];
    integers[at + SERVICE_CLASS] = -1;
    if (integers[at + MODE] === PortMode.host) {
      this.hosts.ended(port);
      return;
    }
    if (this.buffer !== undefined && packetClass !== LINK_CONTROL) {
      const ingress = this.packets.integers[integers[at + FLIGHT_TAIL] * PACKET_INTEGERS + INGRESS];
      this.buffer.release(ingress, packetClass, integers[at + SERVICE_BYTES]);
    }
    if (integers[at + SERVICE_CLASS] < 0) this.#startNext(port);
  }

  /** The first frame on the link of a port arrives at the other end. */
  #arrive(port: number): void {
    const integers = this.integers;
    const packets = this.packets.integers;
    const now = this.#queue.time;
    const at = port * PORT_INTEGERS;
    const ingress = integers[at + PEER];
    const slot = integers[at + FLIGHT_HEAD];
    const next = packets[slot * PACKET_INTEGERS + NEXT];
    integers[at + FLIGHT_HEAD] = next;
    if (next >= 0) {
      this.scheduleArrival(
        port,
        ingress,
        this.packets.doubles[next * PACKET_DOUBLES + DEPARTURE] + this.doubles[port * PORT_DOUBLES + DELAY],
      );
    } else {
      integers[at + FLIGHT_TAIL] = -1;
    }
    if (integers[at + MODE] === PortMode.lazy) this.settlePort(port, now);

    this.arrived(slot, ingress);
  }

  /** The last bit of a frame has come in by a port. */
  arrived(slot: number, ingress: number): void {
    if (this.#lateRxPs > 0 && this.#isForHost(slot, ingress)) {
      this.packets.integers[slot * PACKET_INTEGERS + INGRESS] = ingress;
      this.#queue.push(this.#queue.time + this.#lateRxPs, lateArrivalOrder(ingress), this.#onLate, slot);
    } else {
      this.#looked(slot, ingress);
    }
  }

  #isForHost(slot: number, ingress: number): boolean {
    const packets = this.packets.integers;
    const at = slot * PACKET_INTEGERS;
    const node = this.numbers.nodeOf[ingress];
    return this.#isHost[node] !== 0 && (packets[at + DESTINATION] === node || packets[at + KIND] === PacketKind.pfc);
  }

  /** A node looks at a frame that has arrived. */
  #looked(slot: number, ingress: number): void {
    const packets = this.packets.integers;
    const now = this.#queue.time;
    const packet = slot * PACKET_INTEGERS;
    if (packets[packet + KIND] === PacketKind.pfc) {
      this.#pause(ingress, packets[packet + FLOW], packets[packet + PSN] === 1);
      this.packets.release(slot);
      return;
    }
    if (this.#lossy && this.#isLost(ingress)) {
      this.counters.losses[ingress]++;
      this.counters.bytesLost[ingress] += packets[packet + BYTES];
      this.packets.release(slot);
      return;
    }
    const node = this.numbers.nodeOf[ingress];
    if (packets[packet + DESTINATION] === node) this.hosts.consume(slot, ingress);
    else this.forward(slot, ingress, node, now);
  }

  /** A packet has come to a node that passes it on: it chooses an egress, and is queued, trimmed or dropped there (SW-1, SW-3, SW-8). */
  forward(slot: number, ingress: number, node: number, now: number): void {
    const integers = this.integers;
    const doubles = this.doubles;
    const packets = this.packets.integers;
    const packet = slot * PACKET_INTEGERS;
    const egress = this.#egress(node, packet);
    const at = egress * PORT_INTEGERS;
    const record = egress * PORT_DOUBLES;
    const { counters, buffer } = this;
    const mode = integers[at + MODE];
    packets[packet + INGRESS] = ingress;
    if (mode === PortMode.host) {
      this.enqueue(egress, slot, packets[packet + KIND] === PacketKind.data ? DATA : CONTROL);
      this.hosts.wants(egress);
      return;
    }
    if (mode === PortMode.lazy) this.settlePort(egress, now);
    const isBusy = doubles[record + FREE] > now;
    let packetClass = packets[packet + KIND] === PacketKind.data ? DATA : CONTROL;
    let bytes = packets[packet + BYTES];
    let queue = doubles[record + WAITING + packetClass] + bytes;
    if (isBusy && integers[at + SERVICE_CLASS] === packetClass) queue += integers[at + SERVICE_BYTES];
    if (!this.#hasRoom(egress, ingress, packetClass, queue, packet)) {
      const isTrimmed = packetClass === DATA && this.#trimming;
      if (isTrimmed) {
        packetClass = CONTROL;
        bytes = this.#trimmedBytes;
        packets[packet + KIND] = PacketKind.trimmed;
        packets[packet + BYTES] = bytes;
        if (this.numbers.nodeOf[integers[at + PEER]] === packets[packet + DESTINATION]) {
          packets[packet + FLAGS] |= PacketFlag.lastHop;
        }
        queue = doubles[record + WAITING + CONTROL] + bytes;
        if (isBusy && integers[at + SERVICE_CLASS] === CONTROL) queue += integers[at + SERVICE_BYTES];
      }
      if (!isTrimmed || !this.#hasRoom(egress, ingress, CONTROL, queue, packet)) {
        counters.egressDrops[2 * egress + packetClass]++;
        this.packets.release(slot);
        return;
      }
      counters.trims[egress]++;
    }
    if (buffer !== undefined && !buffer.admit(ingress, packetClass, bytes)) {
      counters.ingressDrops[2 * ingress + packetClass]++;
      this.packets.release(slot);
      return;
    }
    if (queue > doubles[record + PEAK + packetClass]) doubles[record + PEAK + packetClass] = queue;
    if (packetClass === DATA && this.#marks) this.#seeAtEnqueue(egress, packet, queue);
    if (
      isBusy ||
      (integers[at + PAUSED] & (1 << packetClass)) !== 0 ||
      (integers[at + SERVICE_CLASS] >= 0 && mode !== PortMode.lazy)
    ) {
      this.enqueue(egress, slot, packetClass);
      return;
    }
    if (packetClass === DATA && this.#marks && !this.#marksAtEnqueue) {
      const mean = this.#ewma < 1 ? doubles[record + MEAN_QUEUE] : bytes;
      if (mean >= doubles[record + KMIN]) this.#mark(egress, packet, mean);
    }
    this.#start(egress, slot, packetClass, now);
  }

  /** SW-3. @param queue with the packet, bytes */
  #hasRoom(egress: number, ingress: number, packetClass: number, queue: number, packet: number): boolean {
    const { buffer } = this;
    const packets = this.packets.integers;
    let limit = this.doubles[egress * PORT_DOUBLES + LIMIT + packetClass];
    if (buffer !== undefined) {
      if (buffer.isLossless(packetClass)) return true;
      const free = buffer.freeBytes(this.numbers.nodeOf[ingress], packetClass);
      if (packets[packet + BYTES] > free) return false;
      if (limit === BY_FREE_BYTES) limit = this.#alpha * free;
    }
    if (queue <= limit) return true;
    const isRetransmission = packetClass === DATA && (packets[packet + FLAGS] & PacketFlag.retransmission) !== 0;
    return isRetransmission && queue <= limit * this.#retransmissionFactor;
  }

  #seeAtEnqueue(egress: number, packet: number, queue: number): void {
    const doubles = this.doubles;
    const record = egress * PORT_DOUBLES;
    let seen = queue;
    if (this.#ewma < 1) {
      seen = (1 - this.#ewma) * doubles[record + MEAN_QUEUE] + this.#ewma * queue;
      doubles[record + MEAN_QUEUE] = seen;
    }
    if (this.#marksAtEnqueue && seen >= doubles[record + KMIN]) this.#mark(egress, packet, seen);
  }

  /** SW-7, for a queue of kmin or more. */
  #mark(port: number, packet: number, queue: number): void {
    const doubles = this.doubles;
    const record = port * PORT_DOUBLES;
    const kmin = doubles[record + KMIN];
    const kmax = doubles[record + KMAX];
    if (queue < kmax) {
      const probability = (doubles[record + PMAX] * (queue - kmin)) / (kmax - kmin);
      if (probability <= 0 || (probability < 1 && this.#stream(port, 'ecn').uniform() >= probability)) return;
    }
    this.packets.integers[packet + FLAGS] |= PacketFlag.marked;
    this.counters.marks[port]++;
  }

  #isLost(ingress: number): boolean {
    const loss = this.doubles[ingress * PORT_DOUBLES + LOSS];
    return loss > 0 && this.#stream(ingress, 'loss').uniform() < loss;
  }

  /** Numbers drawn at a port for one purpose. */
  #stream(port: number, purpose: string): RandomStream {
    const node = this.numbers.nodeOf[port];
    return this.#streamOf(node, `${purpose}/${port - this.numbers.first[node]}`);
  }

  #streamOf(node: number, purpose: string): RandomStream {
    const key = `${node}/${purpose}`;
    let stream = this.#streams.get(key);
    if (stream === undefined) {
      stream = new RandomStream(this.spec.settings.seed, node, purpose);
      this.#streams.set(key, stream);
    }
    return stream;
  }

  /** RT-3, at a host NIC-5. The traces use no pair without a route. */
  #egress(node: number, packet: number): number {
    const { routes } = this;
    const packets = this.packets.integers;
    const set = routes.setOf(node, packets[packet + DESTINATION]);
    if (oneMember(set) >= 0) return oneMember(set);
    const first = routes.memberStart[set];
    const count = routes.memberStart[set + 1] - first;
    if (this.#isHost[node] !== 0 && this.#spreads) return routes.members[first + (packets[packet + ENTROPY] % count)];
    if (this.#structured) {
      const value = packets[packet + HASH];
      const rest = Math.trunc(value / count);
      packets[packet + HASH] = rest;
      return routes.members[first + value - rest * count];
    }
    const mode = this.#mode;
    if (mode === 'flow' || this.#isHost[node] !== 0) {
      return routes.members[
        first +
          ((count & (count - 1)) === 0
            ? fmix(this.nodeHash[node] ^ packets[packet + HASH]) & (count - 1)
            : ecmpHash(this.nodeHash[node], packets[packet + HASH]) % count)
      ];
    }
    if (mode === 'spray-rr') {
      const key = node * 2 ** 24 + set;
      const turn = this.#turns.get(key) ?? 0;
      this.#turns.set(key, turn + 1 === count ? 0 : turn + 1);
      return routes.members[first + turn];
    }
    if (mode === 'spray-random') {
      return routes.members[first + Math.floor(this.#streamOf(node, 'spray').uniform() * count)];
    }
    return this.#leastQueued(first, count);
  }

  #leastQueued(first: number, count: number): number {
    const { members } = this.routes;
    let best = members[first];
    let least = Infinity;
    for (let member = first; member < first + count; member++) {
      const port = members[member];
      const queued =
        this.queueBytes(port, DATA) +
        this.doubles[port * PORT_DOUBLES + WAITING + CONTROL] +
        this.#controlInService(port);
      if (queued < least) {
        least = queued;
        best = port;
      }
    }
    return best;
  }

  #controlInService(port: number): number {
    const at = port * PORT_INTEGERS;
    const isServed = this.doubles[port * PORT_DOUBLES + FREE] > this.#queue.time;
    return isServed && this.integers[at + SERVICE_CLASS] === CONTROL ? this.integers[at + SERVICE_BYTES] : 0;
  }

  #pause(port: number, packetClass: number, stop: boolean): void {
    const { counters } = this;
    const at = port * PORT_INTEGERS;
    const byClass = 2 * port + packetClass;
    const now = this.#queue.time;
    const bit = 1 << packetClass;
    if (stop) {
      counters.xoffsReceived[byClass]++;
      if ((this.integers[at + PAUSED] & bit) === 0) counters.pausedSincePs[byClass] = now;
      this.integers[at + PAUSED] |= bit;
      return;
    }
    counters.xonsReceived[byClass]++;
    if ((this.integers[at + PAUSED] & bit) === 0) return;
    counters.pausedPs[byClass] += now - counters.pausedSincePs[byClass];
    counters.pausedSincePs[byClass] = -1;
    this.integers[at + PAUSED] &= ~bit;
    if (this.integers[at + MODE] === PortMode.host) this.hosts.wants(port);
    else if (this.integers[at + SERVICE_CLASS] < 0) this.#startNext(port);
  }
}
