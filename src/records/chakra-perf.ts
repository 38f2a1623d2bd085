import { requestError } from '../base/errors.js';
import { collectiveName } from '../trace/collective-type.js';
import { applicationName } from './chakra-apps.js';
import { collectiveHash } from './collective-hash.js';
import { always, boolean, integer, micros, seconds, text, type Table } from './record.js';
import { timeUtc } from './run-facts.js';

/** `chakra-perf`: a row for each transfer, in the order of acknowledgment. */
export const chakraPerf: Table = {
  name: 'chakra-perf',
  applies: always,
  columns: () => [
    text('time_utc'),
    text('metric_name'),
    seconds('sim_time_sec'),
    micros('perf_metric_usec'),
    text('metric_path'),
    integer('metric_aggregation_id'),
    seconds('start_time_sec'),
    boolean('is_added_synchronization_flow'),
    integer('comm_tag'),
    integer('group_size'),
    integer('flow_comm_size'),
    text('sending_app_name'),
    text('receiving_app_name'),
  ],
  *rows(outcome, facts) {
    const { transferLog: log, collectives, stopPs } = outcome;
    if (log === undefined) {
      throw requestError('TRANSFERS_NOT_RECORDED', 'chakra-perf needs a run that kept its transfers (recordTransfers)');
    }
    const known = collectives.map(({ group, type, instance, groupSize, size }) => ({
      path: `ChakraFCT.${collectiveName(type)}.GroupSize${groupSize}.CommSize${size}Bytes`,
      hash: collectiveHash(group, type, instance),
      groupSize,
    }));
    const time = timeUtc(facts);
    for (const row of log.acknowledgedRows(stopPs)) {
      const collective = log.collective[row] < 0 ? undefined : known[log.collective[row]];
      yield [
        time,
        'ChakraFCT',
        log.acknowledged[row],
        log.acknowledged[row] - log.start[row],
        collective?.path ?? `ChakraFCT.Send.GroupSize0.CommSize${log.traceBytes[row]}Bytes`,
        collective?.hash ?? -1,
        log.start[row],
        log.addedSync[row] === 1,
        log.tag[row],
        collective?.groupSize ?? -1,
        log.bytes[row],
        applicationName(log.sender[row]),
        applicationName(log.receiver[row]),
      ];
    }
  },
};
