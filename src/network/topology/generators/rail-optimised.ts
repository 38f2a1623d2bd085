import { Wiring, type Generator } from './generator.js';

/**
 * Servers of GPUs, each GPU a host: GPU r of every server of a segment is on the segment's rail switch r, every rail switch goes to
 * every spine. Host id = server · GPUs + rail.
 */
export const railOptimised: Generator = {
  type: 'rail-optimised',
  summary: 'GPU r of every server on rail switch r of its segment, rails to spines',
  parameters: [
    { name: 'servers', describe: 'number of servers', least: 1 },
    { name: 'gpusPerServer', describe: 'GPUs of a server, each of them a host', least: 1 },
    { name: 'serversPerSegment', describe: 'servers that share rail switches', least: 1 },
    { name: 'spines', describe: 'number of spine switches', least: 1 },
  ],
  hasSecondTier: true,
  counts: (values) => {
    const { servers, gpusPerServer, spines } = values;
    const rails = gpusPerServer * segmentsOf(values);
    return {
      hosts: servers * gpusPerServer,
      switches: rails + spines,
      links: servers * gpusPerServer + rails * spines,
    };
  },
  build: (values, rates) => {
    const wiring = new Wiring(rates);
    const { servers, gpusPerServer, serversPerSegment, spines } = values;
    const rails = gpusPerServer * segmentsOf(values);
    wiring.hosts(servers * gpusPerServer);
    const firstRail = wiring.switches('rail', rails, 2);
    const firstSpine = wiring.switches('spine', spines, 1);
    for (let server = 0; server < servers; server++) {
      const firstOfSegment = firstRail + Math.floor(server / serversPerSegment) * gpusPerServer;
      for (let gpu = 0; gpu < gpusPerServer; gpu++) wiring.down(server * gpusPerServer + gpu, firstOfSegment + gpu);
    }
    for (let rail = 0; rail < rails; rail++) {
      for (let spine = 0; spine < spines; spine++) wiring.up(firstRail + rail, firstSpine + spine);
    }
    return wiring.topology();
  },
};

function segmentsOf({ servers, serversPerSegment }: Readonly<Record<string, number>>): number {
  return Math.ceil(servers / serversPerSegment);
}
