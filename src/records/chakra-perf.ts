import { requestError } from '../base/errors.js';
import { collectiveName } from '../trace/collective-type.js';
import { collectiveHash } from './collective-hash.js';
import { micros, seconds } from './number-formats.js';
import { CsvLines, type RecordFile } from './record.js';

const HEADER = [
  'time_utc',
  'metric_name',
  'sim_time_sec',
  'perf_metric_usec',
  'metric_path',
  'metric_aggregation_id',
  'start_time_sec',
  'is_added_synchronization_flow',
  'comm_tag',
  'group_size',
  'flow_comm_size',
  'sending_app_name',
  'receiving_app_name',
];

/** A constant, so that equal runs give equal files. */
const TIME_UTC = '1970-01-01T00:00:00Z';

/** `chakra-perf`: a row for each transfer, in the order of acknowledgment. */
export const chakraPerf: RecordFile = {
  name: 'chakra-perf',
  write(outcome, write) {
    const { transferLog: log, collectives, stopPs } = outcome;
    if (log === undefined) {
      throw requestError('TRANSFERS_NOT_RECORDED', 'chakra-perf needs a run that kept its transfers (recordTransfers)');
    }
    const known = collectives.map(({ group, type, instance, groupSize, size }) => ({
      path: `ChakraFCT.${collectiveName(type)}.GroupSize${groupSize}.CommSize${size}Bytes`,
      hash: collectiveHash(group, type, instance),
      groupSize,
    }));
    const lines = new CsvLines(write, HEADER);
    for (const row of log.acknowledgedRows(stopPs)) {
      const bytes = log.bytes[row];
      const collective = log.collective[row] < 0 ? undefined : known[log.collective[row]];
      lines.add(
        TIME_UTC,
        'ChakraFCT',
        seconds(log.acknowledged[row]),
        micros(log.acknowledged[row] - log.start[row]),
        collective?.path ?? `ChakraFCT.Send.GroupSize0.CommSize${bytes}Bytes`,
        collective?.hash ?? -1,
        seconds(log.start[row]),
        log.addedSync[row] === 1 ? 'true' : 'false',
        log.tag[row],
        collective?.groupSize ?? -1,
        bytes,
        `ChakraApp-${log.sender[row]}`,
        `ChakraApp-${log.receiver[row]}`,
      );
    }
    lines.end();
  },
};
