import { chakraCapableHosts } from '../../src/records/chakra-capable-hosts.js';
import { factsOf, inOrder, linesOf, runningExample, server } from '../support/records.js';

test('R-150 two servers', () => {
  expect(linesOf(chakraCapableHosts, runningExample())).toEqual(['Host,ChakraCapable', '0,true', '1,true']);
});

test('R-150 servers that no rank runs on are among them', () => {
  const placement = { ...inOrder(2), servers: [server(3), server(7), server(12)], serverOf: [server(3), server(12)] };
  const lines = linesOf(chakraCapableHosts, runningExample(), factsOf({ placement }));
  expect(lines.slice(1)).toEqual(['3,true', '7,true', '12,true']);
});
