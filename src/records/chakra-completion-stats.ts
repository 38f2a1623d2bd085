import type { RankOutcome } from '../replay/outcome.js';
import { csvField, micros } from './number-formats.js';
import { CsvLines, type RecordFile } from './record.js';

const HEADER = [
  'metric_path',
  'chakra_app_logical_id',
  'chakra_trace_completion_time_us',
  'chakra_full_payload_bytes_sent',
  'chakra_full_payload_bytes_received',
  'num_chakra_sends_completed',
  'num_chakra_receives_completed',
  'num_chakra_sends_fully_acked',
  'num_chakra_computations_completed',
  'total_chakra_computation_time_us',
  'post_annotated_results_path',
];

/** `chakra-completion-stats`: a row for each rank in the order they ended; those that did not come last, by rank. */
export const chakraCompletionStats: RecordFile = {
  name: 'chakra-completion-stats',
  write({ ranks, endPs }, write, { prefix }) {
    const lines = new CsvLines(write, HEADER);
    const ended = (rank: RankOutcome): boolean => rank.state === 'finished';
    const rows = [
      ...ranks.filter(ended).sort((a, b) => a.endPs - b.endPs || a.rank - b.rank),
      ...ranks.filter((rank) => !ended(rank)),
    ];
    for (const rank of rows) {
      lines.add(
        'ChakraGenerator.ChakraApp',
        rank.rank,
        micros(ended(rank) ? rank.endPs : endPs),
        rank.bytesSent,
        rank.bytesReceived,
        rank.sends,
        rank.receives,
        rank.acknowledged,
        rank.computations,
        `${rank.computationMicros}.000000`,
        csvField(`post_annotated/${prefix}.${rank.rank}.json`),
      );
    }
    lines.end();
  },
};
