import type { StopEntry } from './entry.js';

/** Linking of PyTorch host and device traces. */
export const LINK_STOPS = {
  LINK_HOST_MISSING: {
    exitStatus: 2,
    title: 'device trace without host trace',
    meaning:
      'A rank has a Kineto device trace and no PyTorch host trace. What called a kernel, with which tensors and in which process group, is in the host trace, so the device trace alone makes no Chakra trace.',
    remedy: [
      'Name the host trace of the rank with `--host`. Ranks are read from the file names.',
      'Where it was not recorded, leave the device trace out; the rank is then missing.',
    ],
    advice: 'name its host trace as well, or leave the device trace out',
  },
  LINK_RANK_DOUBLED: {
    exitStatus: 2,
    title: 'two host or device traces of one rank',
    meaning: 'Two files of one kind claim one rank, by their names or by what the device traces say of themselves.',
    remedy: ['Name one of them with `--host` or `--device`.'],
    advice: 'name one file of each kind a rank',
  },
  LINK_PAIR_REFUSED: {
    exitStatus: 1,
    title: 'host and device trace do not belong together',
    meaning:
      'The ops of the host trace and those of the device trace have different names where their ids say that they are the same, or nothing brings them together: they are of different ranks, runs or programs. A link made in spite of that would attach kernels to the wrong ops and still add up.',
    remedy: [
      'Give the two traces of one rank and one run.',
      'Or use `--force`, where both are known to be of runs that did the same.',
    ],
    advice: 'give the two traces of one rank and one run, or use --force',
  },
} satisfies Record<string, StopEntry>;
