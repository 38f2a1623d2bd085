import { always, boolean, integer, type Table } from './record.js';

/** `chakra-capable-hosts`: a row for each server with a NIC, ascending id. A rank can run on every one of them. */
export const chakraCapableHosts: Table = {
  name: 'chakra-capable-hosts',
  applies: always,
  columns: () => [integer('Host'), boolean('ChakraCapable')],
  *rows(_outcome, { placement }) {
    for (const { id } of placement.servers) yield [id, true];
  },
};
