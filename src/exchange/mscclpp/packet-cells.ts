import type { LooseStep } from '../msccl/loose-steps.js';
import type { PlanOperand } from './plan.js';
import type { UnrolledPlan } from './unroll.js';

/** Packets in consecutive chunks that are read together: of one put of another gpu, or written by a step of the gpu itself. */
export interface PacketCell {
  readonly place: PlanOperand;
  /** The step that sends them, or writes them. */
  readonly step: LooseStep;
  readonly isRemote: boolean;
  /** Thread block that wrote, over all gpus, and what it knew. */
  readonly block: number;
  readonly clock: Int32Array;
  /** The step that received them first. */
  received: LooseStep | undefined;
}

/**
 * Packets of all gpus: what was written where. Each packet carries its own flag, so a reader waits for the packets of its chunks and
 * for nothing else.
 */
export class PacketCells {
  readonly #cells: Map<string, PacketCell>[]; // by gpu, by buffer and chunk
  readonly #cuts: Map<'i' | 'o' | 's', Set<number>>[]; // by gpu: chunks where some read of packets begins or ends

  constructor(ranks: number, { actions }: UnrolledPlan) {
    this.#cells = Array.from({ length: ranks }, () => new Map<string, PacketCell>());
    this.#cuts = Array.from({ length: ranks }, () => new Map());
    for (const { op, sources } of actions.flat(2)) {
      for (const { rank, buffer, offset, count } of packetSources(op.name, sources)) {
        const cuts = this.#cuts[rank].get(buffer) ?? new Set();
        this.#cuts[rank].set(buffer, cuts.add(offset).add(offset + count));
      }
    }
  }

  /** A place in parts, none of which is read in parts. */
  parts(place: PlanOperand): PlanOperand[] {
    const cuts = this.#cuts[place.rank].get(place.buffer);
    const parts: PlanOperand[] = [];
    let first = place.offset;
    const end = place.offset + place.count;
    for (let at = first + 1; at <= end; at++) {
      if (at < end && cuts?.has(at) !== true) continue;
      parts.push({ ...place, offset: first, count: at - first });
      first = at;
    }
    return parts;
  }

  /** @returns packets that nobody has read, and that are lost now */
  write(cell: PacketCell): PacketCell | undefined {
    let lost: PacketCell | undefined;
    const cells = this.#cells[cell.place.rank];
    for (let further = 0; further < cell.place.count; further++) {
      const key = `${cell.place.buffer}${cell.place.offset + further}`;
      const before = cells.get(key);
      if (before?.isRemote === true && before.received === undefined) lost = before;
      cells.set(key, cell);
    }
    return lost;
  }

  /** The packets of a place, each once in the order of chunks; undefined where some are not there yet. */
  read({ rank, buffer, offset, count }: PlanOperand): PacketCell[] | undefined {
    const found = new Set<PacketCell>();
    for (let further = 0; further < count; further++) {
      const cell = this.#cells[rank].get(`${buffer}${offset + further}`);
      if (cell === undefined) return undefined;
      found.add(cell);
    }
    return [...found];
  }

  /** Packets of other gpus that nobody has read. */
  unread(): PacketCell[] {
    const cells = this.#cells.flatMap((ofRank) => [...new Set(ofRank.values())]);
    return cells.filter(({ isRemote, received }) => isRemote && received === undefined);
  }
}

/** The operands of an op that it reads as packets. */
export function packetSources(name: string, sources: readonly PlanOperand[]): readonly PlanOperand[] {
  if (name === 'upkt' || name === 'rppkt') return sources;
  return ['repkt', 'recpkt', 'respkt', 'recspkt'].includes(name) ? sources.slice(1) : [];
}
