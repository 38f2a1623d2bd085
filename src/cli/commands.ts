import type { Command } from './command.js';
import { annotate } from './commands/annotate.js';
import { convert } from './commands/convert.js';
import { expand } from './commands/expand.js';
import { explain } from './commands/explain.js';
import { inspect } from './commands/inspect.js';
import { link } from './commands/link.js';
import { prepare } from './commands/prepare.js';
import { scale } from './commands/scale.js';
import { serialize } from './commands/serialize.js';
import { simulate } from './commands/simulate.js';
import { sync } from './commands/sync.js';
import { topology } from './commands/topology.js';
import { validate } from './commands/validate.js';
import { visualize } from './commands/visualize.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  validate,
  inspect,
  prepare,
  expand,
  serialize,
  sync,
  scale,
  annotate,
  convert,
  link,
  simulate,
  visualize,
  topology,
  explain,
];
