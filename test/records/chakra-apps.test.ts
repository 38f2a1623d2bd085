import { chakraApps } from '../../src/records/chakra-apps.js';
import { linesOf, runningExample } from '../support/records.js';

test('R-152 one application a rank (R-030)', () => {
  expect(linesOf(chakraApps, runningExample())).toEqual(['AppName,Core', 'ChakraApp-0,0', 'ChakraApp-1,0']);
});
