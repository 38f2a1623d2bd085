/** The nodes and edges of an expanded InfraGraph, before what is no network is taken out. */
export interface Wires {
  readonly nodes: WireNode[];
  readonly edges: WireEdge[];
  /** Edges between two components that have one already. */
  repeated: number;
}

export interface WireNode {
  /** `host.0.nic.1`. */
  readonly name: string;
  /** A rank, a switch, or what joins them. */
  readonly role: 'rank' | 'switch' | 'transit';
  /** What the document calls it: `nic`, `cpu`, `port` … */
  readonly kind: string;
}

export interface WireEdge {
  a: number;
  b: number;
  /** `undefined` where no link on the way states it. */
  gbps: number | undefined;
  delayPs: number | undefined;
  /** Names of its links. */
  links: readonly string[];
  /** Those of them that state no bandwidth. */
  unrated: readonly string[];
}
