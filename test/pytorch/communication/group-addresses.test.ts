import { groupsByAddress } from '../../../src/pytorch/communication/group-addresses.js';

const at = (handle: number, size = NaN) => ({ group: '', handle, size });

test('one address is all ranks', () => {
  const { groups, message } = groupsByAddress([at(94594108284448), at(94594108284448)], 8);
  expect(groups).toEqual(['', '']);
  expect(message).toBe('2 communications name their groups by address: 1 address, taken as all ranks');
});

test('one address with fewer members than ranks is a group of its own', () => {
  const { groups, message } = groupsByAddress([at(7, 2)], 8);
  expect(groups).toEqual(['unnamed-1']);
  expect(message).toBe('1 communication names its group by address: 1 address, named "unnamed-1" by first use');
});

test('several addresses are named in the order of their first use; the one of all ranks has no name', () => {
  const { groups, message } = groupsByAddress([at(30, 4), at(10, 8), at(30, 4), at(20, 2)], 8);
  expect(groups).toEqual(['unnamed-1', '', 'unnamed-1', 'unnamed-2']);
  expect(message).toBe(
    '4 communications name their groups by address: 3 addresses, named "unnamed-1" to "unnamed-2" by first use, 1 taken as all ranks',
  );
});

test('names are left alone', () => {
  expect(groupsByAddress([{ group: 'tp', handle: undefined, size: 2 }], 8)).toEqual({
    groups: ['tp'],
    message: undefined,
  });
});
