import type { CatalogueEntry } from './entry.js';

/** Text workloads and generated ones. */
export const WORKLOADS_CODES = {
  WORKLOAD_LAYER_COUNT: {
    severity: 'warning',
    title: 'a text workload has other layers than it announces',
    meaning: 'Line 2 of a text workload gives the number of layers, and another number of lines with layers follows.',
    consequence: 'All lines are used. If lines were lost or added by mistake, the traces are those of another model.',
    remedy: ['Compare the file with its source.', 'Correct line 2, or the lines.'],
    example: {
      finding: 'warning WORKLOAD_LAYER_COUNT: mlp.txt:2:1: 3 layers announced, 2 lines with layers: all lines are used',
      mended: 'Line 2 is `2`.',
    },
    advice: 'correct line 2 or the lines',
  },
  WORKLOAD_HEADER_UNUSED: {
    severity: 'warning',
    title: 'line 1 of a text workload says something that is not used',
    meaning: 'A key of line 1 is not known, or it changes nothing in the mode of the workload.',
    consequence: 'The traces are what they would be without it.',
    remedy: ['Correct the key, or take it out.', 'Choose the mode that uses it; docs/converters.md has a table.'],
    example: {
      finding:
        'warning WORKLOAD_HEADER_UNUSED: mlp.txt:1:6: ga: 4 is not used: mode DATA has no such groups, stages or micro-batches',
      mended: 'Line 1 is `DATA`.',
    },
    advice: 'correct the key or take it out',
  },
  WORKLOAD_HEADER_OVERRIDDEN: {
    severity: 'note',
    title: 'an option says other than line 1 of a text workload',
    meaning: '`--ranks` or `--model-parallel` was given and line 1 has another number. The option counts.',
    consequence: 'Times and bytes of the lines are those of the number in the file; they are not scaled.',
    remedy: ['Leave the option out to have the number of the file.'],
    example: {
      finding:
        'note WORKLOAD_HEADER_OVERRIDDEN: gpt.txt:1:86: all_gpus: 16 is overridden by --ranks 8; times and bytes of the lines stay as they are',
      mended: 'converted without `--ranks`.',
    },
    advice: 'leave the option out to have the number of the file',
  },
  WORKLOAD_MICRO_BATCHES_LISTED: {
    severity: 'note',
    title: 'the lines of a text workload list its micro-batches',
    meaning:
      'The same names repeat as many times as `ga` says: the writer of the file, such as AICB, wrote each micro-batch out. They are not repeated again.',
    consequence: 'All listed micro-batches are run forward, then all backward, in the order of the file.',
    remedy: [
      'Nothing where that is meant.',
      'Where the lines are one micro-batch that happens to repeat names, give its layers different names.',
    ],
    example: {
      finding:
        'note WORKLOAD_MICRO_BATCHES_LISTED: gpt.txt:1:80: the lines list the 2 micro-batches of ga: 2 times 1 layer from line 4; each is run once, all forward, then all backward',
      mended: 'nothing to mend.',
    },
    advice: 'nothing, where each line is meant to run once',
  },
  WORKLOAD_COLUMN_UNUSED: {
    severity: 'warning',
    title: 'a column of a text workload is not used',
    meaning:
      'Lines have a collective that the mode does not run, a time that no node stands for, or a value where none is expected. The message says which, how often, and where first.',
    consequence: 'It is not in the traces, and takes no time in a simulation.',
    remedy: [
      'Choose the mode that runs it; docs/converters.md has a table.',
      'Write NONE and 0 where it is not meant.',
    ],
    example: {
      finding:
        'warning WORKLOAD_COLUMN_UNUSED: mlp.txt:3: forward collective ALLGATHER of 64 bytes is not run: mode DATA runs no forward collectives (1 line like this)',
      mended: 'The mode is HYBRID_DATA_MODEL, or the column NONE.',
    },
    advice: 'choose the mode that runs it, or write NONE',
  },
  WORKLOAD_TIMES_ROUNDED: {
    severity: 'note',
    title: 'times in ns were rounded to whole µs',
    meaning:
      'Times of a SimAI workload are ns, and the duration of a Chakra node is a whole number of µs. The exact time is the attribute `duration_ns`.',
    consequence: 'A simulation uses the rounded ones: short computes take 0 or 1 µs.',
    remedy: ['Nothing where computes are long.', 'Otherwise give the simulator the durations from `duration_ns`.'],
    example: {
      finding:
        'note WORKLOAD_TIMES_ROUNDED: gpt.txt: 7 compute times of 9 are no whole µs and rounded, halves up; 3 became 0; duration_ns has the exact ones',
      mended: 'nothing to mend.',
    },
    advice: 'nothing, where computes are long',
  },
  WORKLOAD_EMPTY_COLLECTIVES: {
    severity: 'note',
    title: 'collectives of a text workload have no bytes',
    meaning: 'A column names a collective and gives 0 bytes.',
    consequence: 'The collective is in the traces: its ranks wait for each other and move nothing.',
    remedy: ['Write NONE where no collective is meant.'],
    example: {
      finding:
        'note WORKLOAD_EMPTY_COLLECTIVES: gpt.txt:4: input-gradient collective REDUCESCATTER has 0 bytes: it is run and moves nothing (2 collectives like this)',
      mended: 'The column is `NONE`.',
    },
    advice: 'write NONE where no collective is meant',
  },
  WORKLOAD_READ: {
    severity: 'note',
    title: 'how a text workload was read',
    meaning: 'Mode, layers, passes, ranks, groups and the unit of times that the traces were made with, in one line.',
    consequence: 'If one of them is not what you meant, all times of a simulation are wrong.',
    remedy: [
      'Give `--ranks`, `--passes` or `--model-parallel`.',
      'Where times are not µs, read the traces with `--assume duration-unit=…`.',
    ],
    example: {
      finding:
        'note WORKLOAD_READ: mlp.txt: DATA; 2 layers; 1 pass (--passes not given); 4 ranks; times in ns, as SimAI has them: 123 ns of compute a pass',
      mended: 'nothing to mend.',
    },
    advice: 'check that it is what you meant',
  },
} satisfies Record<string, CatalogueEntry>;
