import { grown } from '../../base/grown.js';
import { byGroup } from '../by-group.js';

/** Kinds of operations, as the binary form numbers them (exchange-formats 2.2). */
export const GoalKind = { send: 1, receive: 2, calc: 3 } as const;

/** Any source as a peer, any tag as a tag. */
export const ANY = 0xffffffff;

/** Cpus and nics of a rank: an index is a byte. */
export const MOST_INDICES = 256;

/** One rank of a GOAL schedule (exchange-formats 1.3): an operation is its index, in order of definition. */
export interface GoalRank {
  readonly length: number;
  readonly kind: Uint8Array; // [n] GoalKind
  readonly peer: Uint32Array; // [n] rank; ANY for a receive from any source; 0 for calc
  readonly amount: Float64Array; // [n] bytes; of calc ns
  readonly tag: Uint32Array; // [n] ANY for a receive of any tag; 0 for calc
  readonly cpu: Uint8Array; // [n]
  readonly nic: Uint8Array; // [n] 0 for calc
  readonly requiresStart: Uint32Array; // [n + 1] first place of each operation in requires
  readonly requires: Uint32Array; // operations that have to have finished
  readonly irequiresStart: Uint32Array; // [n + 1]
  readonly irequires: Uint32Array; // operations that have to have started
}

/** A schedule whose ranks are read when somebody asks for them. */
export interface GoalSchedule {
  readonly rankCount: number;
  rank(rank: number): GoalRank;
}

/** Grows the columns of a {@link GoalRank}. Dependencies can be added in any order, also before their operations. */
export class GoalRankBuilder {
  length = 0;
  #capacity = 0;
  #kind = new Uint8Array(0);
  #peer = new Uint32Array(0);
  #amount = new Float64Array(0);
  #tag = new Uint32Array(0);
  #cpu = new Uint8Array(0);
  #nic = new Uint8Array(0);
  readonly #requires = new EdgeList();
  readonly #irequires = new EdgeList();

  constructor(operations = 16) {
    this.#reserve(operations);
  }

  /** Adds an operation and gives its index. */
  add(kind: number, peer: number, amount: number, tag: number, cpu: number, nic: number): number {
    if (this.length === this.#capacity) this.#reserve(2 * this.#capacity);
    const index = this.length++;
    this.#kind[index] = kind;
    this.#peer[index] = peer;
    this.#amount[index] = amount;
    this.#tag[index] = tag;
    this.#cpu[index] = cpu;
    this.#nic[index] = nic;
    return index;
  }

  /** `operation requires other` */
  require(operation: number, other: number): void {
    this.#requires.add(operation, other);
  }

  /** `operation irequires other` */
  irequire(operation: number, other: number): void {
    this.#irequires.add(operation, other);
  }

  /** The finished rank; the builder is used up. */
  finish(): GoalRank {
    const { length } = this;
    const [requiresStart, requires] = this.#requires.byOperation(length);
    const [irequiresStart, irequires] = this.#irequires.byOperation(length);
    return {
      length,
      kind: this.#kind.subarray(0, length),
      peer: this.#peer.subarray(0, length),
      amount: this.#amount.subarray(0, length),
      tag: this.#tag.subarray(0, length),
      cpu: this.#cpu.subarray(0, length),
      nic: this.#nic.subarray(0, length),
      requiresStart,
      requires,
      irequiresStart,
      irequires,
    };
  }

  #reserve(operations: number): void {
    this.#capacity = Math.max(16, operations);
    this.#kind = grown(this.#kind, this.#capacity);
    this.#peer = grown(this.#peer, this.#capacity);
    this.#amount = grown(this.#amount, this.#capacity);
    this.#tag = grown(this.#tag, this.#capacity);
    this.#cpu = grown(this.#cpu, this.#capacity);
    this.#nic = grown(this.#nic, this.#capacity);
  }
}

/** Pairs of an operation and one it waits for. */
class EdgeList {
  #length = 0;
  #operation = new Uint32Array(0);
  #other = new Uint32Array(0);

  add(operation: number, other: number): void {
    if (this.#length === this.#operation.length) {
      const capacity = Math.max(16, 2 * this.#length);
      this.#operation = grown(this.#operation, capacity);
      this.#other = grown(this.#other, capacity);
    }
    this.#operation[this.#length] = operation;
    this.#other[this.#length++] = other;
  }

  /** The others of each operation, ascending: both forms of one schedule give the same rank. */
  byOperation(operations: number): [start: Uint32Array, others: Uint32Array] {
    const length = this.#length;
    const [, operation] = byGroup(this.#other, this.#operation, length, operations);
    const [, other] = byGroup(this.#other, this.#other, length, operations);
    return byGroup(operation, other, length, operations);
  }
}
