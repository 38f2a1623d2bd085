import { readFileSync } from 'node:fs';
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { inputError } from '../../base/errors.js';

/**
 * Durations of computes by operation, µs, from a YAML or JSON file: `attention scores: 12.5`.
 * @throws PrepError `FILE_UNREADABLE`; `DURATIONS_MALFORMED` with the place of what is no name with a number
 */
export function readDurations(path: string): Record<string, number> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw inputError('FILE_UNREADABLE', `${path}: cannot be read (${(cause as Error).message})`);
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const malformed = (what: string, offset = 0): Error => {
    const { line, col } = lineCounter.linePos(offset);
    return inputError('DURATIONS_MALFORMED', `${path}:${line}:${col}: ${what}`);
  };
  const [error] = document.errors;
  if (error !== undefined) throw malformed(error.message.split('\n')[0], error.pos[0]);
  if (!isMap(document.contents)) throw malformed('expected operations with durations, such as attention scores: 12.5');
  const durations: Record<string, number> = {};
  for (const { key, value } of document.contents.items) {
    const name = isScalar(key) ? String(key.value) : '';
    const micros = isScalar(value) ? value.value : undefined;
    const offset = (isScalar(key) ? key.range?.[0] : undefined) ?? 0;
    if (name === '' || typeof micros !== 'number' || !(micros >= 0 && Number.isFinite(micros))) {
      throw malformed(
        `${name === '' ? 'a key' : name}: expected an operation and its duration in µs, a number from 0`,
        offset,
      );
    }
    durations[name] = micros;
  }
  return durations;
}
