import type { Command } from '../command.js';
import { GENERATE_OPTIONS } from '../generate/options.js';

export const generate: Command = {
  name: 'generate',
  usage: '<case> -o <dir>',
  summary: 'workloads from a few numbers: a transformer, and the cases of the official generator',
  help: `Reads a few numbers and writes a traceset, one file a rank. <case> is transformer, a training step of a decoder-only
transformer with data, tensor, pipeline and expert parallelism; one of the 14 cases of chakra_generator; official, all of those,
each in a folder of its name; or list, which prints the cases. What is not given is defaulted and said (docs/generate.md).`,
  options: GENERATE_OPTIONS,
  examples: [
    ['generate list', 'what there is'],
    ['generate ALL_REDUCE --ranks 8 --comm-size 1048576 -o allreduce', 'one collective of 8 ranks'],
    [
      'generate transformer --layers 2 --hidden 8 --heads 1 --sequence 4 --vocabulary 8 --batch 4 -o s',
      'a step on one rank; --dp, --tp and --pp say on how many',
    ],
  ],
  run: async (call) => {
    const { runGeneration } = await import('../generate/run.js');
    return runGeneration(call);
  },
};
