import type { CatalogueEntry } from './entry.js';

/** Process groups. */
export const GROUP_CODES = {
  GROUP_UNDECLARED: {
    severity: 'error',
    title: 'process group is not declared',
    meaning:
      'Who takes part in the collective is unknown. The message says what `prepare` and `simulate` would assume, if anything.',
    consequence: 'A wrong guess gives other members and so other transfers; without one the run stops.',
    remedy: [
      'Declare the group in a file such as `comm_group.json`: its name, and its ranks in order.',
      'Put the file beside the traces, or name it with `--groups comm_group.json`.',
    ],
    example: {
      finding:
        'error GROUP_UNDECLARED: group "tp", used by ranks 0, 1, is not declared; prepare and simulate would take it as ranks 0, 1: no group is declared and these ranks use it',
      mended: '`comm_group.json` says `"tp": [0, 1]`.',
    },
    advice: 'declare it with --groups comm_group.json',
  },
  GROUP_INFERRED: {
    severity: 'warning',
    title: 'process group taken from its use',
    meaning: 'The group is not declared; its members are the ranks that use the name, or those that the message tells.',
    consequence:
      'A member that runs no collective under the name in these traces is left out, and positions in the group shift.',
    remedy: ['Declare it with `--groups comm_group.json`, with its ranks in order.'],
    example: {
      finding:
        'warning GROUP_INFERRED: group "tp", used by ranks 0, 1, is not declared; taken as ranks 0, 1: no group is declared and these ranks use it',
      mended: '`comm_group.json` says `"tp": [0, 1]`.',
    },
    advice: 'declare it with --groups comm_group.json',
  },
  GROUP_WORLD: {
    severity: 'note',
    title: 'no process group named',
    meaning: 'The collective names no group and runs over all ranks.',
    consequence:
      'If the group name was lost, a collective of a few ranks becomes one of all: more transfers, and ranks that never meant to take part are missing.',
    remedy: ['Set `pg_name` on the collective where all ranks are not meant.'],
    example: {
      finding: 'note GROUP_WORLD: collectives on ranks 0, 1 name no process group: they run over all ranks',
      mended: 'The collectives have `pg_name` "tp".',
    },
    advice: 'set pg_name where that is not meant',
  },
  GROUP_EMPTY: {
    severity: 'error',
    title: 'process group without members',
    meaning: 'A declared group lists nobody; a collective of it can never run.',
    consequence: '`prepare` and `simulate` stop: nobody would take part in what runs in it.',
    remedy: ['List its ranks in the declaration, or take the declaration out.'],
    example: {
      finding: 'error GROUP_EMPTY: group "tp" (traces/comm_group.json) has no members',
      mended: '`comm_group.json` says `"tp": [0, 1]`.',
    },
    advice: 'list its ranks',
  },
  GROUP_MEMBER_TWICE: {
    severity: 'error',
    title: 'rank twice in a group',
    meaning: 'Positions in the group are ambiguous.',
    consequence:
      'The position of a member says what it sends to whom; with one rank at two places a ring sends to itself.',
    remedy: ['List each rank once.'],
    example: {
      finding:
        'error GROUP_MEMBER_TWICE: group "tp" (traces/comm_group.json) lists rank 1 more than once: ranks 0, 1, 1',
      mended: '`"tp": [0, 1]` in place of `"tp": [0, 1, 1]`.',
    },
    advice: 'list each rank once',
  },
  GROUP_MEMBER_OUT_OF_RANGE: {
    severity: 'error',
    title: 'group member outside the job',
    meaning: 'There is no trace for that rank.',
    consequence:
      'The member never enters a collective of the group and the others would wait for it for ever; `prepare` and `simulate` refuse the traces.',
    remedy: [
      'Check the group file against the traceset: it may be that of a larger job.',
      'Add the traces of the missing ranks, or correct the list.',
    ],
    example: {
      finding:
        'error GROUP_MEMBER_OUT_OF_RANGE: group "tp" (traces/comm_group.json) lists rank 2, the traceset has ranks 0 to 1',
      mended: '`"tp": [0, 1]`, or a file `traces/job.2.et`.',
    },
    advice: 'check the group file against the traceset',
  },
  GROUP_CONFLICT: {
    severity: 'error',
    title: 'group declared differently',
    meaning: 'One name stands for two lists of ranks. The order counts, because it gives the positions.',
    consequence:
      'Members that go by different lists send to ranks that do not expect them, and the collective stalls; `prepare` and `simulate` refuse the traces.',
    remedy: ['Make the declarations agree, or give the groups different names.'],
    example: {
      finding:
        'error GROUP_CONFLICT: group "tp" is ranks 0, 1 in traces/comm_group.json and ranks 1, 0 in process_group:init of rank 0; the order of members counts',
      mended: 'Both declarations list ranks 0, 1.',
    },
    advice: 'make the declarations agree',
  },
  GROUP_MALFORMED: {
    severity: 'error',
    title: 'group declaration cannot be read',
    meaning: 'The declaration is not the JSON or Python text expected.',
    consequence:
      'The groups it declares are not known; `prepare` and `simulate` stop, since a guess would stand for what is written there.',
    remedy: ['Correct the declaration at the place that the message names: an object of group name and list of ranks.'],
    example: {
      finding:
        'error GROUP_MALFORMED: traces/comm_group.json: group "tp": expected a list of ranks, got "all" (line 1, column 8)',
      mended: '`"tp": [0, 1]` in place of `"tp": "all"`.',
    },
    advice: 'correct the declaration',
  },
  GROUP_CUT: {
    severity: 'warning',
    title: 'group declaration cut off',
    meaning: 'The recorder cut the text off; the groups after the cut are not known.',
    consequence: 'Collectives of those groups have no known members; the run stops at them, or guesses who takes part.',
    remedy: ['Declare the groups with `--groups comm_group.json`.'],
    example: {
      finding: 'warning GROUP_CUT: rank 0: process_group:init: the text ends too early; groups read before: "tp"',
      mended: '`comm_group.json` says who is in the other groups as well.',
    },
    advice: 'declare the groups with --groups comm_group.json',
  },
  GROUP_SINGLE: {
    severity: 'note',
    title: 'group of one member',
    meaning: 'Its collectives move no bytes.',
    consequence:
      'They take no time. If members were lost from the declaration, their communication is missing from the result.',
    remedy: ['Nothing to do where that is meant.', 'Otherwise list all members of the group.'],
    example: {
      finding: 'note GROUP_SINGLE: group "tp" has rank 0 as its only member',
      mended: '`"tp": [0, 1]` in place of `"tp": [0]`.',
    },
    advice: 'nothing to do where that is meant',
  },
  RANK_OUTSIDE_GROUP: {
    severity: 'warning',
    title: 'collective on a rank outside its group',
    meaning:
      'A rank runs a collective of a group that does not list it. The collective is not expanded on that rank and takes no time there; the members are not affected.',
    consequence: 'The rank runs on as if the collective were not there, and its time is missing from the result.',
    remedy: ['Check `pg_name` of the collective.', 'Check that the declaration of the group lists the rank.'],
    example: {
      finding:
        'warning RANK_OUTSIDE_GROUP: rank 1: no member of process group "tp" (rank 0); its collective there is not expanded: node 1',
      mended: '`"tp": [0, 1]` in place of `"tp": [0]`.',
    },
    advice: 'check pg_name and the group',
  },
} satisfies Record<string, CatalogueEntry>;
