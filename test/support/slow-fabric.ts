import type { ScaleUpSpec } from '../../src/network/scale-up/scale-up-spec.js';
import type { PostedTransfer, TransferTimes } from './fabric-run.js';

interface Packet {
  readonly transfer: number;
  readonly bytes: number;
  readonly isLast: boolean;
}

interface Lane {
  readonly owner: number;
  readonly peer: number;
  readonly queue: Packet[];
  busy: boolean;
}

interface Event {
  readonly time: number;
  /** 0 ends of packets, 1 arrivals, 2 posts (SU-9). */
  readonly phase: number;
  readonly act: () => void;
}

/**
 * The scale-up fabric as the rules read, one packet at a time: an object a packet, a list of events searched for the
 * earliest, and every lane looked at whenever packets may start.
 */
export function slowFabric(spec: ScaleUpSpec, transfers: readonly PostedTransfer[]): TransferTimes[] {
  const times = transfers.map(() => ({ sent: NaN, received: NaN, acknowledged: NaN }));
  const events: Event[] = [];
  const sending: Lane[] = [];
  const receiving: Lane[] = [];
  const laneOf = (lanes: Lane[], owner: number, peer: number): Lane => {
    const found = lanes.find((lane) => lane.owner === owner && lane.peer === peer);
    if (found) return found;
    const lane = { owner, peer, queue: [], busy: false };
    lanes.push(lane);
    return lane;
  };
  let now = 0;

  const packetsOf = (transfer: number): Packet[] => {
    const packets: Packet[] = [];
    let left = transfers[transfer].bytes;
    do {
      const payload = Math.min(left, spec.maxPayloadBytes);
      left -= payload;
      packets.push({ transfer, bytes: payload + spec.headerBytes, isLast: left === 0 });
    } while (left > 0);
    return packets;
  };

  const startAll = (lanes: Lane[], onEnd: (lane: Lane, packet: Packet) => void): void => {
    for (const lane of lanes.filter(({ busy, queue }) => !busy && queue.length > 0)) {
      const n = lanes.filter(({ owner, busy, queue }) => owner === lane.owner && (busy || queue.length > 0)).length;
      const packet = lane.queue.shift()!;
      lane.busy = true;
      const { bandwidthGbps } = spec.groups[spec.groupOf[lane.owner]];
      const end = now + exactTime(packet.bytes, n, bandwidthGbps);
      const act = (): void => {
        lane.busy = false;
        onEnd(lane, packet);
      };
      events.push({ time: end, phase: 0, act });
    }
  };

  const onSent = ({ owner, peer }: Lane, packet: Packet): void => {
    const { switchLatencyPs: h, cableLatencyPs: c } = spec.groups[spec.groupOf[owner]];
    const crossing = spec.subgroupOf[owner] === spec.subgroupOf[peer] ? h + 2 * c : 3 * h + 4 * c;
    if (packet.isLast) {
      times[packet.transfer].sent = now;
      times[packet.transfer].acknowledged = now + 2 * crossing;
    }
    const act = (): void => void laneOf(receiving, peer, owner).queue.push(packet);
    events.push({ time: now + crossing, phase: 1, act });
  };
  const onReceived = (_lane: Lane, packet: Packet): void => {
    if (packet.isLast) times[packet.transfer].received = now;
  };

  for (const [transfer, { source, destination, at }] of transfers.entries()) {
    const act = (): void => void laneOf(sending, source, destination).queue.push(...packetsOf(transfer));
    events.push({ time: at, phase: 2, act });
  }
  while (events.length > 0) {
    let first = 0;
    for (const [place, { time, phase }] of events.entries()) {
      if (time < events[first].time || (time === events[first].time && phase < events[first].phase)) first = place;
    }
    const [event] = events.splice(first, 1);
    now = event.time;
    event.act();
    if (events.some(({ time }) => time === now)) continue;
    startAll(sending, onSent);
    startAll(receiving, onReceived);
  }
  return times;
}

/** ceil(bytes × 8000 × n / G) with G as the decimal it is written as. */
function exactTime(bytes: number, n: number, gbps: number): number {
  const [whole, fraction = ''] = String(gbps).split('.');
  const numerator = BigInt(bytes) * 8000n * BigInt(n) * 10n ** BigInt(fraction.length);
  const denominator = BigInt(whole + fraction);
  return Number((numerator + denominator - 1n) / denominator);
}
