import type { CatalogueEntry } from './entry.js';

/** What passes met, did and assumed. */
export const PREPARATION_CODES = {
  PREPARED_PARTLY: {
    severity: 'error',
    title: 'pass ran on some members only',
    meaning: 'A collective was expanded or synchronized on some members of its group and not on others.',
    consequence:
      'The transfers of the prepared ranks have no partner on the others, and both would wait for ever; `prepare` and `simulate` refuse the traces.',
    remedy: [
      'Run the pass over the whole raw traceset: `chakra-prep prepare traces -o prepared`.',
      'Do not mix files of two folders.',
    ],
    example: {
      finding:
        'error PREPARED_PARTLY: group tp: collective 0 is expanded on rank 0 (node 1) and not on rank 1 (node 1)',
      mended: 'Both files come from one run of `chakra-prep expand`.',
    },
    advice: 'run the pass over the whole traceset',
  },
  PASS_RAN: {
    severity: 'note',
    title: 'pass ran already',
    meaning: 'The traces name the pass in their metadata; it is not applied twice.',
    consequence: 'What the pass was asked for now, such as another algorithm, does not count for these ranks.',
    remedy: ['Nothing to do where that is meant.', 'Begin with the raw traces to change what the pass did.'],
    example: {
      finding: 'note PASS_RAN: expand: ran before on 2 of 2 ranks',
      mended: '`chakra-prep expand traces -o out` with the raw traces.',
    },
    advice: 'nothing to do; begin with the raw traces to change what the pass did',
  },
  EXITS_LEFT_OUT: {
    severity: 'warning',
    title: 'pass after the traces were written for ASTRA-sim',
    meaning:
      'Expanded collectives are found by their exits. `--for astra-sim` leaves these out, so `serialize` and `sync` have nothing to add to, and neither has the barrier of `simulate`.',
    consequence: 'The collectives are replayed without the order or the barriers that were asked for.',
    remedy: [
      'Run the pass first, and write for ASTRA-sim last: `chakra-prep prepare traces --for astra-sim -o prepared`.',
      'Or say that it is not wanted: `chakra-prep simulate prepared --no-sync`.',
    ],
    example: {
      finding:
        'warning EXITS_LEFT_OUT: sync: nothing is added to collectives that were expanded and written for ASTRA-sim, on 2 of 2 ranks',
      mended: '`chakra-prep expand traces -o expanded`, then `chakra-prep sync expanded --for astra-sim -o synced`.',
    },
    advice: 'run the pass before writing for ASTRA-sim, or say --no-sync',
  },
  COLLECTIVE_UNEXPANDED: {
    severity: 'warning',
    title: 'collective left unexpanded',
    meaning:
      'A collective reached the replay that no pass could expand, for the reason that another warning gives, or because a caller of the library gave no plan. It takes no time and is counted nowhere (R-129).',
    consequence: 'Its bytes and its time are missing from the result, and it holds no rank up.',
    remedy: [
      'Mend what the other warning names: a missing type (COMM_TYPE_MISSING), a missing size (COMM_SIZE_MISSING), a rank outside the group (RANK_OUTSIDE_GROUP).',
      'In the library, give `replay` a plan for raw traces.',
    ],
    example: {
      finding:
        'warning COLLECTIVE_UNEXPANDED: ranks 0, 1: 1 collective is left unexpanded and takes no time, first node 1',
      mended: 'Node 1 of rank 1 has `comm_type` 0, as on rank 0.',
    },
    advice: 'mend what the other warnings say of it; in the library, give replay a plan',
  },
  ORDER_ABSENT: {
    severity: 'note',
    title: 'no issue order recorded',
    meaning: 'The collectives of the group are not chained.',
    consequence: 'Collectives that ran one after another in the job may run at the same time, and share the links.',
    remedy: [
      'Let the producer record `issue_order` on every collective of the group.',
      'Or use `--order ids` where ascending ids are the order of issue.',
    ],
    example: {
      finding: 'note ORDER_ABSENT: serialize: no issue order is recorded in group tp; nothing is chained there',
      mended: '`chakra-prep prepare traces --order ids -o prepared`',
    },
    advice: 'record issue_order, or use --order ids',
  },
  SCALED_BEFORE_EXPANSION: {
    severity: 'warning',
    title: 'scaled before expansion',
    meaning:
      'The size of a collective was scaled, not those of the transfers it becomes; when it is expanded, each transfer is rounded up.',
    consequence: 'The transfers come out a few bytes larger than those scaled after expansion.',
    remedy: ['Expand first and scale then, or use `chakra-prep prepare --scale FACTOR`.'],
    example: {
      finding:
        'warning SCALED_BEFORE_EXPANSION: ranks 0, 1: 1 collective is not expanded yet: its size is scaled, not those of its transfers',
      mended: '`chakra-prep prepare traces --scale 0.5 -o prepared`',
    },
    advice: 'expand first, or use `prepare --scale`',
  },
  ORDER_PARTIAL: {
    severity: 'warning',
    title: 'issue order recorded on some members only',
    meaning:
      'Some collectives of the group have `issue_order` and others do not. None is used: pairing goes by ascending ids, and nothing is chained.',
    consequence: 'If ids are not in the order of issue, collectives pair with the wrong ones of other ranks.',
    remedy: ['Record `issue_order` on all collectives of the group on all members, or on none.'],
    example: {
      finding: 'warning ORDER_PARTIAL: process group "tp": 1 of 2 collectives have an issue order; none is used',
      mended: 'Both ranks record `issue_order`.',
    },
    advice: 'record issue_order on all members or none',
  },
  TAG_WIDE: {
    severity: 'warning',
    title: 'tags above 2^31 − 1',
    meaning:
      'Tags of new transfers begin above every tag in the traces and grow with the number of collectives; here they pass what an int32 can hold, and `comm_tag` is written as int64.',
    consequence: 'One public reader takes an int64 tag as 0: messages of different collectives then match each other.',
    remedy: [
      'Give the sends and receives in the traces smaller tags.',
      'Or prepare fewer collectives in one traceset, such as one iteration at a time.',
    ],
    example: {
      finding: 'warning TAG_WIDE: 1 collective needs tags up to 2147549183, above 2^31 − 1',
      mended: 'The largest tag in the traces is small, and the new ones begin just above it.',
    },
    advice: 'use smaller tags, or prepare fewer collectives in one traceset',
  },
} satisfies Record<string, CatalogueEntry>;
