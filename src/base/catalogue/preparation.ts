import { entry, type CatalogueEntry } from './entry.js';

/** What passes met, did and assumed. */
export const PREPARATION_CODES = {
  PREPARED_PARTLY: entry(
    'error',
    'pass ran on some members only',
    'A collective was expanded or synchronized on some members of its group and not on others.',
    'run the pass over the whole traceset',
  ),
  PASS_RAN: entry(
    'note',
    'pass ran already',
    'The traces name the pass in their metadata; it is not applied twice.',
    'nothing to do',
  ),
  COLLECTIVE_UNEXPANDED: entry(
    'warning',
    'collective left unexpanded',
    'It takes no time and is counted nowhere (R-129).',
    'prepare the traces, or replay them raw with a plan',
  ),
  ORDER_ABSENT: entry(
    'note',
    'no issue order recorded',
    'The collectives of the group are not chained.',
    'record issue_order, or use --order ids',
  ),
  SCALED_BEFORE_EXPANSION: entry(
    'warning',
    'scaled before expansion',
    'The size of a collective was scaled, not its transfers; each transfer is then rounded up.',
    'expand first, or use `prepare --scale`',
  ),
  ORDER_PARTIAL: entry(
    'warning',
    'issue order recorded on some members only',
    'Pairing falls back to ascending ids and nothing is chained.',
    'record issue_order on all members or none',
  ),
  TAG_WIDE: entry(
    'warning',
    'tags above 2^31 − 1',
    'comm_tag is written as int64, which one public reader takes as 0.',
    'prepare fewer collectives in one traceset',
  ),
} satisfies Record<string, CatalogueEntry>;
