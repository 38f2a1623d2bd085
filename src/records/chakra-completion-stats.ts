import { always, integer, micros, text, type Table } from './record.js';

const PS_PER_MICRO = 1_000_000n;

/** `chakra-completion-stats`: a row for each rank in the order they ended; those that did not come last, by rank. */
export const chakraCompletionStats: Table = {
  name: 'chakra-completion-stats',
  applies: always,
  columns: () => [
    text('metric_path'),
    integer('chakra_app_logical_id'),
    micros('chakra_trace_completion_time_us'),
    integer('chakra_full_payload_bytes_sent'),
    integer('chakra_full_payload_bytes_received'),
    integer('num_chakra_sends_completed'),
    integer('num_chakra_receives_completed'),
    integer('num_chakra_sends_fully_acked'),
    integer('num_chakra_computations_completed'),
    micros('total_chakra_computation_time_us'),
    text('post_annotated_results_path'),
  ],
  *rows({ ranks, startPs, endPs, stopPs }, { prefix }) {
    const unfinishedPs = Number.isFinite(stopPs) ? stopPs : endPs;
    const inOrder = [
      ...ranks.filter(({ ended }) => ended).sort((a, b) => a.endPs - b.endPs || a.rank - b.rank),
      ...ranks.filter(({ ended }) => !ended),
    ];
    for (const rank of inOrder) {
      yield [
        'ChakraGenerator.ChakraApp',
        rank.rank,
        (rank.ended ? rank.endPs : unfinishedPs) - startPs,
        rank.bytesSent,
        rank.bytesReceived,
        rank.sends,
        rank.receives,
        rank.acknowledged,
        rank.computations,
        // A sum of durations may lie beyond the times of the run.
        BigInt(rank.computationMicros) * PS_PER_MICRO,
        postAnnotatedPath(prefix, rank.rank),
      ];
    }
  },
};

/** Where the annotated trace of a rank is, below the folder of the records. */
export function postAnnotatedPath(prefix: string, rank: number): string {
  return `post_annotated/${prefix}.${rank}.json`;
}
