import { collectiveName } from '../trace/collective-type.js';
import { collectiveHash } from './collective-hash.js';
import { csvField, micros } from './number-formats.js';
import { CsvLines, type RecordFile } from './record.js';

const HEADER = [
  'collective_hash',
  'comm_type',
  'comm_size',
  'pg_name',
  'pg_size',
  'simulation_start_time_us',
  'simulation_end_time_us',
  'use_max_as_collective_start_time',
  'is_valid',
];

/**
 * `chakra-comm-collective-stats`: a row for each collective, by first start. Times of one that did not start, or
 * of which nothing arrived, are empty.
 */
export const chakraCommCollectiveStats: RecordFile = {
  name: 'chakra-comm-collective-stats',
  write({ collectives, useMaxAsStart }, write) {
    const lines = new CsvLines(write, HEADER);
    const time = (timePs: number): string => (Number.isNaN(timePs) ? '' : micros(timePs));
    for (const { group, type, instance, size, groupSize, startPs, endPs, membersFinished } of collectives) {
      lines.add(
        collectiveHash(group, type, instance),
        collectiveName(type),
        size,
        csvField(group),
        groupSize,
        time(startPs),
        time(endPs),
        useMaxAsStart ? 1 : 0,
        membersFinished > 0 ? 1 : 0,
      );
    }
    lines.end();
  },
};
