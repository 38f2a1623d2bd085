import type { CatalogueEntry } from './entry.js';

/** Sends and receives, and ranks that wait for each other. */
export const TRANSFER_CODES = {
  WAIT_CYCLE: {
    severity: 'error',
    title: 'ranks wait for each other in a circle',
    meaning:
      'Each rank of the circle waits for the next one, so the job stalls, in every run. A message that begins with "once …" speaks of the order that passes add.',
    consequence:
      'None of these ranks gets any further, whatever the network; `simulate` ends with status 4. A simulator that only empties its queue ends with status 0 and unfinished ranks.',
    remedy: [
      'Follow the circle in the message: each link names a rank, a node and what it waits for.',
      'Issue the collectives in one order on all ranks, or let one of the receives come behind the send it waits for.',
      'Where only an added order closes it, leave that out: `--no-serialize`, `--no-sync`.',
    ],
    example: {
      finding:
        'error WAIT_CYCLE: rank 0 node 1 (receive from rank 1, tag 5) waits for rank 1 (node 2), which first has to finish node 1 (receive from rank 0, tag 6), which waits for rank 0 (node 2), which first has to finish node 1',
      mended: 'The send of rank 0 (node 2) does not depend on its receive (node 1).',
    },
    advice: 'issue the collectives in one order on all ranks',
  },
  PEER_MISSING: {
    severity: 'error',
    title: 'partner rank is missing',
    meaning: 'A send or receive without a partner cannot run.',
    consequence: '`simulate` stops at it, and so does ASTRA-sim: nobody knows where the bytes go.',
    remedy: ['Add `comm_dst` to the send, or `comm_src` to the receive: a rank of the job.'],
    example: {
      finding: 'error PEER_MISSING: rank 0: 1 send without a partner rank in comm_dst: node 1 "send 1"',
      mended: 'Node 1 has `comm_dst` 1.',
    },
    advice: 'add comm_dst or comm_src',
  },
  PEER_OUT_OF_RANGE: {
    severity: 'error',
    title: 'partner outside the job',
    meaning: 'There is no trace for that rank.',
    consequence: '`simulate` stops at it: nobody is there to send or to receive.',
    remedy: [
      'Check `comm_dst` and `comm_src`: they are ranks of the job, not positions in a group. Where the traces mean positions: `--assume peer=position`.',
      'Add the trace of that rank if it is missing.',
    ],
    example: {
      finding: 'error PEER_OUT_OF_RANGE: rank 0: 1 send or receive has partner rank 7, outside ranks 0 to 1: node 1',
      mended: 'Node 1 has `comm_dst` 1.',
    },
    advice: 'check comm_dst and comm_src',
  },
  PEER_SELF: {
    severity: 'warning',
    title: 'rank sends to itself',
    meaning: 'The transfer never leaves the rank and takes no time.',
    consequence:
      'If another rank is meant, its receive never finishes, and these bytes are missing on the network. ASTRA-sim aborts at such a send.',
    remedy: ['Check `comm_dst` of the send.'],
    example: {
      finding: 'warning PEER_SELF: rank 0: 1 send to and 1 receive from the rank itself: nodes 1 "send 1" and 2',
      mended: 'Node 1 has `comm_dst` 1, and rank 1 the receive.',
    },
    advice: 'check comm_dst',
  },
  RECEIVE_UNMATCHED: {
    severity: 'error',
    title: 'receive that nobody sends to',
    meaning: 'It never finishes.',
    consequence:
      'Everything behind it waits for ever, and `simulate` ends with status 4 (stalled). ASTRA-sim ends with status 0 and does not report the rank.',
    remedy: [
      'Check tag, sender and receiver on both ends: a message is matched by all three.',
      'Add the send, or drop the receive.',
    ],
    example: {
      finding: 'error RECEIVE_UNMATCHED: rank 1: 1 receive that nobody sends to, from rank 0 with tag 5: node 1',
      mended: 'Rank 0 has a send with `comm_dst` 1 and `comm_tag` 5.',
    },
    advice: 'check tag, sender and receiver',
  },
  SEND_UNMATCHED: {
    severity: 'warning',
    title: 'send that nobody receives',
    meaning: 'The bytes arrive and are never claimed.',
    consequence:
      'They load the network all the same. The receive that was meant for them often waits under another tag.',
    remedy: [
      'Check tag, sender and receiver on both ends: a message is matched by all three.',
      'Add the receive, or drop the send.',
    ],
    example: {
      finding: 'warning SEND_UNMATCHED: rank 0: 1 send that nobody receives, to rank 1 with tag 5: node 1',
      mended: 'Rank 1 has a receive with `comm_src` 0 and `comm_tag` 5.',
    },
    advice: 'check tag, sender and receiver',
  },
  TRANSFER_SIZE: {
    severity: 'warning',
    title: 'sizes differ at the two ends',
    meaning: 'A send and the receive that gets it state different sizes; that of the send counts.',
    consequence:
      'The receive gets more or fewer bytes than it states. ASTRA-sim never matches such a pair: the receiving rank does not finish.',
    remedy: ['Check `comm_size` on both ends: bytes.', 'Check that the tag does not pair two different messages.'],
    example: {
      finding:
        'warning TRANSFER_SIZE: rank 1: 1 receive of another size than the send, 900 bytes from rank 0 with tag 5, whose node 1 sends 1000: node 1',
      mended: 'Both ends state `comm_size` 1000.',
    },
    advice: 'check comm_size on both ends',
  },
  KEY_SHARED: {
    severity: 'note',
    title: 'several receives of one tag and pair',
    meaning: 'Which of them gets which message depends on the order in which they start and the messages arrive.',
    consequence: 'With messages of different sizes, another network can give another pairing, and so other times.',
    remedy: ['Give every message between two ranks a tag of its own.', 'Or order the receives by dependencies.'],
    example: {
      finding: 'note KEY_SHARED: rank 1: 2 receives from rank 0 share tag 5: nodes 1 and 2',
      mended: 'The second message has `comm_tag` 6 on both ends.',
    },
    advice: 'give every message a tag of its own',
  },
  STALL_POSSIBLE: {
    severity: 'error',
    title: 'ranks may wait for each other in a circle',
    meaning: 'Messages with one tag between one pair of ranks can be claimed in an order that stalls the job.',
    consequence: 'Whether the run ends depends on the network: it may finish on one and hang on another.',
    remedy: ['Give every message between two ranks a tag of its own.', 'Or order the receives by dependencies.'],
    example: {
      finding:
        'error STALL_POSSIBLE: rank 1 has 2 receives from rank 0 with tag 0 (nodes 2, 5) that may start in more than one order, and in some order rank 0 node 2 (receive from rank 1, tag 9) waits for rank 1 (node 3), which first has to finish node 2 (receive from rank 0, tag 0), which waits for rank 0 (node 3), which first has to finish node 2',
      mended: 'The second message of tag 0 has a tag of its own on both ends.',
    },
    advice: 'give every message a tag of its own',
  },
} satisfies Record<string, CatalogueEntry>;
