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
      finding: 'warning JSON_KEY_REPEATED: 1 key repeated in one object, first before byte 120: the last one counts',
      mended: 'Every key of the object at byte 120 stands once.',
    },
    advice: 'check the object at that byte',
  },
} satisfies Record<string, CatalogueEntry>;
