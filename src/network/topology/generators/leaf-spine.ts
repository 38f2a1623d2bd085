import { Wiring, type Generator } from './generator.js';

/** Two tiers: host h on leaf floor(h / H), every leaf to every spine. */
export const leafSpine: Generator = {
  type: 'leaf-spine',
  summary: 'hosts on leaves, every leaf to every spine',
  parameters: [
    { name: 'leaves', describe: 'number of leaf switches', least: 1 },
    { name: 'spines', describe: 'number of spine switches', least: 1 },
    { name: 'hostsPerLeaf', describe: 'hosts on each leaf', least: 1 },
    { name: 'linksPerSpine', describe: 'links from each leaf to each spine', least: 1, otherwise: 1 },
  ],
  hasSecondTier: true,
  counts: ({ leaves, spines, hostsPerLeaf, linksPerSpine }) => ({
    hosts: leaves * hostsPerLeaf,
    switches: leaves + spines,
    links: leaves * hostsPerLeaf + leaves * spines * linksPerSpine,
  }),
  build: ({ leaves, spines, hostsPerLeaf, linksPerSpine }, rates) => {
    const wiring = new Wiring(rates);
    const hosts = leaves * hostsPerLeaf;
    wiring.hosts(hosts);
    const firstLeaf = wiring.switches('leaf', leaves, 2);
    const firstSpine = wiring.switches('spine', spines, 1);
    for (let host = 0; host < hosts; host++) wiring.down(host, firstLeaf + Math.floor(host / hostsPerLeaf));
    for (let leaf = 0; leaf < leaves; leaf++) {
      for (let spine = 0; spine < spines; spine++) {
        for (let i = 0; i < linksPerSpine; i++) wiring.up(firstLeaf + leaf, firstSpine + spine);
      }
    }
    return wiring.topology();
  },
};
