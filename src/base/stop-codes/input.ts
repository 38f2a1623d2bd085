import type { StopEntry } from './entry.js';

/** Which files are meant, and whether they can be read and written. */
export const INPUT_STOPS = {
  PREFIXES_MIXED: {
    exitStatus: 2,
    title: 'files of more than one traceset',
    meaning: 'The input holds traces with different prefixes, so it is not clear which of them belong together.',
    remedy: ['Name one prefix, such as `traces/job` for `traces/job.0.et` and `traces/job.1.et`.'],
    advice: 'name one prefix',
  },
  RANK_UNNAMED: {
    exitStatus: 2,
    title: 'a file among several names no rank',
    meaning: 'With several files the rank of each comes from its name, and one has none.',
    remedy: ['Name the files `<prefix>.<rank>.et`.'],
    advice: 'name the files <prefix>.<rank>.et',
  },
  FILE_TOO_LARGE: {
    exitStatus: 3,
    title: 'file too large for the form it is in',
    meaning: 'A JSON file is larger than the longest text that can be held in memory.',
    remedy: ['Write it as `.et` or JSON lines instead, with the tool that made it.'],
    advice: 'write it as .et or JSON lines instead',
  },
  FILE_UNREADABLE: {
    exitStatus: 3,
    title: 'file cannot be read',
    meaning: 'The operating system refuses to open or read the file; the message has its reason.',
    remedy: ['Check the path and its permissions.'],
    advice: 'check the path and its permissions',
  },
  GZIP_BROKEN: {
    exitStatus: 3,
    title: 'gzip content cannot be unpacked',
    meaning: 'The file begins as gzip does, and its content is cut or damaged.',
    remedy: ['Copy or pack the file again; `gzip -t FILE` checks it.'],
    advice: 'copy or pack the file again',
  },
  INPUT_NOT_FOUND: {
    exitStatus: 3,
    title: 'no such file, folder, glob or prefix',
    meaning: 'Nothing of the name is there, and no traces begin with it.',
    remedy: ['Check the path. A prefix is `path/job` for `path/job.0.et`.'],
    advice: 'check the path',
  },
  JSON_LINES_MALFORMED: {
    exitStatus: 3,
    title: 'a JSON line cannot be read',
    meaning: 'A line of a `.jsonl` trace is no JSON object of a node or of metadata.',
    remedy: ['Correct the line that the message names; docs/formats.md has the form.'],
    advice: 'correct the line named',
  },
  JSON_MALFORMED: {
    exitStatus: 3,
    title: 'JSON cannot be read',
    meaning: 'The file is no complete JSON document.',
    remedy: ['Write or copy the file again.'],
    advice: 'write the file again',
  },
  NO_TRACES: {
    exitStatus: 3,
    title: 'no traces there',
    meaning: 'The folder or glob holds no file that looks like a trace. Folders inside it are not searched.',
    remedy: ['Name a folder, glob, prefix or files that hold traces.'],
    advice: 'name a folder, glob, prefix or files that hold traces',
  },
  OUTPUT_UNWRITABLE: {
    exitStatus: 3,
    title: 'output cannot be written',
    meaning: 'The output folder or a file in it cannot be made or written; the message has the reason.',
    remedy: ['Check the folder, its permissions and the free space. Nothing half-written is left behind.'],
    advice: 'check the folder and the free space',
  },
} satisfies Record<string, StopEntry>;
