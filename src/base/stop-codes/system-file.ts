import type { StopEntry } from './entry.js';

/** The system and remote memory files of ASTRA-sim. */
export const SYSTEM_FILE_STOPS = {
  MEMORY_MALFORMED: {
    exitStatus: 2,
    title: 'remote memory file with a wrong value',
    meaning:
      'The file of --memory is not JSON, has a key twice or a value out of range, or lacks a number that ASTRA-sim divides by.',
    remedy: [
      'Correct the file at the line and column of the message.',
      'docs/astra-sim.md and schemas/astra-sim-memory.schema.json say what it may hold.',
    ],
    advice: 'see docs/astra-sim.md',
  },
  MEMORY_UNREADABLE: {
    exitStatus: 2,
    title: 'remote memory file cannot be read',
    meaning: 'The file of --memory is not there or may not be read.',
    remedy: ['Check the path and its permissions.', 'Leave `--memory` out where no trace accesses remote memory.'],
    advice: 'check the path',
  },
  SYSTEM_MALFORMED: {
    exitStatus: 2,
    title: 'system file with a wrong value',
    meaning:
      'The file of --system is not JSON, has a key twice or a value out of range, lacks `preferred-dataset-splits`, or names an unknown implementation; or the file of `per-node-custom-implementation` does not map node ids to prefixes.',
    remedy: [
      'Correct the file at the line and column of the message; JSON has no comments and no comma before `}`.',
      'docs/astra-sim.md and schemas/astra-sim-system.schema.json say what it may hold.',
    ],
    advice: 'see docs/astra-sim.md',
  },
  SYSTEM_PATH_MISSING: {
    exitStatus: 2,
    title: 'custom implementation that is not there',
    meaning:
      'A prefix of a custom implementation has no trace `<prefix>.0.et`, or the file of `per-node-custom-implementation` is not there: neither from the working directory, nor beside the file that names it or above.',
    remedy: [
      'Correct the path; the message names it and the places that were looked at.',
      'A prefix is what stands before `.0.et` in the name of the first trace.',
    ],
    advice: 'correct the path, or change to the folder it is relative to',
  },
  SYSTEM_UNREADABLE: {
    exitStatus: 2,
    title: 'system file cannot be read',
    meaning: 'The file of --system, or one that it names, is not there or may not be read.',
    remedy: ['Check the path and its permissions.'],
    advice: 'check the path',
  },
} satisfies Record<string, StopEntry>;
