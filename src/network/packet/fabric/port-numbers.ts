import type { Topology } from '../../topology/topology.js';

/** The two ends of every link as numbers: by their node, ascending, then by the link. */
export class PortNumbers {
  readonly count: number;
  /** [nodes + 1] first port of each node. */
  readonly first: Int32Array;
  /** [ports] */
  readonly nodeOf: Int32Array;
  /** [ports] port at the other end. */
  readonly peerOf: Int32Array;
  /** [ports] index of the link. */
  readonly linkOf: Int32Array;

  constructor({ nodes, links }: Topology) {
    this.count = 2 * links.length;
    this.first = new Int32Array(nodes.length + 1);
    for (const { a, b } of links) {
      this.first[a + 1]++;
      this.first[b + 1]++;
    }
    for (let node = 0; node < nodes.length; node++) this.first[node + 1] += this.first[node];
    this.nodeOf = new Int32Array(this.count);
    this.peerOf = new Int32Array(this.count);
    this.linkOf = new Int32Array(this.count);
    const next = this.first.slice();
    for (const [link, { a, b }] of links.entries()) {
      const atA = next[a]++;
      const atB = next[b]++;
      this.nodeOf[atA] = a;
      this.nodeOf[atB] = b;
      this.peerOf[atA] = atB;
      this.peerOf[atB] = atA;
      this.linkOf[atA] = link;
      this.linkOf[atB] = link;
    }
  }
}
