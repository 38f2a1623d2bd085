import { counted, grouped } from '../../base/counts.js';
import { requestError, type PrepError } from '../../base/errors.js';
import { EventClass } from '../../kernel/event-queue.js';
import type { Kernel } from '../../kernel/kernel.js';
import { hostsOf, type Topology } from '../topology/topology.js';
import { CounterLog } from './counter-log.js';
import type { Fabric } from './fabric.js';
import type { HostCounters, Samples } from './host-counters.js';
import { CLASS_COUNTS, ClassCount, HOST_COUNTS, HostCount, PORT_COUNTS, PortCount } from './interval-counts.js';
import { BYTES, NEXT, PACKET_INTEGERS, PACKET_KINDS } from './packet-record.js';
import { PortNumbers } from './port-numbers.js';
import {
  BYTES_SENT,
  CONTROL,
  DATA,
  FLIGHT_HEAD,
  FREE,
  PACKETS_SENT,
  PEER,
  PORT_DOUBLES,
  PORT_INTEGERS,
  SERVICE_BYTES,
} from './port-record.js';

/** Rows that a record may have. */
export const MOST_ROWS = 100_000_000;

/**
 * Counts of the ports and hosts of a packet network at every multiple of an interval, as they are behind all else
 * of that instant: sent at the end of serialisation, received at full arrival. They are taken from what a network counts anyway;
 * an interval in which no packet is anywhere costs nothing.
 */
export class IntervalStats {
  readonly ports: CounterLog;
  readonly classes: CounterLog;
  readonly hosts: CounterLog;
  readonly #switchPorts: Int32Array;
  readonly #hostNodes: Int32Array;
  #network: { readonly fabric: Fabric; readonly counters: HostCounters; readonly kernel: Kernel } | undefined;
  #onBoundary = 0;
  #isAwake = false;
  #rows = 0; // of ports, at the multiples at which something was under way

  constructor(
    topology: Topology,
    readonly intervalPs: number,
    readonly mostRows = MOST_ROWS,
  ) {
    const { nodes } = topology;
    const { count, nodeOf } = new PortNumbers(topology);
    this.ports = new CounterLog(count, PORT_COUNTS);
    this.classes = new CounterLog(2 * count, CLASS_COUNTS);
    this.hosts = new CounterLog(nodes.length, HOST_COUNTS, HostCount.rtt);
    this.#hostNodes = Int32Array.from(hostsOf(topology));
    this.#switchPorts = nodeOf.map((_, port) => port).filter((port) => nodes[nodeOf[port]].kind !== 'host');
  }

  /** Says what is counted; once, before the run. */
  watch(fabric: Fabric, counters: HostCounters, kernel: Kernel): void {
    this.#network = { fabric, counters, kernel };
    this.#onBoundary = kernel.addHandler(() => this.#atBoundary());
  }

  /** The network has something to do, now. */
  wake(): void {
    if (this.#isAwake || this.#network === undefined) return;
    this.#isAwake = true;
    this.#schedule(this.#network.kernel.now);
  }

  /** Schedules the first multiple of the interval that is not before a time, unless the run stops before. */
  #schedule(timePs: number): void {
    const { kernel } = this.#network!;
    const boundary = Math.max(1, Math.ceil(timePs / this.intervalPs)) * this.intervalPs;
    if (boundary <= kernel.stopPs) kernel.schedule(boundary, EventClass.record, 0, this.#onBoundary, 0);
  }

  #atBoundary(): void {
    const { fabric, kernel } = this.#network!;
    const { now } = kernel;
    const interval = Math.round(now / this.intervalPs);
    this.#rows += this.ports.devices;
    if (this.#rows > this.mostRows) throw this.#tooManyRows(now);
    kernel.events--; // counted, and none of the network
    this.#note(now, interval);
    if (kernel.queue.length === 0 && fabric.wheel.isEmpty) return;
    const next = now + this.intervalPs;
    // Without packets nothing changes before the next event.
    this.#schedule(fabric.packets.count > 0 ? next : Math.max(next, kernel.queue.peekTime()));
  }

  /** The records of the run would be refused in any case, when it is over. */
  #tooManyRows(now: number): PrepError {
    const rows = `${counted(this.ports.devices, 'port')} at each multiple of NDStatsReportInterval ${grouped(this.intervalPs)} ps`;
    return requestError(
      'RECORD_TOO_LARGE',
      `nd-stats: more than ${grouped(this.mostRows)} rows by ${grouped(now)} ps, for ${rows}; expected at most as many`,
      'make NDStatsReportInterval longer, or let the run stop earlier with --until',
    );
  }

