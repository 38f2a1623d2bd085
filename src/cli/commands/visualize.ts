import { requestError } from '../../base/errors.js';
import { formOfName } from '../../drawings/drawing-forms.js';
import { outputOf, textFlag, type Command } from '../command.js';
import { READING_OPTIONS } from '../options.js';
import { CHOICE_OPTIONS, PICTURE_FORMS, RUN_OPTIONS } from '../visualize/options.js';

export const visualize: Command = {
  name: 'visualize',
  usage: '<in..> --to <form> -o <file>',
  summary: 'pictures of traces for Graphviz, graph programs and browsers, and of a run',
  help: `Reads a traceset and draws its nodes, dependencies and messages: dot for Graphviz, graphml for yEd, Gephi and networkx, svg
for a browser, with a layout of its own; or replays it and draws the run as a timeline. All ranks come into one picture, or with a
folder behind -o into one each. What a picture leaves out is said in it and on stderr (docs/visualize.md).`,
  options: {
    to: {
      choices: PICTURE_FORMS,
      requiresArg: true,
      describe: 'form of the picture (default: what the name behind -o ends in)',
    },
    o: {
      alias: 'out',
      type: 'string',
      requiresArg: true,
      describe: 'file; or a folder, for a picture a rank; or - for stdout',
    },
    rank: { type: 'string', requiresArg: true, describe: 'ranks drawn, such as 3 or 0,4-7 (default all)' },
    ...CHOICE_OPTIONS,
    ...READING_OPTIONS,
    ...RUN_OPTIONS,
  },
  examples: [
    ['visualize traces -o job.svg', 'the first 300 nodes of a job, for a browser'],
    ['visualize traces --only-communication -o job.dot', 'who communicates after what, for Graphviz'],
    ['visualize traces/job.0.et --around 17 --hops 3 -o near.svg', 'what stands near a node'],
    ['visualize traces -o job.graphml', 'everything, for a program'],
    ['visualize traces --to timeline --network fabric.json -o run.json', 'a run, for Perfetto'],
  ],
  run: async (call) => {
    const out = outputOf(call.flags);
    if (out === undefined) {
      throw requestError('OPTION_MISSING', 'visualize: -o is missing', 'name a file, a folder, or - for stdout');
    }
    const word = textFlag(call.flags, 'to');
    // A configuration file may name the form of another command.
    const to = PICTURE_FORMS.find((form) => form === word) ?? formOfName(out);
    if (to === undefined) {
      throw requestError('OPTION_MISSING', `visualize: --to is missing, expected one of ${PICTURE_FORMS.join(', ')}`);
    }
    if (to === 'timeline') {
      const { timelineCall } = await import('../visualize/timeline.js');
      return timelineCall(call, out);
    }
    const { drawCall } = await import('../visualize/draw.js');
    return drawCall(call, to, out);
  },
};
