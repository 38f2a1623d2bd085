import { topologyReport } from '../../src/records/topology-report.js';
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
