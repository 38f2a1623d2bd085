import type { Topology } from '../topology/topology.js';
import type { PortNumbers } from './port-numbers.js';

const UNKNOWN = -1;
const FAR = 65_535; // hops

/**
 * Which ports of a node lead nearer to a host (RT-1, RT-2): all those to neighbours one hop nearer, by neighbour, then by link.
 * Sets of ports are numbered and shared. Distances are worked out for a goal when somebody first asks, and hosts behind one
 * link to the same switch have one goal, that switch.
 */
export class Routes {
  /** [sets + 1] where the members of a set begin. */
  readonly memberStart: number[] = [0];
  /** Ports. */
  readonly members: number[] = [];
  readonly #topology: Topology;
  readonly #ports: PortNumbers;
  readonly #hostsForward: boolean;
  readonly #goalOf: Int32Array; // [nodes] switch of a host with one link, else the host itself
  readonly #hops: (Uint16Array | undefined)[]; // [goals][nodes]
  readonly #sets: (Int32Array | undefined)[]; // [goals][nodes]
  readonly #lastHop: Int32Array; // [nodes] set of the port to a host with one link
  readonly #known = new Map<string, number>();

  constructor(topology: Topology, ports: PortNumbers, hostsForward: boolean) {
    const { nodes } = topology;
    this.#topology = topology;
    this.#ports = ports;
    this.#hostsForward = hostsForward;
    this.#hops = new Array<undefined>(nodes.length);
    this.#sets = new Array<undefined>(nodes.length);
    this.#lastHop = new Int32Array(nodes.length).fill(UNKNOWN);
    this.#goalOf = Int32Array.from(nodes, ({ kind }, node) => {
      const first = ports.first[node];
      if (kind !== 'host' || ports.first[node + 1] !== first + 1) return node;
      const neighbour = ports.nodeOf[ports.peerOf[first]];
      return nodes[neighbour].kind === 'host' ? node : neighbour;
    });
  }

  /** Set of the ports by which a packet for a host leaves `node`, which is another one; −1 where there is no way. */
  setOf(node: number, host: number): number {
    const goal = this.#goalOf[host];
    if (node === goal) {
      const set = this.#lastHop[host];
      return set === UNKNOWN ? this.#setLastHop(host) : set;
    }
    const sets = this.#sets[goal];
    const set = sets === undefined ? UNKNOWN : sets[node];
    return set === UNKNOWN ? this.#find(node, goal) : set < 0 ? -1 : set;
  }

  /** Ports of a set. */
  membersOf(set: number): number[] {
    return set < 0 ? [] : this.members.slice(this.memberStart[set], this.memberStart[set + 1]);
  }

  /** Links on the way between two hosts; undefined where there is none. */
  hops(source: number, destination: number): number | undefined {
    const goal = this.#goalOf[destination];
    const hops = this.#hopsTo(goal)[source];
    return hops === FAR ? undefined : hops + (goal === destination ? 0 : 1);
  }

  #setLastHop(host: number): number {
    const set = this.#setNumber([this.#ports.peerOf[this.#ports.first[host]]]);
    this.#lastHop[host] = set;
    return set;
  }

  #find(node: number, goal: number): number {
    const hops = this.#hopsTo(goal);
    const sets = (this.#sets[goal] ??= new Int32Array(hops.length).fill(UNKNOWN));
    const { first, peerOf, nodeOf } = this.#ports;
    const members: number[] = [];
    for (let port = first[node]; port < first[node + 1] && hops[node] !== FAR; port++) {
      const neighbour = nodeOf[peerOf[port]];
      if (hops[neighbour] === hops[node] - 1 && (neighbour === goal || this.#forwards(neighbour))) members.push(port);
    }
    members.sort((one, other) => nodeOf[peerOf[one]] - nodeOf[peerOf[other]] || one - other);
    sets[node] = members.length === 0 ? -2 : this.#setNumber(members);
    return members.length === 0 ? -1 : sets[node];
  }

  #setNumber(members: readonly number[]): number {
    const key = members.join();
    let set = this.#known.get(key);
    if (set === undefined) {
      set = this.memberStart.length - 1;
      this.members.push(...members);
      this.memberStart.push(this.members.length);
      this.#known.set(key, set);
    }
    return set;
  }

  #forwards(node: number): boolean {
    return this.#hostsForward || this.#topology.nodes[node].kind !== 'host';
  }

  /** Breadth first from the goal, over nodes that forward. */
  #hopsTo(goal: number): Uint16Array {
    const known = this.#hops[goal];
    if (known !== undefined) return known;
    const { first, peerOf, nodeOf } = this.#ports;
    const hops = new Uint16Array(this.#topology.nodes.length).fill(FAR);
    hops[goal] = 0;
    const queue = [goal];
    for (let next = 0; next < queue.length; next++) {
      const node = queue[next];
      if (node !== goal && !this.#forwards(node)) continue;
      for (let port = first[node]; port < first[node + 1]; port++) {
        const neighbour = nodeOf[peerOf[port]];
        if (hops[neighbour] !== FAR) continue;
        hops[neighbour] = hops[node] + 1;
        queue.push(neighbour);
      }
    }
    this.#hops[goal] = hops;
    return hops;
  }
}
