import { always, integer, text, type Table } from './record.js';

const FIRST_ADDRESS = 0x0a000001; // 10.0.0.1

/** `chakra-mapping`: a row for each rank. The columns of the scale-up group are there where a rank has one. */
export const chakraMapping: Table = {
  name: 'chakra-mapping',
  applies: always,
  columns: ({ placement }) => [
    integer('ChakraId'),
    text('Hostname'),
    integer('NicNodeID'),
    integer('ServerNodeID'),
    integer('ServerID'),
    integer('Core'),
    text('IPAddress'),
    ...(placement.groups.length === 0 ? [] : [integer('ScaleUpGroupId', ''), integer('ScaleUpSubgroupId', '')]),
  ],
  *rows(_outcome, { placement }) {
    const { serverOf, groups, groupOf, subgroupOf } = placement;
    for (const [rank, { id, name, node, nicNode }] of serverOf.entries()) {
      const group = groupOf[rank];
      const inGroup = group < 0 ? [null, null] : [groups[group].id, subgroupOf[rank]];
      yield [rank, name, nicNode, node, id, 0, ipAddress(id), ...(groups.length === 0 ? [] : inGroup)];
    }
  },
};

/** 10.0.0.1 + the server id as one 32-bit number, which wraps around. */
function ipAddress(serverId: number): string {
  const address = (FIRST_ADDRESS + serverId) >>> 0;
  return [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255].join('.');
}
