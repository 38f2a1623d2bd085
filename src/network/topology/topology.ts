/**
 * A network of hosts and switches, as the packet network simulates it (network-models section 2). Every reader and generator
 * ends in one.
 */
export interface Topology {
  /** Index is the node's id: 0 … nodes − 1. */
  readonly nodes: readonly TopologyNode[];
  /** Full duplex. Parallel links are links of their own, in the order of the description. */
  readonly links: readonly TopologyLink[];
}

export const NODE_KINDS = ['host', 'switch', 'nvswitch'] as const;
/** An `nvswitch` is routed as any other switch. */
export type NodeKind = (typeof NODE_KINDS)[number];

export interface TopologyNode {
  readonly kind: NodeKind;
  readonly name: string;
  /** 0 spine, 1 fabric, 2 rack, 3 host. */
  readonly tier: number;
}

export interface TopologyLink {
  /** Ids of the nodes at its ends. */
  readonly a: number;
  readonly b: number;
  /** Of each direction, Gbit/s: a double that prints as the decimal that is meant. */
  readonly gbps: number;
  /** Propagation delay, ps. */
  readonly delayPs: number;
  /** Probability that a frame is lost, in each direction, from 0 to below 1. */
  readonly loss: number;
  readonly plane: number;
  /** Limit of the queue at each egress, bytes; undefined where the switch's own limit holds. */
  readonly queueBytes?: number | undefined;
}

/** Ids of the hosts, ascending: rank r without a mapping is on the r-th. */
export function hostsOf({ nodes }: Topology): number[] {
  return nodes.flatMap(({ kind }, id) => (kind === 'host' ? [id] : []));
}
