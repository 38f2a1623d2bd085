import type { CatalogueEntry } from './entry.js';

/** Files and ranks. */
export const FILE_CODES = {
  FILE_EMPTY: {
    severity: 'error',
    title: 'empty file',
    meaning: 'The file has no bytes, not even a metadata frame.',
    consequence:
      'The nodes of the rank are lost. A reader that goes on takes the rank as finished, and the other ranks wait for its collectives and messages for ever.',
    remedy: [
      'Look whether the program that wrote the trace ended early or the disk was full.',
      'Write or copy the file again.',
    ],
    example: {
      finding: 'error FILE_EMPTY: traces/job.1.et: the file is empty, expected a metadata frame',
      mended: '`traces/job.1.et` begins with a metadata frame and holds the nodes of rank 1.',
    },
    advice: 'write the trace again',
  },
  FRAME_TRUNCATED: {
    severity: 'error',
    title: 'file cut short',
    meaning: 'The last frame announces more bytes than the file has.',
    consequence:
      'Readers differ: some drop the cut node without a word, one makes a node 0 of it. Nodes that depend on it wait for ever or start too early. Here the rank is not read.',
    remedy: [
      'Compare the size of the file with that of its source.',
      'Copy or write it again. What is behind the cut cannot be recovered.',
    ],
    example: {
      finding: 'error FRAME_TRUNCATED: traces/job.1.et: frame 1 at byte 8: it announces 12 bytes, 11 are left',
      mended: '`traces/job.1.et` copied again: 21 bytes, not 20.',
    },
    advice: 'copy or write the file again',
  },
  FRAME_MALFORMED: {
    severity: 'error',
    title: 'not a Chakra frame',
    meaning: 'A frame cannot be decoded as protobuf.',
    consequence:
      'Reading stops there, and the rank is not read. A reader that goes on makes nodes of bytes that are none.',
    remedy: [
      'Check with `chakra-prep inspect FILE` what the file is.',
      'If it is a Chakra trace, copy it again in binary mode, or write it again.',
    ],
    example: {
      finding: 'error FRAME_MALFORMED: traces/job.1.et: frame 1 at byte 8: wire type 7 does not exist here (byte 10)',
      mended: '`traces/job.1.et` as its producer wrote it, not changed by an editor or a transfer in text mode.',
    },
    advice: 'check that the file is a Chakra trace',
  },
  WRONG_KIND: {
    severity: 'error',
    title: 'another kind of file',
    meaning: 'The file is not a Chakra trace of the form this command reads.',
    consequence:
      'Read as protobuf it would give nodes at random or none. A profiler trace, a host trace and a Chakra trace of one rank are three different files.',
    remedy: [
      'See docs/formats.md for what is read.',
      'Make a Chakra trace of the file with the tool for its kind, or name the right file.',
    ],
    example: {
      finding:
        'error WRONG_KIND: traces/job.1.et is a Kineto device trace (Chrome trace events), expected a Chakra trace (.et or its JSON lines)',
      mended: '`traces/job.1.et` is the linked and converted trace of rank 1.',
    },
    advice: 'see docs/formats.md for what is read',
  },
  RANK_MISSING: {
    severity: 'error',
    title: 'missing rank',
    meaning: 'Ranks must be 0 to the largest one found, without a gap; this one has no file.',
    consequence:
      'Commands over all ranks stop. In a simulator that runs them the other members of every group with that rank wait for it for ever.',
    remedy: [
      'Add the file of that rank.',
      'If the job has fewer ranks, take the files with larger numbers out of the folder.',
    ],
    example: {
      finding: 'error RANK_MISSING: rank 2 has no file: the largest rank is 3 (traces/job.3.et), expected ranks 0 to 3',
      mended: '`traces/job.2.et` is there as well.',
    },
    advice: 'add the file of that rank',
  },
  RANK_DOUBLED: {
    severity: 'error',
    title: 'doubled rank',
    meaning: 'Two files claim one rank. `validate` looks at the first, every other command stops.',
    consequence:
      'Which of the two is simulated would depend on the order of the files. The rank may do something else than its partners expect.',
    remedy: ['Find out which file belongs to the job.', 'Name only that one, or move the other out of the folder.'],
    example: {
      finding: 'error RANK_DOUBLED: rank 1 has two files: traces/job.01.et and traces/job.1.et; the first is used',
      mended: 'Only `traces/job.1.et` is in the folder.',
    },
    advice: 'name only one of them',
  },
  RANK_ASSUMED: {
    severity: 'note',
    title: 'rank not in the file name',
    meaning: 'The only file given names no rank; it is taken as rank 0.',
    consequence: 'Messages from and to it are matched as those of rank 0. If it is another rank, none of them fits.',
    remedy: ['Name the file `<prefix>.<rank>.et` where rank 0 is not meant.'],
    example: {
      finding: 'note RANK_ASSUMED: trace.et names no rank: it is taken as rank 0',
      mended: 'The file is called `trace.0.et`.',
    },
    advice: 'name the file <prefix>.<rank>.et where that is not meant',
  },
  FILE_SKIPPED: {
    severity: 'note',
    title: 'file not used',
    meaning:
      'The file was left out: it is no trace, or a process group file beside the one that is used. It is a warning for a file that was named, for a link that leads nowhere, and where several process group files are there and none is used.',
    consequence:
      'What it says counts for nothing. If it was meant as a rank or as the group file, that rank or those groups are missing.',
    remedy: [
      'Nothing to do where that is meant.',
      'Otherwise look with `chakra-prep inspect FILE` what it is; choose a group file with `--groups FILE`.',
    ],
    example: {
      finding: 'note FILE_SKIPPED: no Chakra trace, left out: traces/notes.json (JSON of another kind)',
      mended: 'The folder holds nothing but traces and `comm_group.json`.',
    },
    advice: 'nothing to do where that is meant',
  },
  GROUP_FILE_FOUND: {
    severity: 'note',
    title: 'process group file found',
    meaning: 'The file lies beside the traces and is used.',
    consequence:
      'Who takes part in which collective comes from it. A file of another job gives other members, and so other transfers.',
    remedy: ['Nothing to do where that is meant.', 'Name another file with `--groups FILE` where it is not.'],
    example: {
      finding: 'note GROUP_FILE_FOUND: traces/comm_group.json lies beside the traces: process groups are taken from it',
      mended: '`chakra-prep validate traces --groups traces/comm_group.json` says the same on purpose.',
    },
    advice: 'name another with --groups where that is not meant',
  },
  SCHEMA_CONVERTED: {
    severity: 'note',
    title: 'older schema converted',
    meaning: 'The file has an older schema; its nodes were converted.',
    consequence:
      'Here nothing: types and names are translated. A reader of the current schema that does not know the old one takes other types and zero sizes from the same bytes.',
    remedy: ['Write the traceset once with `chakra-prep convert traces --to et -o converted` and use that.'],
    example: {
      finding:
        'note SCHEMA_CONVERTED: rank 1: schema 0.0.1 is read as 0.0.4: node and collective types are renumbered, parent is data_deps, simulated_run_time is duration_micros, other fields are attributes',
      mended: '`converted/job.1.et` has the current schema; the note is gone.',
    },
    advice: 'write it once with convert to be done with it',
  },
  SCHEMA_MIXED: {
    severity: 'warning',
    title: 'mixed schema versions',
    meaning: 'The ranks state different versions of the schema or of their producer.',
    consequence:
      'Files of two runs in one folder often look like this. Collectives and messages of different runs do not pair, or pair with the wrong partner.',
    remedy: ['Make sure that the files are of one run.', 'If not, write all ranks with one version of the producer.'],
    example: {
      finding:
        'warning SCHEMA_MIXED: the ranks were written with different versions: "0.0.4" on rank 0, "1.0.0" on rank 1',
      mended: 'Both files state version "0.0.4".',
    },
    advice: 'make sure they are of one run',
  },
  FEEDER_KEY_MISSING: {
    severity: 'warning',
    title: 'key missing in feeder JSON',
    meaning:
      'The value is absent; nothing is put in its place. A missing `runtime`, which most producers leave out where it is not known, is a note.',
    consequence:
      'A missing size counts 0 bytes, a missing tag 0, a missing runtime no time; a missing partner stops the run. WrapperNode, which the form is made for, takes what is in memory.',
    remedy: ['Let the producer write the key on every node of the types that need it.'],
    example: {
      finding: 'warning FEEDER_KEY_MISSING: rank 0: comm_tag is missing on the only node',
      mended: 'The send has `"comm_tag": 7`, and its receive the same.',
    },
    advice: 'check the producer of the trace',
  },
  FEEDER_KEY_UNREAD: {
    severity: 'note',
    title: 'key of feeder JSON not read',
    meaning: 'The key has no meaning here; writing the trace leaves it out.',
    consequence: 'What it says does not reach the simulation, and is lost when the trace is converted.',
    remedy: ['Nothing to do where that is meant.', 'Otherwise check its spelling against the keys in docs/formats.md.'],
    example: {
      finding: 'note FEEDER_KEY_UNREAD: rank 0: colour is not read on the only node',
      mended: 'The nodes have no key `colour`.',
    },
    advice: 'nothing to do where that is meant',
  },
  RANKS_DIFFER: {
    severity: 'warning',
    title: 'ranks of different kinds',
    meaning:
      'One rank, or a few, lack what the others have, or have what none of them has: communication, durations, a form, passes that ran.',
    consequence:
      'A rank without compute or without collectives ends early and looks fast; a rank of another run makes its partners wait.',
    remedy: [
      'Compare the ranks with `chakra-prep inspect traces`.',
      'Check that the files belong to one run and that none was recorded with other settings.',
    ],
    example: {
      finding: 'warning RANKS_DIFFER: rank 2 has no communication nodes, the 2 other ranks have some',
      mended: 'Rank 2 takes part in communication, as the others do, or is left out of the job.',
    },
    advice: 'check that the files belong to one run',
  },
} satisfies Record<string, CatalogueEntry>;
