import { always, integer, text, type Table } from './record.js';

/** Name of the application that runs a rank. */
export function applicationName(rank: number): string {
  return `ChakraApp-${rank}`;
}

/** `chakra-apps`: a row for each rank. */
export const chakraApps: Table = {
  name: 'chakra-apps',
  applies: always,
  columns: () => [text('AppName'), integer('Core')],
  *rows({ ranks }) {
    for (const { rank } of ranks) yield [applicationName(rank), 0];
  },
};
