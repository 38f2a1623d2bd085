import { Wiring, type Generator } from './generator.js';

/**
 * Groups of routers, fully meshed inside; every two groups have one link. Global port k of group i, on its router floor(k / h), goes to
 * port g − 2 − k of group (i + k + 1) mod g.
 */
export const dragonfly: Generator = {
  type: 'dragonfly',
  summary: 'groups of routers, meshed inside, with one link between every two groups',
  parameters: [
    { name: 'hostsPerRouter', describe: 'hosts on each router (p)', least: 1 },
    { name: 'routersPerGroup', describe: 'routers of a group (a)', least: 1 },
    { name: 'globalLinksPerRouter', describe: 'links of a router to other groups, at most (h)', least: 1 },
    { name: 'groupCount', describe: 'number of groups (g), at most a·h + 1', least: 1 },
  ],
  hasSecondTier: true,
  contradiction: ({ routersPerGroup: a, globalLinksPerRouter: h, groupCount: g }) =>
    g <= a * h + 1
      ? undefined
      : `groupCount ${g}: expected at most routersPerGroup · globalLinksPerRouter + 1 = ${a * h + 1}`,
  counts: ({ hostsPerRouter: p, routersPerGroup: a, groupCount: g }) => ({
    hosts: p * a * g,
    switches: a * g,
    links: p * a * g + (g * a * (a - 1)) / 2 + (g * (g - 1)) / 2,
  }),
  build: ({ hostsPerRouter: p, routersPerGroup: a, globalLinksPerRouter: h, groupCount: g }, rates) => {
    const wiring = new Wiring(rates);
    wiring.hosts(p * a * g);
    const first = wiring.switches('router', a * g, 2);
    for (let host = 0; host < p * a * g; host++) wiring.down(host, first + Math.floor(host / p));
    for (let group = 0; group < g; group++) {
      for (let from = 0; from < a; from++) {
        for (let to = from + 1; to < a; to++) wiring.up(first + group * a + from, first + group * a + to);
      }
    }
    for (let group = 0; group < g; group++) {
      for (let port = 0; port <= g - 2; port++) {
        const other = (group + port + 1) % g;
        if (other < group) continue; // the other group has made this link
        wiring.up(first + group * a + Math.floor(port / h), first + other * a + Math.floor((g - 2 - port) / h));
      }
    }
    return wiring.topology();
  },
};
