import { constants } from 'node:buffer';
import type { ByteSource } from '../../base/byte-source.js';
import { inputError } from '../../base/errors.js';
import { parseCommGroup } from '../comm-group.js';
import { FORMATS, type Format } from '../detect.js';
import { commGroupFacts } from './comm-group.js';
import { feederJsonFacts } from './feeder-json.js';
import { kinetoFacts } from './kineto-json.js';
import { pytorchHostFacts } from './pytorch-host-json.js';
import { stageJsonFacts } from './stage-json.js';
import { textWorkloadFacts } from './text-workload.js';

/** Facts by format, for the files that are no Chakra traces; they are read whole. */
const FACTS: Partial<Record<Format, (source: ByteSource) => object>> = {
  'feeder-json': (source) => feederJsonFacts(parsed(source)),
  'stage-json': (source) => stageJsonFacts(parsed(source)),
  'pytorch-host-json': (source) => pytorchHostFacts(parsed(source)),
  'linked-json': (source) => pytorchHostFacts(parsed(source)),
  'kineto-json': (source) => kinetoFacts(parsed(source)),
  'comm-group': (source) => commGroupFacts(parseCommGroup(source.read(0, source.length), source.name).declarations),
  'text-workload': (source) => textWorkloadFacts(text(source)),
  'msccl-xml': () => named('msccl-xml'),
  'msccl-plan': () => named('msccl-plan'),
  'goal-text': () => named('goal-text'),
  'goal-binary': () => named('goal-binary'),
};

/** What is said of a whole job's file, whose facts are those of the traces that it is converted to. */
function named(format: Format): object {
  return { format, ...FORMATS[format] };
}

/**
 * What `inspect` says of a file that is no Chakra trace, under the key names of `trace-facts.json`; `undefined` for
 * a format it says nothing of.
 * @throws PrepError `JSON_MALFORMED`, `FILE_TOO_LARGE` (exit status 3)
 */
export function otherFileFacts(source: ByteSource, format: Format): object | undefined {
  return FACTS[format]?.(source);
}

function parsed<T>(source: ByteSource): T {
  try {
    return JSON.parse(text(source)) as T;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw inputError('JSON_MALFORMED', `${source.name}: ${error.message}`);
  }
}

function text(source: ByteSource): string {
  if (source.length > constants.MAX_STRING_LENGTH) {
    const most = constants.MAX_STRING_LENGTH;
    throw inputError('FILE_TOO_LARGE', `${source.name}: ${source.length} bytes, at most ${most} can be inspected`);
  }
  return Buffer.from(source.read(0, source.length)).toString('utf8');
}
