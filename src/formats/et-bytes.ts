import type { ByteSource } from '../base/byte-source.js';
import type { Finding } from '../base/finding.js';
import { jsonLinesToEt } from './chakra-jsonl.js';
import type { Format } from './detect.js';
import type { TracePlace } from './et/et-windows.js';
import { feederJsonToEt } from './feeder-json.js';
import { jsonizerToEt } from './jsonizer-json.js';
import { stageJsonToEt } from './stage-json.js';

/** The `.et` file that says what a file of another form says, and what was found in that. */
export interface EtBytes {
  readonly bytes: Uint8Array;
  readonly findings: readonly Finding[];
}

/** Forms of a rank's trace that are read by way of the `.et` bytes that say the same. */
const READERS: Partial<Record<Format, (source: ByteSource, where: TracePlace) => EtBytes>> = {
  'chakra-jsonl': (source) => ({ bytes: jsonLinesToEt(source), findings: [] }),
  'jsonizer-json': (source, { file }) => ({ bytes: jsonizerToEt(source, file), findings: [] }),
  'feeder-json': feederJsonToEt,
  'stage-json': stageJsonToEt,
};

/**
 * The `.et` bytes of a file of such a form, which is closed; `undefined` for a file of another one.
 * @throws PrepError `JSON_MALFORMED`, `JSON_LINES_MALFORMED` (exit status 3)
 */
export function etBytes(format: Format, source: ByteSource, where: TracePlace): EtBytes | undefined {
  const read = READERS[format]?.(source, where);
  if (read !== undefined) source.close();
  return read;
}