  #note(now: number, interval: number): void {
    const { fabric, counters } = this.#network!;
    for (let port = 0; port < this.ports.devices; port++) fabric.settle(port);
    for (let port = 0; port < this.ports.devices; port++) this.#notePort(fabric, port, now, interval);
    for (const port of this.#switchPorts) {
      for (const packetClass of [DATA, CONTROL]) this.#noteClass(fabric, port, packetClass, interval);
    }
    for (const host of this.#hostNodes) this.#noteHost(counters, host, interval);
  }

  /** What a port has sent lacks the frame that it is sending; what one has received lacks what is under way to it. */
  #notePort(fabric: Fabric, port: number, now: number, interval: number): void {
    const { integers, doubles, counters } = fabric;
    const { row } = this.ports;
    const record = port * PORT_DOUBLES;
    const isSending = doubles[record + FREE] > now;
    row[PortCount.packetsSent] = doubles[record + PACKETS_SENT] - (isSending ? 1 : 0);
    row[PortCount.bytesSent] =
      doubles[record + BYTES_SENT] - (isSending ? integers[port * PORT_INTEGERS + SERVICE_BYTES] : 0);
    const peer = integers[port * PORT_INTEGERS + PEER];
    const packets = fabric.packets.integers;
    let packetsUnderWay = 0;
    let bytesUnderWay = 0;
    for (
      let slot = integers[peer * PORT_INTEGERS + FLIGHT_HEAD];
      slot >= 0;
      slot = packets[slot * PACKET_INTEGERS + NEXT]
    ) {
      packetsUnderWay++;
      bytesUnderWay += packets[slot * PACKET_INTEGERS + BYTES];
    }
    row[PortCount.packetsReceived] =
      doubles[peer * PORT_DOUBLES + PACKETS_SENT] - packetsUnderWay - counters.losses[port];
    row[PortCount.bytesReceived] = doubles[peer * PORT_DOUBLES + BYTES_SENT] - bytesUnderWay - counters.bytesLost[port];
    const { egressDrops, ingressDrops, losses } = counters;
    row[PortCount.sendDrops] = egressDrops[2 * port] + egressDrops[2 * port + 1];
    row[PortCount.receiveDrops] = ingressDrops[2 * port] + ingressDrops[2 * port + 1] + losses[port];
    this.ports.note(interval, port);
  }

  #noteClass({ counters }: Fabric, port: number, packetClass: number, interval: number): void {
    const { row } = this.classes;
    const device = 2 * port + packetClass;
    row[ClassCount.xoffsSent] = counters.xoffsSent[device];
    row[ClassCount.xonsSent] = counters.xonsSent[device];
    row[ClassCount.xoffsReceived] = counters.xoffsReceived[device];
    row[ClassCount.xonsReceived] = counters.xonsReceived[device];
    row[ClassCount.pausedPs] = counters.pausedPs[device];
    // No XOFF arrives at 0, since no link takes no time.
    row[ClassCount.pausedSincePs] = Math.max(0, counters.pausedSincePs[device]);
    row[ClassCount.marks] = packetClass === DATA ? counters.marks[port] : 0;
    this.classes.note(interval, device);
  }

  #noteHost(counters: HostCounters, host: number, interval: number): void {
    const { row } = this.hosts;
    const { packetsSent, packetsReceived, rtt, pace } = counters;
    for (let kind = 0; kind < PACKET_KINDS; kind++) {
      row[HostCount.packetsSent + kind] = packetsSent[host * PACKET_KINDS + kind];
      row[HostCount.packetsReceived + kind] = packetsReceived[host * PACKET_KINDS + kind];
    }
    row[HostCount.retransmissions] = counters.retransmissions[host];
    row[HostCount.timeouts] = counters.timeouts[host];
    row[HostCount.outOfOrder] = counters.outOfOrder[host];
    row[HostCount.duplicates] = counters.duplicates[host];
    row[HostCount.poolDrops] = counters.poolDrops[host];
    row[HostCount.messagesPosted] = counters.messagesPosted[host];
    row[HostCount.messagesCompleted] = counters.messagesCompleted[host];
    const isSampled = rtt.count[host] + pace.count[host] > 0;
    takeSamples(rtt, host, row, HostCount.rtt);
    takeSamples(pace, host, row, HostCount.pace);
    this.hosts.note(interval, host, isSampled);
  }
}

/** Moves the samples of a host into a row. */
function takeSamples(samples: Samples, host: number, row: Float64Array, at: number): void {
  row[at] = samples.count[host];
  row[at + 1] = samples.sum[host];
  row[at + 2] = samples.least[host];
  row[at + 3] = samples.greatest[host];
  samples.clear(host);
}
