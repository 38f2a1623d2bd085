import { Wiring, type Generator } from './generator.js';

/** All hosts on one switch. */
export const singleSwitch: Generator = {
  type: 'single-switch',
  summary: 'all hosts on one switch',
  parameters: [{ name: 'hosts', describe: 'number of hosts', least: 1 }],
  hasSecondTier: false,
  counts: ({ hosts }) => ({ hosts, switches: 1, links: hosts }),
  build: ({ hosts }, rates) => {
    const wiring = new Wiring(rates);
    wiring.hosts(hosts);
    const only = wiring.switches('switch', 1, 2);
    for (let host = 0; host < hosts; host++) wiring.down(host, only);
    return wiring.topology();
  },
};
