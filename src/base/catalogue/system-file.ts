import type { CatalogueEntry } from './entry.js';

/** The system and remote memory files of ASTRA-sim; docs/astra-sim.md has every key. */
export const SYSTEM_FILE_CODES = {
  SYSTEM_DEFAULT: {
    severity: 'note',
    title: 'settings that are not given',
    meaning:
      'The file leaves out keys that count in this run; the message has what is taken. `scheduling-policy`, `collective-optimization` and `memory-type` have no default in ASTRA-sim, which takes what lies in its memory.',
    consequence: 'The run is another one than ASTRA-sim’s where that took something else.',
    remedy: ['Write the keys into the file, with the values that are meant.'],
    example: {
      finding:
        'note SYSTEM_DEFAULT: system.json: keys that are not given count as scheduling-policy LIFO, endpoint-delay 10, local-mem-bw 0',
      mended: '`"scheduling-policy": "LIFO", "endpoint-delay": 10, "local-mem-bw": 1600` are in the file.',
    },
    advice: 'write the keys into the file',
  },
  SYSTEM_KEY_UNKNOWN: {
    severity: 'warning',
    title: 'unknown key in a system or memory file',
    meaning: 'Neither ASTRA-sim nor this program reads the key; ASTRA-sim says nothing about it.',
    consequence: 'The setting that was meant has its default.',
    remedy: ['Write the key that the message proposes, or take it out.'],
    example: {
      finding: 'warning SYSTEM_KEY_UNKNOWN: system.json:5: unknown key "local_mem_bw", did you mean local-mem-bw?',
      mended: '`"local-mem-bw": 1600`',
    },
    advice: 'write it as docs/astra-sim.md does, or take it out',
  },
  SYSTEM_KEY_WITHOUT_EFFECT: {
    severity: 'warning',
    title: 'key without effect in a system file',
    meaning:
      'Older versions of ASTRA-sim read the key and today’s does not, or it changes nothing but a log. It is a note where the value asks for what happens anyway.',
    consequence: 'The run does not do what the value says.',
    remedy: [
      'Take the key out.',
      'Or apply `inter-dimension-scheduling` with `--system-extensions`; the times are then not those of ASTRA-sim.',
    ],
    example: {
      finding:
        'warning SYSTEM_KEY_WITHOUT_EFFECT: system.json:4: inter-dimension-scheduling: "themis" has no effect: dimensions come in ascending order',
      mended: 'The file has no `inter-dimension-scheduling`.',
    },
    advice: 'take it out',
  },
  SYSTEM_VALUE_CUT: {
    severity: 'note',
    title: 'fraction that does not count',
    meaning: 'ASTRA-sim keeps the number as an integer, and cuts off what stands behind the point.',
    consequence: 'The run is one with the number that the message names.',
    remedy: ['Write a whole number.'],
    example: {
      finding:
        'note SYSTEM_VALUE_CUT: system.json:6: active-chunks-per-dimension: 2.5 counts as 2, ASTRA-sim takes whole numbers here',
      mended: '`"active-chunks-per-dimension": 2`',
    },
    advice: 'write a whole number',
  },
  SYSTEM_FALSE_IS_ON: {
    severity: 'warning',
    title: 'false, which ASTRA-sim takes for on',
    meaning: 'The program compares the value with the number 0, and `false` is not that number to it.',
    consequence: 'ASTRA-sim runs with the setting on, this program with it off: the times differ.',
    remedy: ['Write 0 for off and 1 for on.'],
    example: {
      finding:
        'warning SYSTEM_FALSE_IS_ON: system.json:7: roofline-enabled: false is off here; ASTRA-sim takes it for on',
      mended: '`"roofline-enabled": 0`',
    },
    advice: 'write 0 or 1',
  },
  SYSTEM_IMPLEMENTATION_TEXT: {
    severity: 'warning',
    title: 'implementations as one text',
    meaning:
      'The value is a text, as before the files were JSON: it is split at `_`, one entry a dimension. ASTRA-sim throws at it.',
    consequence: 'Dimensions without an entry take no part in the collective.',
    remedy: ['Write a list with one entry a dimension.'],
    example: {
      finding:
        'warning SYSTEM_IMPLEMENTATION_TEXT: system.json:8: all-reduce-implementation: a text, read as ["ring"], which is for the first dimension',
      mended: '`"all-reduce-implementation": ["ring"]`',
    },
    advice: 'write a list with one entry a dimension',
  },
  SYSTEM_EXTENSION: {
    severity: 'note',
    title: 'setting that goes beyond ASTRA-sim',
    meaning:
      'Under `--system-extensions` a setting counts that today’s ASTRA-sim does not know, or that has no effect there.',
    consequence: 'The times are not those of ASTRA-sim.',
    remedy: ['Leave `--system-extensions` out where they are to be.'],
    example: {
      finding:
        'note SYSTEM_EXTENSION: configuration/system.json:4: inter-dimension-scheduling: themis is offlineGreedy, applied here and not by ASTRA-sim',
      mended: '`chakra-prep simulate … --system system.json`',
    },
    advice: 'leave --system-extensions out for the times of ASTRA-sim',
  },
  SYSTEM_PATH_FOUND: {
    severity: 'note',
    title: 'path that ASTRA-sim does not find from here',
    meaning:
      'A path in the file is relative to the working directory, and is not there. It was found from the folder of the file that names it, or one above.',
    consequence: 'ASTRA-sim ends at once when it is started here.',
    remedy: ['Change to the folder that the paths are relative to.', 'Or write absolute paths.'],
    example: {
      finding:
        'note SYSTEM_PATH_FOUND: configuration/system.json:9: all-to-all-implementation-custom: custom/pairs is not in the working directory, taken as configuration/custom/pairs',
      mended: '`"all-to-all-implementation-custom": ["in/custom/pairs"]`',
    },
    advice: 'change to the folder that the paths are relative to',
  },
} satisfies Record<string, CatalogueEntry>;
