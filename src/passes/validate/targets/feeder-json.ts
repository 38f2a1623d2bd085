import { finding } from '../../../base/catalogue.js';
import { counted, grouped } from '../../../base/counts.js';
import type { Finding } from '../../../base/finding.js';
import type { RankSubject } from '../rank-subject.js';
import type { RankRule } from '../rule.js';
import { isFeederJson } from './feeder-files.js';

/** Feeder JSON as WrapperNode reads it (chakra-format sections 11, 18). */
export const feederJsonRules: readonly RankRule[] = [
  { scope: 'rank', codes: ['FEEDER_JSON_JOIN'], check: joins },
  { scope: 'rank', codes: ['FEEDER_JSON_KEY'], check: missingKeys },
  { scope: 'rank', codes: ['FEEDER_JSON_SIZE'], check: size },
];

/** Bytes copied while loading that take seconds: 18 GB were measured to take 50. */
const MANY_BYTES = 1e9;

function joins(subject: RankSubject): Finding[] {
  if (!isFeederJson(subject)) return [];
  const { dataStart } = subject.trace;
  const found = subject.where((node) => dataStart[node + 1] - dataStart[node] > 1);
  return subject.told(found, 'FEEDER_JSON_JOIN', 'node', 'with two data dependencies or more');
}

/** Which keys are missing was found while the file was read. */
function missingKeys(subject: RankSubject): Finding[] {
  if (!isFeederJson(subject)) return [];
  return subject.found
    .filter(({ code }) => code === 'FEEDER_KEY_MISSING')
    .map(({ key, count, nodes }) =>
      finding(
        'FEEDER_JSON_KEY',
        `rank ${subject.trace.rank}: ${String(key)} is missing on ${counted(count!, 'node')}`,
        {
          ...subject.place,
          key,
          count: count!,
          nodes: nodes!,
        },
      ),
    );
}

function size(subject: RankSubject): Finding[] {
  if (!isFeederJson(subject)) return [];
  const { trace, stored, place } = subject;
  const copied = trace.length * stored.bytes;
  if (copied < MANY_BYTES) return [];
  const message =
    `rank ${trace.rank}: WrapperNode copies ${grouped(stored.bytes)} bytes for each of ${counted(trace.length, 'node')}, ` +
    `${grouped(Math.round(copied / 1e6))} MB in all`;
  return [finding('FEEDER_JSON_SIZE', message, place)];
}
