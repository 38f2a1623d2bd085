import type { Kernel } from '../../../kernel/kernel.js';
import { ecmpHash, fmix } from './ecmp-hash.js';
import type { HostSide } from './host-side.js';
import type { Packets } from './packets.js';
import type { PortNumbers } from './port-numbers.js';
import type { PortWheel } from './port-wheel.js';
import type { Routes } from './routes.js';
import * as packetRecord from './packet-record.js';
import * as portRecord from './port-record.js';
import { ENTITY_BITS, ENTITY_MASK, SPAN, WIDTH } from './port-wheel.js';
import { NO_WAY, oneMember } from './routes.js';

// As constants of the module: the optimiser folds them, and loads imported ones each time.
const { BYTES, DEPARTURE, DESTINATION, HASH, KIND, NEXT, PACKET_DOUBLES, PACKET_INTEGERS, PacketKind } = packetRecord;
const {
  BYTES_SENT,
  CONTROL,
  DATA,
  DELAY,
  FLIGHT_HEAD,
  FLIGHT_TAIL,
  FREE,
  HEAD,
  KMIN,
  LIMIT,
  MODE,
  PACKETS_SENT,
  PEAK,
  PEER,
  PORT_DOUBLES,
  PORT_INTEGERS,
  PortMode,
  RATE,
  SERVICE_BYTES,
  SERVICE_CLASS,
  TAIL,
  WAITING,
} = portRecord;

/** What the loop needs of the fabric: its memory, and what it does in the rare cases. */
export interface HopFabric {
  readonly wheel: PortWheel;
  readonly numbers: PortNumbers;
  readonly routes: Routes;
  readonly packets: Packets;
  readonly integers: Int32Array;
  readonly doubles: Float64Array;
  readonly serialPs: Float64Array;
  readonly serialStride: number;
  readonly nodeHash: Int32Array;
  readonly hosts: HostSide;
  reach(stopPs: number): number;
  precedesQueue(entity: number): boolean;
  end(port: number): void;
  settlePort(port: number, now: number): void;
  scheduleArrival(port: number, ingress: number, timePs: number): void;
  arrived(slot: number, ingress: number): void;
  forward(slot: number, ingress: number, node: number, now: number): void;
}

/**
 * The hot loop of a fabric whose switches are lazy: one function, so that the arrays it walks stay in registers. It does what
 * the fabric does for an arrival, in the usual case: a packet goes from one lazy port to another by the hash of its flow,
 * finds room, and meets no marking, loss or PFC. All else it hands to the fabric.
 */
export class LazyHops {
  readonly #fabric: HopFabric;
  readonly #kernel: Kernel;
  /** Whether every packet has to be seen by the fabric when it is put into a queue. */
  readonly #isPlain: boolean;

  constructor(fabric: HopFabric, kernel: Kernel, isPlain: boolean) {
    this.#fabric = fabric;
    this.#kernel = kernel;
    this.#isPlain = isPlain;
  }

