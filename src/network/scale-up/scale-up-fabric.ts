import { EventClass, eventOrder } from '../../kernel/event-queue.js';
import type { Kernel } from '../../kernel/kernel.js';
import { ByteRate } from '../byte-rate.js';
import type { TransferListener } from '../network.js';
import { beforeEndOfTime } from '../end-of-time.js';
import { LaneSide } from './lane-side.js';
import { PacketBatches } from './packet-batches.js';
import { PairLanes } from './pair-lanes.js';
import { PostedTransfers } from './posted-transfers.js';
import type { ScaleUpSpec } from './scale-up-spec.js';
import type { ScaleUpStats } from './scale-up-stats.js';

const KICK_ORDER = eventOrder(EventClass.kick, 0);

/**
 * The scale-up fabric of all groups (network-models section 10): packets are sent on a lane for each receiver, cross,
 * and are received on a lane for each sender. It loses nothing and holds any number of packets back.
 *
 * A run's events go in rounds of one instant: packets end, packets arrive, transfers are posted, then one kick starts
 * whatever can start on every rank (SU-9).
 */
export class ScaleUpFabric {
  readonly #kernel: Kernel;
  readonly #listener: TransferListener;
  readonly #stats: ScaleUpStats | undefined;
  readonly #groupOf: Int32Array;
  readonly #subgroupOf: Uint32Array;
  readonly #crossingPs: Float64Array; // [groups × 2] X inside a subgroup, then between subgroups

  readonly #pairs: PairLanes;
  readonly #transfers: PostedTransfers;
  readonly #batches = new PacketBatches();
  readonly #sending: LaneSide;
  readonly #receiving: LaneSide;

  readonly #onArrival: number;
  readonly #onAcknowledged: number;
  readonly #onKick: number;
  #kickScheduled = false;

  constructor(spec: ScaleUpSpec, kernel: Kernel, listener: TransferListener, stats?: ScaleUpStats) {
    this.#kernel = kernel;
    this.#listener = listener;
    this.#stats = stats;
    this.#groupOf = spec.groupOf;
    this.#subgroupOf = spec.subgroupOf;
    this.#crossingPs = Float64Array.from(
      spec.groups.flatMap(({ switchLatencyPs, cableLatencyPs }) => [
        switchLatencyPs + 2 * cableLatencyPs,
        3 * switchLatencyPs + 4 * cableLatencyPs,
      ]),
    );
    this.#pairs = new PairLanes(spec);
    this.#transfers = new PostedTransfers(spec.maxPayloadBytes, spec.headerBytes);

    // A bit is an eighth of a byte: size × 8000 / G ps, from the decimal G and not from a rounded G / 8.
    const rates = spec.groups.map(({ bandwidthGbps }) => new ByteRate(bandwidthGbps, 1n, 8n));
    const rateOf = Array.from(spec.groupOf, (group) => (group < 0 ? undefined : rates[group]));
    const onSent = kernel.addHandler((batch) => this.#endSend(batch));
    const onReceived = kernel.addHandler((batch) => this.#endReceive(batch));
    const side = (handler: number, firstEntity: number): LaneSide =>
      new LaneSide(kernel.queue, handler, firstEntity, rateOf, this.#transfers, this.#batches);
    this.#sending = side(onSent, 0);
    this.#receiving = side(onReceived, rateOf.length);
    this.#onArrival = kernel.addHandler((batch) => this.#arrive(batch));
    this.#onAcknowledged = kernel.addHandler((transfer) => listener.acknowledged(transfer, kernel.now));
    this.#onKick = kernel.addHandler(() => this.#kick());
  }

  /** Starts a transfer between two ranks of one group. */
  post(transfer: number, source: number, destination: number, bytes: number): void {
    let lane = this.#pairs.laneOf(source, destination);
    if (lane < 0) {
      lane = this.#pairs.open(source, destination);
      this.#sending.open(lane, source, destination, this.#subgroupOf[source] === this.#subgroupOf[destination] ? 0 : 1);
      this.#receiving.open(lane, destination, source, 0);
    }
    const slot = this.#transfers.add(transfer, bytes);
    this.#sending.append(lane, slot);
    this.#receiving.append(lane, slot);
    this.#sending.offer(lane, this.#transfers.packets[slot]);
    this.#scheduleKick();
  }

  #kick(): void {
    this.#kickScheduled = false;
    const { now } = this.#kernel;
    this.#sending.kick(now);
    this.#receiving.kick(now);
  }

  #scheduleKick(): void {
    if (this.#kickScheduled || !(this.#sending.kickDue || this.#receiving.kickDue)) return;
    this.#kickScheduled = true;
    this.#kernel.queue.push(this.#kernel.now, KICK_ORDER, this.#onKick, 0);
  }

  #endSend(batch: number): void {
    const sending = this.#sending;
    const batches = this.#batches;
    const { now, queue } = this.#kernel;
    const first = batches.lane[batches.first[batch]];
    const source = sending.owner(first);
    const crossing = this.#crossingPs[2 * this.#groupOf[source] + sending.crossing(first)];
    for (let entry = batches.first[batch]; entry >= 0; entry = batches.next[entry]) {
      this.#stats?.sent(source, batches.bytes[batch], now);
      const slot = sending.end(batches.lane[entry]);
      if (slot >= 0) this.#endTransfer(this.#transfers.transfer[slot], source, now, crossing);
    }
    queue.push(beforeEndOfTime(now + crossing), eventOrder(EventClass.arrival, source), this.#onArrival, batch);
    this.#scheduleKick();
  }

  /** Sent now, acknowledged one round trip of the crossing later (SU-8). */
  #endTransfer(transfer: number, source: number, now: number, crossing: number): void {
    const order = eventOrder(EventClass.completion, source);
    this.#kernel.queue.push(beforeEndOfTime(now + 2 * crossing), order, this.#onAcknowledged, transfer);
    this.#listener.sent(transfer, now);
  }

  #arrive(batch: number): void {
    const receiving = this.#receiving;
    const batches = this.#batches;
    for (let entry = batches.first[batch]; entry >= 0; entry = batches.next[entry]) {
      receiving.offer(batches.lane[entry], 1);
    }
    batches.remove(batch);
    this.#scheduleKick();
  }

  #endReceive(batch: number): void {
    const receiving = this.#receiving;
    const batches = this.#batches;
    const { now } = this.#kernel;
    const destination = receiving.owner(batches.lane[batches.first[batch]]);
    for (let entry = batches.first[batch]; entry >= 0; entry = batches.next[entry]) {
      this.#stats?.received(destination, batches.bytes[batch], now);
      const lane = batches.lane[entry];
      const slot = receiving.end(lane);
      if (slot < 0) continue;
      const transfer = this.#transfers.transfer[slot];
      this.#transfers.remove(slot);
      if (receiving.isDone(lane)) this.#pairs.close(lane, receiving.peer(lane), destination);
      this.#listener.received(transfer, now);
    }
    batches.remove(batch);
    this.#scheduleKick();
  }
}
