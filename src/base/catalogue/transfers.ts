import { entry, type CatalogueEntry } from './entry.js';

/** Sends and receives, and ranks that wait for each other. */
export const TRANSFER_CODES = {
  WAIT_CYCLE: entry(
    'error',
    'ranks wait for each other in a circle',
    'The job stalls.',
    'issue the collectives in one order on all ranks',
  ),
  PEER_MISSING: entry(
    'error',
    'partner rank is missing',
    'A send or receive without a partner cannot run.',
    'add comm_dst or comm_src',
  ),
  PEER_OUT_OF_RANGE: entry(
    'error',
    'partner outside the job',
    'There is no trace for that rank.',
    'check comm_dst and comm_src',
  ),
  PEER_SELF: entry('warning', 'rank sends to itself', 'The transfer takes no time.', 'check comm_dst'),
  RECEIVE_UNMATCHED: entry(
    'error',
    'receive that nobody sends to',
    'It never finishes.',
    'check tag, sender and receiver',
  ),
  SEND_UNMATCHED: entry(
    'warning',
    'send that nobody receives',
    'The bytes arrive and are never claimed.',
    'check tag, sender and receiver',
  ),
  TRANSFER_SIZE: entry(
    'warning',
    'sizes differ at the two ends',
    'The size of the send counts.',
    'check comm_size on both ends',
  ),
  KEY_SHARED: entry(
    'note',
    'several receives of one tag and pair',
    'Which of them gets which message depends on the order in which they start.',
    'give every message a tag of its own',
  ),
  STALL_POSSIBLE: entry(
    'error',
    'ranks may wait for each other in a circle',
    'Messages with one tag between one pair of ranks can be claimed in an order that stalls the job.',
    'give every message a tag of its own',
  ),
} satisfies Record<string, CatalogueEntry>;
