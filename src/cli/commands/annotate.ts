import type { Command } from '../command.js';
import { OUTPUT_OPTIONS, READING_OPTIONS } from '../options.js';
import { runPreparation } from '../preparation.js';

export const annotate: Command = {
  name: 'annotate',
  usage: '<in..> -o <dir>',
  summary: 'partner rank, dependents, and the list of nodes that can start',
  help: `Reads a traceset and writes it with the partner rank on each send and receive and the list of dependents on each
node. It stays a valid Chakra trace. Beside it: <prefix>.<rank>.json, the same one node a line, and
<prefix>.<rank>.ready.json, the ids of the nodes that are ready at the start.`,
  options: { ...READING_OPTIONS, ...OUTPUT_OPTIONS },
  examples: [
    ['annotate synced -o annotated', 'all ranks'],
    ['annotate synced/job.3.et -o annotated', 'one rank'],
  ],
  run: (call) => runPreparation(call, { annotate: true }),
};
