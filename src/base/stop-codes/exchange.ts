import type { StopEntry } from './entry.js';

/** Formats of other programs: MSCCL, GOAL, ns-3, htsim, SimGrid. */
export const EXCHANGE_STOPS = {
  COLLECTIVE_NOT_EXPANDED: {
    exitStatus: 1,
    title: 'a collective has to be expanded first',
    meaning:
      'The form that was asked for has sends and receives only, or no place for this collective, and the traces have it as one node.',
    remedy: ['Expand the traces, `chakra-prep expand traces -o expanded`, and convert these.'],
    advice: 'expand the traces first: chakra-prep expand <in> -o <dir>',
  },
  JOB_STALLS: {
    exitStatus: 1,
    title: 'a job that never ends',
    meaning:
      'The form needs an order or start times for all transfers, and a receive gets no message, or ranks wait for each other in a circle.',
    remedy: ['`chakra-prep validate` and `chakra-prep simulate` tell what waits for what.', 'Mend the traces.'],
    advice: 'validate tells what waits for what',
  },
  GOAL_MALFORMED: {
    exitStatus: 3,
    title: 'a GOAL schedule cannot be read',
    meaning:
      'The text does not follow the grammar, mentions a label or a rank that is not there, or the binary does not fit its own numbers. The message has line and column, or the byte.',
    remedy: ['Correct what stands there, or write the file anew with the tool that made it.'],
    advice: 'correct what stands at the place named',
  },
  ALGORITHM_COLLECTIVE: {
    exitStatus: 2,
    title: 'algorithm of another collective',
    meaning: 'The file that an option of a collective names holds the algorithm of another one.',
    remedy: ['Give it to the option of its own collective, such as `--allgather`.', 'Or correct `coll` in the file.'],
    advice: 'give it to the option of its own collective',
  },
  ALGORITHM_FILE: {
    exitStatus: 2,
    title: 'file of an algorithm cannot be read',
    meaning:
      'What `file:` names is neither an MSCCL XML program or MSCCL++ plan nor the beginning of the names of traces.',
    remedy: [
      'Check the path. On the command line it is relative to the folder you are in, in a configuration to the file that says it.',
      'Traces of an algorithm are called `<prefix>.<position>.et`, from position 0.',
    ],
    advice: 'name an MSCCL XML file, an MSCCL++ plan, or the prefix of traces <prefix>.<position>.et',
  },
  MSCCL_MALFORMED: {
    exitStatus: 2,
    title: 'MSCCL XML that cannot be read',
    meaning: 'The file is not well-formed XML, or an element or attribute is not what the format has in its place.',
    remedy: [
      'Correct what the message names, at the line and column it gives; docs/custom-collectives.md has the format.',
    ],
    advice: 'see docs/custom-collectives.md',
  },
  MSCCL_UNDERIVED: {
    exitStatus: 2,
    title: 'traces that make no MSCCL program',
    meaning:
      'A program is one collective, and which chunks each message moves has to be known: from attributes that a conversion from MSCCL left, or because a built-in algorithm expanded the collective. The message says what is missing.',
    remedy: [
      'Expand one collective with a built-in algorithm: `chakra-prep expand traces --allreduce ring -o expanded`.',
      'Or convert traces that were made of an MSCCL program.',
    ],
    advice: 'give it one collective, expanded by a built-in algorithm',
  },
  PROGRAM_REFUSED: {
    exitStatus: 2,
    title: 'algorithm that does not do what its collective has to',
    meaning:
      'The check of an algorithm that `file:` names found errors; they are listed before. It runs before any trace is read.',
    remedy: ['Mend the first error that is listed; `chakra-prep explain` has a page for each code.'],
    advice: 'mend the first error that is listed',
  },
  PLAN_MALFORMED: {
    exitStatus: 2,
    title: 'MSCCL++ plan that cannot be read',
    meaning:
      'The file is no JSON, a key is missing or not what the format has in its place, or an index names a gpu, channel, buffer, chunk or semaphore that is not there.',
    remedy: ['Correct what the message names, at the line and path it gives; docs/converters.md has the format.'],
    advice: 'see docs/converters.md, MSCCL++ plans',
  },
  PLAN_UNSUPPORTED: {
    exitStatus: 2,
    title: 'MSCCL++ plan with ops that sends and receives cannot carry',
    meaning:
      'Switches that add up or copy what passes through them (`glre`, `glres`, `gstore`) have no sends and receives, pipelines inside of pipelines are not read, and loops may cut chunks into too many pieces.',
    remedy: ['Take a plan of memory and port channels for the same collective.'],
    advice: 'take a plan of memory and port channels',
  },
} satisfies Record<string, StopEntry>;
