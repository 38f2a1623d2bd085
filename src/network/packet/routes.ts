import { grouped } from '../../base/counts.js';
import { requestError, type PrepError } from '../../base/errors.js';
import type { Topology } from '../topology/topology.js';
import type { PortNumbers } from './port-numbers.js';

const UNKNOWN = -1;
export const NO_WAY = -2;

/** The port of a set that has just one, negative for another set. Such a set is numbered −3 − port. */
export function oneMember(set: number): number {
  return -3 - set;
}
const FAR = 65_535; // hops
/** From every node to every goal: 1 GiB. */
const MOST_ROUTES = 2 ** 28;

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
  readonly goalOf: Int32Array; // [nodes] switch of a host with one link, else the host itself
  readonly rowOf: Int32Array; // [nodes] where the sets of a goal begin, −1 for what is none
  readonly #hops: (Uint16Array | undefined)[]; // [goals][nodes]
  readonly sets: Int32Array; // [goals × nodes]
  readonly lastHop: Int32Array; // [nodes] set of the port to a host with one link
  readonly #known = new Map<string, number>();

  /** @throws PrepError `NETWORK_TOO_LARGE` for more than 2^28 routes */
  constructor(topology: Topology, ports: PortNumbers, hostsForward: boolean) {
    const { nodes } = topology;
    this.#topology = topology;
    this.#ports = ports;
    this.#hostsForward = hostsForward;
    this.#hops = new Array<undefined>(nodes.length);
    this.lastHop = new Int32Array(nodes.length).fill(UNKNOWN);
    this.goalOf = Int32Array.from(nodes, ({ kind }, node) => {
      const first = ports.first[node];
      if (kind !== 'host' || ports.first[node + 1] !== first + 1) return node;
      const neighbour = ports.nodeOf[ports.peerOf[first]];
      return nodes[neighbour].kind === 'host' ? node : neighbour;
    });
    this.rowOf = new Int32Array(nodes.length).fill(-1);
    let goals = 0;
    for (const [node, { kind }] of nodes.entries()) {
      if (kind === 'host' && this.rowOf[this.goalOf[node]] < 0) this.rowOf[this.goalOf[node]] = goals++ * nodes.length;
    }
    const size = goals * nodes.length;
    if (size > MOST_ROUTES) throw routesTooMany(goals, nodes.length);
    this.sets = new Int32Array(size).fill(UNKNOWN);
  }

  /** Set of the ports by which a packet for a host leaves `node`, which is another one; {@link NO_WAY} where there is none. */
  setOf(node: number, host: number): number {
    const goal = this.goalOf[host];
    if (node === goal) {
      const set = this.lastHop[host];
      return set === UNKNOWN ? this.#setLastHop(host) : set;
    }
    const set = this.sets[this.rowOf[goal] + node];
    return set === UNKNOWN ? this.#find(node, goal) : set;
  }

  /** Ports of a set. */
  membersOf(set: number): number[] {
    if (set < 0) return oneMember(set) < 0 ? [] : [oneMember(set)];
    return this.members.slice(this.memberStart[set], this.memberStart[set + 1]);
  }

  /** Links on the way between two hosts; undefined where there is none. */
  hops(source: number, destination: number): number | undefined {
    const goal = this.goalOf[destination];
    const hops = this.#hopsTo(goal)[source];
    return hops === FAR ? undefined : hops + (goal === destination ? 0 : 1);
  }

  #setLastHop(host: number): number {
    const set = this.#setNumber([this.#ports.peerOf[this.#ports.first[host]]]);
    this.lastHop[host] = set;
    return set;
  }

  #find(node: number, goal: number): number {
    const hops = this.#hopsTo(goal);
    const { first, peerOf, nodeOf } = this.#ports;
    const members: number[] = [];
    for (let port = first[node]; port < first[node + 1] && hops[node] !== FAR; port++) {
      const neighbour = nodeOf[peerOf[port]];
      if (hops[neighbour] === hops[node] - 1 && (neighbour === goal || this.#forwards(neighbour))) members.push(port);
    }
    members.sort((one, other) => nodeOf[peerOf[one]] - nodeOf[peerOf[other]] || one - other);
    const set = members.length === 0 ? NO_WAY : this.#setNumber(members);
    this.sets[this.rowOf[goal] + node] = set;
    return set;
  }

  #setNumber(members: readonly number[]): number {
    if (members.length === 1) return -3 - members[0];
    const key = members.join();
    let set = this.#known.get(key);
    if (set === undefined) {
      set = this.memberStart.length - 1;
      for (const member of members) this.members.push(member);
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

function routesTooMany(goals: number, nodes: number): PrepError {
  const routes = `${grouped(goals * nodes)} routes, from ${grouped(nodes)} nodes to ${grouped(goals)} places of hosts`;
  return requestError(
    'NETWORK_TOO_LARGE',
    `packet network: ${routes}; expected at most ${grouped(MOST_ROUTES)}`,
    'leave hosts out that have no rank; hosts with one link share the place of their switch',
  );
}
