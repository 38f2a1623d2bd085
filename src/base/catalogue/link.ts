import type { CatalogueEntry } from './entry.js';

/** Linking of PyTorch host and device traces. */
export const LINK_CODES = {
  JSON_KEY_REPEATED: {
    severity: 'warning',
    title: 'key twice in an object',
    meaning: 'An object of the JSON file has a key more than once. The last value counts, as in other JSON readers.',
    consequence:
      'What the earlier value says is lost. A recorder that writes such objects may have mixed up two of them.',
    remedy: [
      'Look at the object at the byte that the message names, and whether the last value is the one that is meant.',
    ],
    example: {
      finding:
        'warning JSON_KEY_REPEATED: in/host_3.json: 1 key repeated in one object, first before byte 1246: the last one counts',
      mended: 'Every key of the object at byte 120 stands once.',
    },
    advice: 'check the object at that byte',
  },
  EVENT_LEFT_OUT: {
    severity: 'warning',
    title: 'events of a device trace left out',
    meaning:
      'Events of the categories that are read have no time, or one that is no number; or an end has no beginning before it on its thread.',
    consequence:
      'Such an event cannot be placed. If it is a kernel, what it does is missing from the Chakra trace; a collective among them leaves its partners waiting.',
    remedy: ['Look at the event at the byte that the message names.', 'Record the trace again, or export it again.'],
    example: {
      finding:
        'warning EVENT_LEFT_OUT: in/device_0.json: 1 event without a time that can be read left out, first at byte 860',
      mended: 'The event has its `ts`, in microseconds.',
    },
    advice: 'look at the event at that byte',
  },
  EVENT_DURATION: {
    severity: 'warning',
    title: 'event without a sound duration',
    meaning: 'An event of a device trace has no duration, or one below 0. It counts with a duration of 0.',
    consequence:
      'What the event did takes no time in the simulation. The clocks of host and device may have been far apart.',
    remedy: [
      'Look at the event at the byte that the message names.',
      'Record the trace again where many events are like that.',
    ],
    example: {
      finding:
        'warning EVENT_DURATION: in/device_0.json: 1 event with a duration below 0: taken as 0, first at byte 715',
      mended: 'The event has its `dur`, in microseconds.',
    },
    advice: 'look at the event at that byte',
  },
  EVENT_OPEN: {
    severity: 'warning',
    title: 'event begun and never ended',
    meaning:
      'An event that is written in two halves, phases B and E, has no second one. It is taken to last until the end of the trace.',
    consequence:
      'Its duration is too long unless recording stopped inside it, and other events of its thread count as nested in it.',
    remedy: ['Nothing to do where recording stopped inside it.', 'Otherwise record the trace again.'],
    example: {
      finding:
        'warning EVENT_OPEN: in/device_0.json: 1 event begun and never ended: taken to last until the end of the trace, first at byte 952',
      mended: 'An event of phase E follows on the same thread.',
    },
    advice: 'nothing to do where recording stopped inside it',
  },
  KERNEL_ARGUMENT_CUT: {
    severity: 'warning',
    title: 'argument of a kernel that cannot be used',
    meaning:
      'Recorders cut long lists off in the arguments of collective kernels. What is left of such a list is not used, nor is a value of another kind.',
    consequence:
      'Group members or split sizes have to come from elsewhere: other ranks, `distributedInfo`, the host trace. Where nothing tells, an uneven all-to-all counts as even.',
    remedy: [
      'Nothing to do where the host trace was recorded as well.',
      'Otherwise name the groups in a `comm_group.json`.',
    ],
    example: {
      finding:
        'warning KERNEL_ARGUMENT_CUT: in/device_0.json: "Process Group Ranks" of 1 kernel cannot be used, first "[0, 1, 2, ..., 127]" in the event at byte 334',
      mended: 'The list has all its members, or a process group file declares the group.',
    },
    advice: 'name the groups in a comm_group.json where nothing else tells them',
  },
  LINK_FORCED: {
    severity: 'warning',
    title: 'traces linked by force',
    meaning:
      'Names and ids say that the host trace and the device trace are of different ranks, runs or programs, and the link was asked for all the same. Where a constant shift of the ids makes the names agree, the shifted ids are taken; else what brings more equal names together.',
    consequence:
      'Times and kernels are those of another run. Where the message tells of few names that agree, they hang under the wrong ops.',
    remedy: ['Link the two traces of one rank and one run.', 'Or keep it, where both runs did the same.'],
    example: {
      finding:
        'warning LINK_FORCED: rank 0: linked by rf_id + 1 by force: of 11 host nodes whose rf_id is in both, 0 have the name of their event (2 is aten::op1 and aten::op0, 3 is aten::op2 and aten::op1, 4 is aten::op3 and aten::op2); with 1 added to every rf_id, 12 of 12 names agree, as in two runs of one program',
      mended: 'The host and the device trace of one run; their names agree.',
    },
    advice: 'link the two traces of one rank and one run',
  },
  LINK_NAMES_DIFFER: {
    severity: 'warning',
    title: 'ops with another name in the device trace',
    meaning:
      'Most ops with one id have one name in both traces, some have not. Known differences in spelling, such as overloads and numbers of steps, are not counted.',
    consequence: 'If the ids are wrong, these ops have the times and kernels of others.',
    remedy: [
      'Look at the names in the message: two spellings of one op are harmless.',
      'Otherwise link the two traces of one run.',
    ],
    example: {
      finding:
        'warning LINK_NAMES_DIFFER: rank 0: 1 of 19 ops has another name in the device trace, such as rf_id 6: aten::exp and aten::other; ids decide',
      mended: 'The op has one name in both traces.',
    },
    advice: 'see whether the names mean the same op',
  },
  LINK_RANK_DIFFERS: {
    severity: 'warning',
    title: 'device trace of another rank',
    meaning: 'The device trace says which rank recorded it, and it is linked as another one.',
    consequence: 'The trace of one rank stands in the place of another, with its times, peers and sizes.',
    remedy: ['Name the host and the device trace of the rank.'],
    example: {
      finding: 'warning LINK_RANK_DIFFERS: in/device_0.json was recorded by rank 1 and is linked as rank 0',
      mended: 'The device trace of rank 0 is linked as rank 0.',
    },
    advice: 'name the traces of the rank',
  },
  LINK_BY_EXTERNAL_ID: {
    severity: 'note',
    title: 'ops found by their External id',
    meaning:
      'The device trace is of a profiler that writes no "Record function id". Its External ids are the same numbers, which the names confirm.',
    consequence: 'None, as the names agree.',
    remedy: ['Nothing to do. PyTorch 2.2 and later write record-function ids.'],
    example: {
      finding:
        'note LINK_BY_EXTERNAL_ID: rank 0: in/device_0.json has no "Record function id": its External ids are taken for them, as 4 of 4 names agree',
      mended: 'A trace of PyTorch 2.2 or later.',
    },
    advice: 'nothing to do; PyTorch 2.2 and later write record-function ids',
  },
  LINK_BY_NAME: {
    severity: 'note',
    title: 'ops found by name and order',
    meaning:
      'The device trace has no ids of host ops. Each thread of the host trace was laid along the thread of the device trace that runs through the same names.',
    consequence:
      'As good as the figures in the message: how many ops were found, and for how many of these the calling op was found around them.',
    remedy: ['Nothing to do where both figures are high.', 'PyTorch 2.2 and later write record-function ids.'],
    example: {
      finding:
        'note LINK_BY_NAME: rank 0: in/device_0.json has no "Record function id": 5 of 5 ops were found by name and order, 100 % of them nested alike; threads: 1 is 101',
      mended: 'A trace of PyTorch 2.2 or later.',
    },
    advice: 'look at the figures; PyTorch 2.2 and later write record-function ids',
  },
  LINK_ALIKE_ITERATIONS: {
    severity: 'note',
    title: 'host trace fits several places',
    meaning:
      'The device trace repeats the ops of the host trace, as iterations do, and without ids nothing tells which repetition the host trace recorded.',
    consequence:
      'Times and kernels are those of the first repetition that fits. Its durations may differ from those of the others.',
    remedy: ['Nothing to do where iterations are alike.', 'Or record both traces over the same iterations.'],
    example: {
      finding:
        'note LINK_ALIKE_ITERATIONS: rank 0: the ops of in/host_0.json fit 3 places of in/device_0.json equally well; the first is taken',
      mended: 'Both traces cover the same iterations.',
    },
    advice: 'record both traces over the same iterations',
  },
  LINK_IDS_DOUBLED: {
    severity: 'warning',
    title: 'ids that occur twice',
    meaning: 'Several host nodes, host events or calls have one id.',
    consequence:
      'The first in the file keeps it; the others are not linked, and device events of their correlation hang under the call of the first.',
    remedy: ['Record the trace in one run of the profiler; joined files repeat ids.'],
    example: {
      finding:
        'warning LINK_IDS_DOUBLED: rank 0: 1 host node with an rf_id that another had before; the first keeps it',
      mended: 'Each id occurs once.',
    },
    advice: 'do not join traces of several runs of the profiler',
  },
  LINK_NODES_WITHOUT_TIME: {
    severity: 'note',
    title: 'ops without a time',
    meaning:
      'The device trace has no event of these ops: it began later or ended earlier than the host trace, or did not record them.',
    consequence: 'They have no duration, so their compute takes no time, and their kernels are missing.',
    remedy: ['Record both traces over the same iterations.'],
    example: {
      finding:
        'note LINK_NODES_WITHOUT_TIME: rank 1: 1 of 2 ops has no time: started before the first op of the device trace (1)',
      mended: 'Both traces cover the same ops.',
    },
    advice: 'record both traces over the same iterations',
  },
  LINK_EVENTS_WITHOUT_NODE: {
    severity: 'note',
    title: 'host events that the host trace does not have',
    meaning:
      'The device trace has events of the host for which the host trace has no node: it covers more iterations, or the host trace left ops out.',
    consequence:
      'Time and kernels of an event inside another op count as those of that op; events outside of the host trace are left out.',
    remedy: [
      'Nothing to do where the device trace covers more iterations.',
      'Else record both traces over the same iterations.',
    ],
    example: {
      finding:
        'note LINK_EVENTS_WITHOUT_NODE: rank 0: 10 of 15 host events have no node: started after the last op of the host trace (10)',
      mended: 'Both traces cover the same ops.',
    },
    advice: 'record both traces over the same iterations',
  },
  LINK_DEVICE_EVENTS_UNATTACHED: {
    severity: 'warning',
    title: 'device events without a host node',
    meaning:
      'Nothing in the host trace launched these kernels, copies or memsets, as far as the device trace tells: the launching call was not recorded, or no recorded op is around it.',
    consequence: 'They follow no op; only the order of their stream places them.',
    remedy: [
      'Record the host trace over the whole device trace.',
      'Events without a launching call were launched before the profiler started, or the profiler lost the call.',
    ],
    example: {
      finding:
        'warning LINK_DEVICE_EVENTS_UNATTACHED: rank 0: 2 of 2 kernels have no host node: no launching call in the device trace (2)',
      mended: 'Each device event has its launching call inside an op of the host trace.',
    },
    advice: 'record the host trace over the whole device trace',
  },
  LINK_ATTACHED_BY_EXTERNAL_ID: {
    severity: 'note',
    title: 'device events attached by their External id',
    meaning: 'The launching call was not recorded, or lies in no host event, and the External id names a host event.',
    consequence: 'None, as long as the id is right.',
    remedy: ['Nothing to do.'],
    example: {
      finding:
        'note LINK_ATTACHED_BY_EXTERNAL_ID: rank 0: 1 device event without a launching call, or with nothing around it, hangs under the op of its External id',
      mended: 'The device trace has the launching call.',
    },
    advice: 'nothing to do',
  },
  LINK_EXTERNAL_ID_DIFFERS: {
    severity: 'note',
    title: 'External ids against time',
    meaning:
      'The External id of a call names a host event that is not around the call. Clocks of host and device calls differ a little, and calls of other threads carry ids of theirs.',
    consequence: 'The device event hangs under the op that was running on the thread of the call.',
    remedy: ['Nothing to do for a few.'],
    example: {
      finding:
        'note LINK_EXTERNAL_ID_DIFFERS: rank 0: 1 call of 5 has the External id of a host event that is not around it; time decides',
      mended: 'The call lies inside the event of its External id.',
    },
    advice: 'nothing to do for a few',
  },
  LINK_EVENTS_OVERLAP: {
    severity: 'note',
    title: 'host events that overlap without nesting',
    meaning:
      'Events of one thread nest, as ops call ops; these overlap. Annotations that end when a collective ends do so, and times cut to whole microseconds.',
    consequence:
      'What overlaps is taken off neither; an event that ends up to one unit of the clock after the one around it is cut at its end.',
    remedy: ['Nothing to do for a few.'],
    example: {
      finding: 'note LINK_EVENTS_OVERLAP: rank 0: 1 pair of host events overlaps without nesting',
      mended: 'Events of a thread nest.',
    },
    advice: 'nothing to do for a few',
  },
} satisfies Record<string, CatalogueEntry>;
