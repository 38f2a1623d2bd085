import { chakraMapping } from '../../src/records/chakra-mapping.js';
import { factsOf, inOrder, linesOf, mappedExample, runningExample, server } from '../support/records.js';
import { placementOn } from '../support/packet-records.js';
import { singleSwitch } from '../support/packet-runs.js';

test('R-151 the mapping of section 4.1: rank 6 is in no group', () => {
  const lines = linesOf(chakraMapping, runningExample(), factsOf({ placement: mappedExample() }));
  expect(lines).toEqual([
    'ChakraId,Hostname,NicNodeID,ServerNodeID,ServerID,Core,IPAddress,ScaleUpGroupId,ScaleUpSubgroupId',
    '0,h0,0,0,0,0,10.0.0.1,0,0',
    '1,h1,1,1,1,0,10.0.0.2,0,0',
    '2,h2,2,2,2,0,10.0.0.3,0,1',
    '3,h3,3,3,3,0,10.0.0.4,0,1',
    '4,h4,4,4,4,0,10.0.0.5,1,0',
    '5,h5,5,5,5,0,10.0.0.6,1,0',
    '6,h6,6,6,6,0,10.0.0.7,,',
    '7,h7,7,7,7,0,10.0.0.8,,',
  ]);
});

test('R-151 the group is the id of the mapping file, not its place', () => {
  const { groups, ...placement } = mappedExample();
  const renamed = { ...placement, groups: groups.map((group) => ({ ...group, id: group.id + 40 })) };
  const lines = linesOf(chakraMapping, runningExample(), factsOf({ placement: renamed }));
  expect(lines[1]).toBe('0,h0,0,0,0,0,10.0.0.1,40,0');
  expect(lines[5]).toBe('4,h4,4,4,4,0,10.0.0.5,41,0');
});

test.each([
  [0, '10.0.0.1'],
  [254, '10.0.0.255'],
  [255, '10.0.1.0'],
  [300, '10.0.1.45'],
  // 10.0.0.1 is 167,772,161: the largest id wraps around to 167,772,161 + 4,294,967,294 − 2^32.
  [4_294_967_294, '9.255.255.255'],
])('R-151 the address of server %d is %s; without groups there are no group columns', (id, address) => {
  const placement = { ...inOrder(1), serverOf: [{ ...server(id), name: 'a,b', node: 8, nicNode: 9 }] };
  expect(linesOf(chakraMapping, runningExample(), factsOf({ placement }))).toEqual([
    'ChakraId,Hostname,NicNodeID,ServerNodeID,ServerID,Core,IPAddress',
    `0,"a,b",9,8,${id},0,${address}`,
  ]);
});

test('R-151 on a packet network: name and node id of the host in the topology', () => {
  const { nodes, links } = singleSwitch(2);
  // The switch is node 0.
  const topology = {
    nodes: [nodes[2], ...['a', 'b'].map((name) => ({ ...nodes[0], name }))],
    links: links.map((link, host) => ({ ...link, a: host + 1, b: 0 })),
  };
  const lines = linesOf(chakraMapping, runningExample(), factsOf({ placement: placementOn(topology) }));
  expect(lines.slice(1)).toEqual(['0,a,1,1,0,0,10.0.0.1', '1,b,2,2,1,0,10.0.0.2']);
});