  /** Handles events of the wheel as long as they precede those of the queue and do not lie after `stopPs`. */
  run(stopPs: number): void {
    const fabric = this.#fabric;
    const kernel = this.#kernel;
    const { queue } = kernel;
    const { wheel, integers, doubles, serialPs, serialStride, nodeHash, hosts, routes } = fabric;
    const { nodeOf } = fabric.numbers;
    const { goalOf, rowOf, sets, lastHop } = routes;
    const pool = fabric.packets;
    const ports = fabric.numbers.count;
    const isPlain = this.#isPlain;
    let packets = pool.integers;
    let departures = pool.doubles;
    let limit = fabric.reach(stopPs);
    let events = 0;
    for (;;) {
      if (wheel.runNext === wheel.runLength && !wheel.open(limit)) break;
      const key = wheel.run[wheel.runNext];
      const now = wheel.runStart + (key >> ENTITY_BITS);
      const entity = key & ENTITY_MASK;
      if (now > limit) break;
      if (now === limit) {
        queue.advance(now);
        if (!fabric.precedesQueue(entity)) break;
      }
      wheel.runNext++;
      queue.time = now;
      events++;
      if (entity < ports) {
        fabric.end(entity);
        packets = pool.integers;
        departures = pool.doubles;
        limit = fabric.reach(stopPs);
        continue;
      }

      // The first frame of a link arrives.
      const ingress = entity - ports;
      const port = integers[ingress * PORT_INTEGERS + PEER];
      const at = port * PORT_INTEGERS;
      const record = port * PORT_DOUBLES;
      if (
        doubles[record + FREE] <= now &&
        integers[at + MODE] === PortMode.lazy &&
        (integers[at + HEAD] >= 0 || integers[at + HEAD + 2] >= 0)
      ) {
        fabric.settlePort(port, now);
      }
      const slot = integers[at + FLIGHT_HEAD];
      const packet = slot * PACKET_INTEGERS;
      const next = packets[packet + NEXT];
      integers[at + FLIGHT_HEAD] = next;
      if (next < 0) {
        integers[at + FLIGHT_TAIL] = -1;
      } else {
        const arrival = departures[next * PACKET_DOUBLES + DEPARTURE] + doubles[record + DELAY];
        const from = arrival - wheel.runStart;
        if (from < SPAN && from >= WIDTH) wheel.add(entity, arrival, from);
        else {
          fabric.scheduleArrival(port, ingress, arrival);
          limit = fabric.reach(stopPs);
        }
      }
      const node = nodeOf[ingress];
      const kind = packets[packet + KIND];
      const destination = packets[packet + DESTINATION];
      if (!isPlain || kind === PacketKind.pfc) {
        fabric.arrived(slot, ingress);
      } else if (destination === node) {
        hosts.consume(slot, ingress);
      } else {
        // It is forwarded.
        const goal = goalOf[destination];
        const set = node === goal ? lastHop[destination] : sets[rowOf[goal] + node];
        let egress = oneMember(set);
        if (egress < 0) {
          if (set <= NO_WAY || set === -1) {
            fabric.forward(slot, ingress, node, now);
            packets = pool.integers;
            departures = pool.doubles;
            limit = fabric.reach(stopPs);
            continue;
          }
          const { memberStart, members } = routes;
          const first = memberStart[set];
          const count = memberStart[set + 1] - first;
          const hash = nodeHash[node] ^ packets[packet + HASH];
          egress =
            members[first + ((count & (count - 1)) === 0 ? fmix(hash) & (count - 1) : ecmpHash(hash, 0) % count)];
        }
        const out = egress * PORT_INTEGERS;
        const outRecord = egress * PORT_DOUBLES;
        if (integers[out + MODE] === PortMode.lazy) {
          if (doubles[outRecord + FREE] <= now && (integers[out + HEAD] >= 0 || integers[out + HEAD + 2] >= 0)) {
            fabric.settlePort(egress, now);
          }
          const packetClass = kind === PacketKind.data ? DATA : CONTROL;
          const bytes = packets[packet + BYTES];
          const waiting = doubles[outRecord + WAITING + packetClass];
          if (doubles[outRecord + FREE] > now) {
            const queued =
              waiting + bytes + (integers[out + SERVICE_CLASS] === packetClass ? integers[out + SERVICE_BYTES] : 0);
            if (queued <= doubles[outRecord + LIMIT + packetClass]) {
              if (queued > doubles[outRecord + PEAK + packetClass]) doubles[outRecord + PEAK + packetClass] = queued;
              doubles[outRecord + WAITING + packetClass] = waiting + bytes;
              const list = out + 2 * packetClass;
              packets[packet + NEXT] = -1;
              const tail = integers[list + TAIL];
              if (tail < 0) integers[list + HEAD] = slot;
              else packets[tail * PACKET_INTEGERS + NEXT] = slot;
              integers[list + TAIL] = slot;
              continue;
            }
          } else if (bytes < doubles[outRecord + KMIN] && bytes <= doubles[outRecord + LIMIT + packetClass]) {
            if (bytes > doubles[outRecord + PEAK + packetClass]) doubles[outRecord + PEAK + packetClass] = bytes;
            const departure = now + serialPs[integers[out + RATE] * serialStride + bytes];
            departures[slot * PACKET_DOUBLES + DEPARTURE] = departure;
            doubles[outRecord + FREE] = departure;
            integers[out + SERVICE_BYTES] = bytes;
            integers[out + SERVICE_CLASS] = packetClass;
            doubles[outRecord + PACKETS_SENT]++;
            doubles[outRecord + BYTES_SENT] += bytes;
            packets[packet + NEXT] = -1;
            const tail = integers[out + FLIGHT_TAIL];
            integers[out + FLIGHT_TAIL] = slot;
            if (tail >= 0) {
              packets[tail * PACKET_INTEGERS + NEXT] = slot;
              continue;
            }
            integers[out + FLIGHT_HEAD] = slot;
            const arrival = departure + doubles[outRecord + DELAY];
            const from = arrival - wheel.runStart;
            const beyond = integers[out + PEER];
            if (from < SPAN && from >= WIDTH) wheel.add(ports + beyond, arrival, from);
            else {
              fabric.scheduleArrival(egress, beyond, arrival);
              limit = fabric.reach(stopPs);
            }
            continue;
          }
        }
        fabric.forward(slot, ingress, node, now);
      }
      packets = pool.integers;
      departures = pool.doubles;
      limit = fabric.reach(stopPs);
    }
    kernel.events += events;
  }
}
