import type { PacketNetworkSpec, PacketSettings, SwitchSettings } from '../settings/packet-settings.js';
import type { PortNumbers } from './port-numbers.js';
import { ecnThresholdsOf } from '../settings/ecn-thresholds.js';
import {
  BY_FREE_BYTES,
  CONTROL,
  DELAY,
  FLIGHT_HEAD,
  FLIGHT_TAIL,
  HEAD,
  KMAX,
  KMIN,
  LIMIT,
  LOSS,
  MODE,
  NODE,
  PEER,
  PMAX,
  PORT_DOUBLES,
  PORT_INTEGERS,
  PortMode,
  RATE,
  SERVICE_CLASS,
  TAIL,
  TO_HOST,
} from './port-record.js';

/** The records of all ports at the start of a run, and the rates that they number. */
export interface PortRecords {
  readonly integers: Int32Array;
  readonly doubles: Float64Array;
  /** [rates] Gbit/s */
  readonly gbps: readonly number[];
}

/**
 * Limit of the queue of a class at an egress (SW-3), bytes.
 * @param queueBytes of the link, undefined where the switch's limits hold
 */
export function egressLimitBytes(
  { trimming, egressLimitBytes, controlLimitBytes }: SwitchSettings,
  queueBytes: number | undefined,
  packetClass: number,
): number {
  if (packetClass === CONTROL) return trimming ? controlLimitBytes : (queueBytes ?? controlLimitBytes);
  return queueBytes ?? egressLimitBytes;
}

/**
 * Whether RxLatency is no part of the delays of links, since some of the frames that come into a host pass through it: frames for the
 * host itself then come in without it, and are looked at that much later.
 */
export function isRxApart({ routing, hosts }: PacketSettings): boolean {
  return routing.hostsForward && hosts.rxLatencyPs > 0;
}

/** @param isExplicit whether ends of serialisation are events at switches too */
export function portRecords(
  { topology, settings }: PacketNetworkSpec,
  ports: PortNumbers,
  isExplicit: boolean,
): PortRecords {
  const { switches, hosts } = settings;
  const integers = new Int32Array(ports.count * PORT_INTEGERS);
  const doubles = new Float64Array(integers.buffer);
  const rates = new Map<number, number>();
  const rxPs = isRxApart(settings) ? 0 : hosts.rxLatencyPs;
  for (let port = 0; port < ports.count; port++) {
    const at = port * PORT_INTEGERS;
    const record = port * PORT_DOUBLES;
    const { gbps, delayPs, loss, queueBytes } = topology.links[ports.linkOf[port]];
    const isHost = topology.nodes[ports.nodeOf[port]].kind === 'host';
    const isToHost = topology.nodes[ports.nodeOf[ports.peerOf[port]]].kind === 'host';
    if (!rates.has(gbps)) rates.set(gbps, rates.size);
    integers[at + NODE] = ports.nodeOf[port];
    integers[at + PEER] = ports.peerOf[port];
    for (const list of [FLIGHT_HEAD, FLIGHT_TAIL, SERVICE_CLASS]) integers[at + list] = -1;
    for (let queue = 0; queue < 3; queue++) {
      integers[at + HEAD + 2 * queue] = -1;
      integers[at + TAIL + 2 * queue] = -1;
    }
    integers[at + RATE] = rates.get(gbps)!;
    integers[at + MODE] = isHost ? PortMode.host : isExplicit ? PortMode.explicit : PortMode.lazy;
    integers[at + TO_HOST] = isToHost ? 1 : 0;
    doubles[record + DELAY] = delayPs + (isToHost ? rxPs : switches.latencyPs);
    for (let packetClass = 0; packetClass < 2; packetClass++) {
      doubles[record + LIMIT + packetClass] = egressLimitBytes(switches, queueBytes, packetClass);
    }
    if (switches.lossyAlpha !== undefined && queueBytes === undefined) doubles[record + LIMIT] = BY_FREE_BYTES;
    doubles[record + LOSS] = loss;
    const ecn = isHost ? undefined : ecnThresholdsOf(settings, gbps, isToHost);
    doubles[record + KMIN] = ecn?.kminBytes ?? Infinity;
    doubles[record + KMAX] = ecn?.kmaxBytes ?? Infinity;
    doubles[record + PMAX] = ecn?.pmax ?? 0;
  }
  return { integers, doubles, gbps: [...rates.keys()] };
}
