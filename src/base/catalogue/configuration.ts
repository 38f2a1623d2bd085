import type { CatalogueEntry } from './entry.js';

/** Configuration and placement. */
export const CONFIGURATION_CODES = {
  SETTING_UNUSED: {
    severity: 'note',
    title: 'setting without effect',
    meaning: 'Another setting makes this one count for nothing.',
    consequence: 'The run is not the one that was asked for, if the setting was meant.',
    remedy: ['Leave one of the two out; the message says which setting wins and why.'],
    example: {
      finding: 'note SETTING_UNUSED: --profiling is not used: no records are written without -o',
      mended: '`chakra-prep simulate … --profiling 1us -o out`',
    },
    advice: 'leave one of the two out',
  },
  MAPPING_IGNORED: {
    severity: 'note',
    title: 'mapping file not used',
    meaning: 'UseMapping is false: ranks are placed in order, without scale-up groups.',
    consequence: 'All transfers take the network, also those that the mapping would put on a scale-up fabric.',
    remedy: ['Leave `UseMapping` out of the configuration, or leave the mapping file out.'],
    example: {
      finding: 'note MAPPING_IGNORED: ranks.map is not used: UseMapping is false, ranks are placed in order',
      mended: 'The configuration has no `UseMapping`; `--mapping ranks.map` counts.',
    },
    advice: 'leave UseMapping out, or the mapping file',
  },
  MAPPING_GROUP_UNUSED: {
    severity: 'warning',
    title: 'scale-up group without ranks',
    meaning: 'The mapping file gives parameters to a group that no rank is in.',
    consequence: 'The group is left out. Ranks that were meant to be in it send over the network instead.',
    remedy: ['Drop the line of the group.', 'Or name the group on the lines of the ranks that it is meant for.'],
    example: {
      finding: 'warning MAPPING_GROUP_UNUSED: ranks.map: line 3: no rank is in group 0',
      mended: 'The line of rank 0 is `0, 0, 0, 0`: server 0, group 0, subgroup 0.',
    },
    advice: 'drop the line, or name the group on the ranks it is meant for',
  },
  BUFFER_ENLARGED: {
    severity: 'note',
    title: 'switches with a larger buffer than usual',
    meaning: 'The usual buffer does not hold what static PFC admits where every port of the largest switch is paused.',
    consequence: 'Switches have a larger buffer than the default says, so that PFC loses nothing.',
    remedy: ['State `BufferBytes` for a buffer of another size.', 'Or make `Xoff` or `Headroom` smaller.'],
    example: {
      finding:
        'note BUFFER_ENLARGED: BufferBytes is 334,414,223, not 256,000,000: so much is needed where all 2 ports of a switch reach Xoff',
      mended: '`chakra-prep simulate … --set BufferBytes=256MB`',
    },
    advice: 'state BufferBytes for another size',
  },
  ACKS_SPARSE: {
    severity: 'warning',
    title: 'fewer ACKs than the window needs',
    meaning:
      'AckEvery is more packets than the window holds when it starts, the bytes that a host sends in InitialBaseRTT. Receivers acknowledge the last packet of a message and every AckEvery-th before, so a sender whose window is full gets no ACK.',
    consequence:
      'Each time it waits for UetTimeout, sends a packet again that was not lost, and slows down: the run measures the timer.',
    remedy: [
      'Make `AckEvery` a fraction of the packets that the message names, since congestion makes windows smaller.',
    ],
    example: {
      finding: 'warning ACKS_SPARSE: AckEvery 100: the window of h0 starts with 73 packets',
      mended: '`chakra-prep simulate … --set AckEvery=8`',
    },
    advice: 'make AckEvery smaller',
  },
  HEADROOM_SHORT: {
    severity: 'warning',
    title: 'headroom that a link can overfill',
    meaning: 'On a long or fast link more bytes still arrive after an XOFF than the headroom of static PFC takes.',
    consequence: 'Frames of a lossless class can be dropped; they are counted, and sent again by the transport.',
    remedy: ['Make `Headroom` at least as large as the message says.'],
    example: {
      finding: 'warning HEADROOM_SHORT: Headroom 256,000 B: 2 links can fill it after an XOFF, h0 – s2 with 508,392 B',
      mended: '`chakra-prep simulate … --set Headroom=600KB`',
    },
    advice: 'make Headroom larger',
  },
  TRIMMING_UNCONTROLLED: {
    severity: 'warning',
    title: 'trimmed packets that can fill a link',
    meaning:
      'Without congestion control every host sends at the rate of its link. What is left of trimmed packets goes ahead of data, and from all hosts together it is more than a link to a host takes.',
    consequence:
      'While so many send to that host, no data reaches it: each packet is trimmed, asked for and sent again. Such a run takes long, and may not end.',
    remedy: ['Leave `CongestionControl` on.', 'Or turn `Trimming` off, so that losses wait for a timer.'],
    example: {
      finding:
        'warning TRIMMING_UNCONTROLLED: trimmed packets for h0 can come at 5.9 Gbit/s, its links take 5: no data would get through',
      mended: '`chakra-prep simulate … --set Trimming=false`',
    },
    advice: 'leave CongestionControl on, or turn Trimming off',
  },
} satisfies Record<string, CatalogueEntry>;
