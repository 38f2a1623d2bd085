import { collectiveName } from '../trace/collective-type.js';
import { collectiveHash } from './collective-hash.js';
import { always, integer, micros, text, type Table } from './record.js';

/**
 * `chakra-comm-collective-stats`: a row for each collective, by first start. Times of one that did not start, or of
 * which nothing arrived, are absent.
 */
export const chakraCommCollectiveStats: Table = {
  name: 'chakra-comm-collective-stats',
  applies: always,
  columns: () => [
    integer('collective_hash'),
    text('comm_type'),
    integer('comm_size'),
    text('pg_name'),
    integer('pg_size'),
    micros('simulation_start_time_us', ''),
    micros('simulation_end_time_us', ''),
    integer('use_max_as_collective_start_time'),
    integer('is_valid'),
  ],
  *rows({ collectives, useMaxAsStart }) {
    const reached = (timePs: number): number | null => (Number.isNaN(timePs) ? null : timePs);
    for (const { group, type, instance, size, groupSize, startPs, endPs, membersFinished } of collectives) {
      yield [
        collectiveHash(group, type, instance),
        collectiveName(type),
        size,
        group,
        groupSize,
        reached(startPs),
        reached(endPs),
        useMaxAsStart ? 1 : 0,
        membersFinished > 0 ? 1 : 0,
      ];
    }
  },
};
