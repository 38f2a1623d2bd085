import { Wiring, type Generator } from './generator.js';

/**
 * k pods of k/2 edge and k/2 aggregation switches below (k/2)² core switches, all of k ports. Aggregation switch j of every
 * pod goes to the cores j·k/2 … j·k/2 + k/2 − 1.
 */
export const fatTree: Generator = {
  type: 'fat-tree',
  summary: 'three tiers of switches with k ports, without oversubscription',
  parameters: [{ name: 'k', describe: 'ports of a switch, an even number', least: 2 }],
  hasSecondTier: true,
  contradiction: ({ k }) => (k % 2 === 0 ? undefined : `k ${k}: expected an even number`),
  counts: ({ k }) => ({ hosts: k ** 3 / 4, switches: (5 * k ** 2) / 4, links: (3 * k ** 3) / 4 }),
  build: ({ k }, rates) => {
    const wiring = new Wiring(rates);
    const half = k / 2;
    wiring.hosts(k * half * half);
    const firstEdge = wiring.switches('edge', k * half, 2);
    const firstAggregation = wiring.switches('agg', k * half, 1);
    const firstCore = wiring.switches('core', half * half, 0);
    for (let host = 0; host < k * half * half; host++) wiring.down(host, firstEdge + Math.floor(host / half));
    for (let pod = 0; pod < k; pod++) {
      for (let edge = 0; edge < half; edge++) {
        for (let j = 0; j < half; j++) wiring.up(firstEdge + pod * half + edge, firstAggregation + pod * half + j);
      }
    }
    for (let pod = 0; pod < k; pod++) {
      for (let j = 0; j < half; j++) {
        for (let i = 0; i < half; i++) wiring.up(firstAggregation + pod * half + j, firstCore + j * half + i);
      }
    }
    return wiring.topology();
  },
};
