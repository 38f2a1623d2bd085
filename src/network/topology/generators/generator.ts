import { MOST_LINKS, MOST_NODES } from '../malformed.js';
import type { NodeKind, Topology, TopologyLink, TopologyNode } from '../topology.js';

/** One whole number that a generator takes. */
export interface Parameter {
  /** As JSON has it; the flag is the same in small letters with hyphens. */
  readonly name: string;
  /** What it counts, for help and messages. */
  readonly describe: string;
  readonly least: number;
  /** Taken where it is left out; without one it must be given. */
  readonly otherwise?: number;
}

/** Values of the parameters by name. */
export type Values = Readonly<Record<string, number>>;

/** Rates and delays: of links to hosts, and between switches. */
export interface LinkRates {
  readonly gbps: number;
  readonly delayPs: number;
  readonly upGbps: number;
  readonly upDelayPs: number;
}

export interface Counts {
  readonly hosts: number;
  readonly switches: number;
  readonly links: number;
}

/** A kind of topology that is made of a few numbers (TOPO-5). */
export interface Generator {
  readonly type: string;
  /** One line for the help. */
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** Whether there are links between switches, for `upGbps` and `upDelayNs`. */
  readonly hasSecondTier: boolean;
  /** What is wrong with values that are in range each by itself; `undefined` for nothing. */
  contradiction?(values: Values): string | undefined;
  /** Closed forms of the table of TOPO-5. */
  counts(values: Values): Counts;
  build(values: Values, rates: LinkRates): Topology;
}

/** Collects nodes and links of a generated topology: hosts first, then switches tier by tier. */
export class Wiring {
  readonly nodes: TopologyNode[] = [];
  readonly links: TopologyLink[] = [];

  constructor(readonly rates: LinkRates) {}

  /** Adds `h0`, `h1` … @returns the id of the first */
  hosts(count: number): number {
    return this.#add('host', 'h', count, 3);
  }

  /** Adds switches, such as `leaf0`, `leaf1` … @returns the id of the first */
  switches(name: string, count: number, tier: number): number {
    return this.#add('switch', name, count, tier);
  }

  /** A link between a host and a switch. */
  down(a: number, b: number): void {
    const { gbps, delayPs } = this.rates;
    this.links.push({ a, b, gbps, delayPs, loss: 0, plane: 0 });
  }

  /** A link between two switches. */
  up(a: number, b: number): void {
    const { upGbps, upDelayPs } = this.rates;
    this.links.push({ a, b, gbps: upGbps, delayPs: upDelayPs, loss: 0, plane: 0 });
  }

  topology(): Topology {
    return { nodes: this.nodes, links: this.links };
  }

  #add(kind: NodeKind, name: string, count: number, tier: number): number {
    const first = this.nodes.length;
    for (let i = 0; i < count; i++) this.nodes.push({ kind, name: `${name}${i}`, tier });
    return first;
  }
}

/** What is too large to be made; `undefined` for nothing. */
export function tooLarge({ hosts, switches, links }: Counts): string | undefined {
  if (hosts + switches > MOST_NODES) return `${hosts + switches} nodes, expected at most ${MOST_NODES}`;
  if (links > MOST_LINKS) return `${links} links, expected at most ${MOST_LINKS}`;
  return undefined;
}
