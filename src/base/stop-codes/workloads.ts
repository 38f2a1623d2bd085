import type { StopEntry } from './entry.js';

/** Text workloads and generated ones. */
export const WORKLOADS_STOPS = {
  WORKLOAD_MALFORMED: {
    exitStatus: 3,
    title: 'a text workload cannot be read',
    meaning:
      'A place of the file, named with line and column, is not what stands there in a text workload: an unknown mode or collective type, a number that is none, too few columns.',
    remedy: ['Correct the place that the message names; docs/converters.md has the form.'],
    advice: 'correct the place named',
  },
  WORKLOAD_RANKS: {
    exitStatus: 2,
    title: 'the ranks of a text workload do not fill its groups',
    meaning:
      'The number of ranks is no multiple of model-parallel ranks times pipeline stages, or the data-parallel ranks are no multiple of the ranks that share experts.',
    remedy: ['Change `--ranks` or `--model-parallel`, or `all_gpus`, `pp` and `ep` in line 1.'],
    advice: 'change --ranks, --model-parallel or line 1',
  },
  WORKLOAD_UNSUPPORTED: {
    exitStatus: 2,
    title: 'a text workload asks for what cannot be expanded',
    meaning:
      'Interleaved pipeline stages (`vpp` above 1 with `pp` above 1), of which the file does not say which layers form a chunk; or more nodes than a rank can have.',
    remedy: ['Do what the message advises, such as `vpp: 1` in line 1.'],
    advice: 'see the message',
  },
  CASE_UNKNOWN: {
    exitStatus: 2,
    title: 'no such case of the official generator',
    meaning: 'The name is none of the 14 cases that chakra_generator writes. The message lists them.',
    remedy: ['Correct the name; capitals and underscores count.'],
    advice: 'correct the name',
  },
  CASE_PARAMETER: {
    exitStatus: 2,
    title: 'a parameter of a case is no number that it can have',
    meaning:
      'Ranks, durations and sizes of a case are whole numbers; the message says which one is not, and its least value. The cases with a send or a receive need two ranks.',
    remedy: ['Correct the number that the message names.'],
    advice: 'correct the number named',
  },
} satisfies Record<string, StopEntry>;
