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
} satisfies Record<string, CatalogueEntry>;
