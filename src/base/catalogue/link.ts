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
        'warning JSON_KEY_REPEATED: rank 0: host_0.json: 1 key repeated in one object, first before byte 120: the last one counts',
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
        'warning EVENT_LEFT_OUT: rank 0: device_0.json: 1 event without a time that can be read left out, first at byte 120',
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
        'warning EVENT_DURATION: rank 0: device_0.json: 1 event with a duration below 0: taken as 0, first at byte 120',
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
        'warning EVENT_OPEN: rank 0: device_0.json: 1 event begun and never ended: taken to last until the end of the trace, first at byte 120',
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
        'warning KERNEL_ARGUMENT_CUT: rank 0: device_0.json: "Process Group Ranks" of 1 kernel cannot be used, first "[0, 1, 2, ..., 127]" in the event at byte 120',
      mended: 'The list has all its members, or a process group file declares the group.',
    },
    advice: 'name the groups in a comm_group.json where nothing else tells them',
  },
} satisfies Record<string, CatalogueEntry>;
