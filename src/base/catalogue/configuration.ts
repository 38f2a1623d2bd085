import { entry, type CatalogueEntry } from './entry.js';

/** Configuration and placement. */
export const CONFIGURATION_CODES = {
  SETTING_UNUSED: entry(
    'note',
    'setting without effect',
    'Another setting makes this one count for nothing.',
    'leave one of the two out',
  ),
  MAPPING_IGNORED: entry(
    'note',
    'mapping file not used',
    'UseMapping is false: ranks are placed in order, without scale-up groups.',
    'leave UseMapping out, or the mapping file',
  ),
  MAPPING_GROUP_UNUSED: entry(
    'warning',
    'scale-up group without ranks',
    'The mapping file gives parameters to a group that no rank is in.',
    'drop the line, or name the group on the ranks it is meant for',
  ),
} satisfies Record<string, CatalogueEntry>;
