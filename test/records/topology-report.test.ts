import { topologyReport } from '../../src/records/topology-report.js';
import { IntervalStats } from '../../src/network/packet/counts/interval-stats.js';
import type { Topology } from '../../src/network/topology/topology.js';
import { packetSettings, packetTopology } from '../support/packet-runs.js';
import { factsOf, linesOf, mappedExample, runningExample } from '../support/records.js';

test('R-159 the mapping of section 4.1: 6 rows for group 0, 2 for group 1', () => {
  expect(linesOf(topologyReport, runningExample(), factsOf({ placement: mappedExample() }))).toEqual([
    'component_name,component_type,tier,subtier,node_id,net_device,dev_id,peer_component_name,peer_component_type,peer_tier,peer_subtier,peer_node_id,peer_net_device,peer_dev_id,linkspeed_Gbps,prop_delay_ns',
    'ScaleUpNpu-0,ScaleUpNpu,3,0,0,ChakraScaleUpNetDevice,0,ScaleUpSwitch-0-0,ScaleUpSwitch,2,0,,ScaleUpPort,0,800.000000,100.000',
    'ScaleUpNpu-1,ScaleUpNpu,3,0,1,ChakraScaleUpNetDevice,0,ScaleUpSwitch-0-0,ScaleUpSwitch,2,0,,ScaleUpPort,1,800.000000,100.000',
    'ScaleUpNpu-2,ScaleUpNpu,3,0,2,ChakraScaleUpNetDevice,0,ScaleUpSwitch-0-1,ScaleUpSwitch,2,0,,ScaleUpPort,0,800.000000,100.000',
    'ScaleUpNpu-3,ScaleUpNpu,3,0,3,ChakraScaleUpNetDevice,0,ScaleUpSwitch-0-1,ScaleUpSwitch,2,0,,ScaleUpPort,1,800.000000,100.000',
    'ScaleUpSwitch-0-0,ScaleUpSwitch,2,0,,ScaleUpPort,2,ScaleUpSpine-0,ScaleUpSpine,0,0,,ScaleUpPort,0,800.000000,100.000',
    'ScaleUpSwitch-0-1,ScaleUpSwitch,2,0,,ScaleUpPort,2,ScaleUpSpine-0,ScaleUpSpine,0,0,,ScaleUpPort,1,800.000000,100.000',
    'ScaleUpNpu-4,ScaleUpNpu,3,0,4,ChakraScaleUpNetDevice,0,ScaleUpSwitch-1-0,ScaleUpSwitch,2,0,,ScaleUpPort,0,800.000000,50.000',
    'ScaleUpNpu-5,ScaleUpNpu,3,0,5,ChakraScaleUpNetDevice,0,ScaleUpSwitch-1-0,ScaleUpSwitch,2,0,,ScaleUpPort,1,800.000000,50.000',
  ]);
});

test('R-159 speed and delay are the decimals of the mapping file', () => {
  const placement = mappedExample();
  const [, one] = placement.groups;
  const groups = [one, { ...one, bandwidthGbps: 0.0000005, cableLatencyPs: 33_500 }];
  const lines = linesOf(topologyReport, runningExample(), factsOf({ placement: { ...placement, groups } }));
  expect(lines.at(-1)!.split(',').slice(-2)).toEqual(['0.000001', '33.500']);
});

test('R-159 only a run with scale-up groups has the record', () => {
  expect(topologyReport.applies(runningExample(), factsOf())).toBe(false);
  expect(topologyReport.applies(runningExample(), factsOf({ placement: mappedExample() }))).toBe(true);
});

function packetOf(topology: Topology) {
  return { topology, settings: packetSettings(), stats: new IntervalStats(topology, 1_000_000_000) };
}

test('R-159 a row for each link of the packet network, in their order, before the cables', () => {
  const topology = packetTopology(2, 2, [
    [0, 2],
    [3, 1, { gbps: 0.1, delayPs: 1 }],
    [2, 3, { gbps: 800, delayPs: 33_500 }],
    [2, 3, { gbps: 800, delayPs: 33_500 }],
  ]);
  const facts = factsOf({ placement: mappedExample(), packet: packetOf(topology) });
  const [, ...lines] = linesOf(topologyReport, runningExample(), facts);
  expect(lines).toHaveLength(4 + 8);
  expect(lines.slice(0, 4)).toEqual([
    'h0,Nic,3,0,0,RoceNetDevice,0,s0,Switch,2,0,2,SwitchNetDevice,0,400.000000,500.000',
    's1,Switch,2,0,3,SwitchNetDevice,0,h1,Nic,3,0,1,RoceNetDevice,0,0.100000,0.001',
    's0,Switch,2,0,2,SwitchNetDevice,1,s1,Switch,2,0,3,SwitchNetDevice,1,800.000000,33.500',
    's0,Switch,2,0,2,SwitchNetDevice,2,s1,Switch,2,0,3,SwitchNetDevice,2,800.000000,33.500',
  ]);
  expect(topologyReport.applies(runningExample(), factsOf({ packet: packetOf(topology) }))).toBe(true);
});
