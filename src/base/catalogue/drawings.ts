import type { CatalogueEntry } from './entry.js';

/** Pictures of traces and runs. */
export const DRAWINGS_CODES = {
  DRAWING_LEFT_OUT: {
    severity: 'note',
    title: 'not in the picture',
    meaning:
      'The picture of a traceset does not show all nodes or dependencies: a filter or the limit leaves them out. The message says how many of which type; the picture itself says it too.',
    consequence: 'What is missing in the picture is not missing in the traces.',
    remedy: [
      'Raise `--limit`, or leave filters away.',
      'Or ask for less in a better way: `--only-communication`, `--around ID --hops N`, `--type`, `--rank`.',
    ],
    example: {
      finding: 'note DRAWING_LEFT_OUT: not drawn, beyond the limit of 2 nodes: 1 COMP_NODE, 1 COMM_COLL_NODE',
      mended: 'a limit that all nodes fit into.',
    },
    advice: 'raise --limit, or choose with --only-communication, --around or --type',
  },
  DRAWING_EMPTY: {
    severity: 'warning',
    title: 'nothing in the picture',
    meaning: 'No node of the ranks drawn passes all filters, or the traces have none.',
    consequence: 'The picture is empty.',
    remedy: ['Look with `inspect --nodes` and the same filters for what there is.'],
    example: {
      finding: 'warning DRAWING_EMPTY: no node is drawn: none of the ranks drawn passes the filters',
      mended: 'a filter that some node passes.',
    },
    advice: 'look with inspect --nodes for what there is',
  },
  DRAWING_ID_REPEATED: {
    severity: 'warning',
    title: 'several nodes with one id in the picture',
    meaning:
      'Nodes of a rank share an id. Names of nodes in a picture are unique, so the second one of id 5 is called 5_2.',
    consequence: 'Dependencies name ids; which of the nodes is meant cannot be known, and they are drawn to the first.',
    remedy: ['Give every node an id of its own; `validate` names those that have none.'],
    example: {
      finding:
        'warning DRAWING_ID_REPEATED: 1 node has the id of a node before: _2, _3 … stand behind the id in the picture; dependencies lead to the first',
      mended: 'an id of its own for every node.',
    },
    advice: 'give every node an id of its own',
  },
  DRAWING_CYCLE: {
    severity: 'warning',
    title: 'a cycle in the picture',
    meaning: 'Dependencies, or dependencies and messages, form a cycle, so that they cannot all point the same way.',
    consequence: 'Nodes on a cycle never start in a simulation, as each waits for the others.',
    remedy: ['Look at the edges that point upwards in the picture; `validate` names the nodes of every cycle.'],
    example: {
      finding: 'warning DRAWING_CYCLE: 1 edge closes a cycle: drawn upwards',
      mended: 'dependencies without a cycle.',
    },
    advice: 'see validate for the nodes of every cycle',
  },
  DRAWING_UNPAIRED: {
    severity: 'note',
    title: 'no message for some sends and receives',
    meaning:
      'A picture of several ranks joins sends with receives. Some have no other end among the ranks drawn, or name no partner.',
    consequence: 'The picture has no message for them. A receive that nobody sends to never finishes in a simulation.',
    remedy: ['Draw all ranks.', 'Look with `inspect --pairs` for what has no other end.'],
    example: {
      finding: 'note DRAWING_UNPAIRED: no message is drawn for 1 send that no drawn rank receives',
      mended: 'a receive of the same tag on the other rank.',
    },
    advice: 'see inspect --pairs',
  },
  DRAWING_PAIRED_BY_ORDER: {
    severity: 'note',
    title: 'messages joined by their order',
    meaning:
      'Several sends from one rank to another have the same tag, or none, so that it is not said which receive is whose. The first send in the file is drawn to the first receive.',
    consequence: 'A run pairs them in the order in which they complete, which may be another one.',
    remedy: ['Give each message of two ranks a tag of its own.'],
    example: {
      finding:
        'note DRAWING_PAIRED_BY_ORDER: 2 messages of one tag between the same two ranks: the first send is drawn to the first receive',
      mended: 'another `comm_tag` for each.',
    },
    advice: 'give each message a tag of its own',
  },
  DRAWING_TEXT_REPLACED: {
    severity: 'note',
    title: 'characters that a picture cannot hold',
    meaning:
      'Names have control characters, or bytes that are no UTF-8, which XML and Graphviz do not allow in any form.',
    consequence: 'A picture of the character (such as U+2401) or U+FFFD stands in its place.',
    remedy: ['Nothing, unless names are compared with those of the traces.'],
    example: {
      finding: 'note DRAWING_TEXT_REPLACED: 1 character of names that graphml cannot hold: others stand for them',
      mended: 'names without control characters.',
    },
    advice: 'nothing, unless names are compared',
  },
  TIMELINE_LEFT_OUT: {
    severity: 'note',
    title: 'not in the timeline',
    meaning: 'The picture of a run does not show everything that happened; the message says what and how much.',
    consequence: 'The records and the summary count all of it.',
    remedy: [
      'Ask for more ranks with `--timeline-ranks`, or for all by leaving it out.',
      'Look in `post_annotated` for the times of every node.',
    ],
    example: {
      finding: 'note TIMELINE_LEFT_OUT: the timeline does not show 2 nodes that the run did not come to',
      mended: 'a run that finishes, with all ranks asked for.',
    },
    advice: 'see docs/visualize.md for what is drawn',
  },
} satisfies Record<string, CatalogueEntry>;
