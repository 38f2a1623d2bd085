import { finding } from '../../../base/catalogue.js';
import { counted, grouped } from '../../../base/counts.js';
import type { Finding } from '../../../base/finding.js';
import { Occurrences } from '../../occurrences.js';
import type { RankSubject } from '../rank-subject.js';
import type { RankRule } from '../rule.js';
import { isFeederJson } from './feeder-files.js';
import { danglingControl, noFreeNode, vanishing } from './feeder-v3.js';

/**
 * Dependencies (chakra-format sections 5, 18). Dangling data dependencies, duplicate ids and cycles of data
 * dependencies, at which a feeder waits for ever or leaves nodes out, are errors of the common rules.
 */
export const feederDependencyRules: readonly RankRule[] = [
  { scope: 'rank', codes: ['FEEDER_NO_FREE_NODE'], check: protobufOnly(noFreeNode, 'FEEDER_NO_FREE_NODE') },
  {
    scope: 'rank',
    codes: ['FEEDER_DEPENDENCY_DANGLING'],
    check: protobufOnly(danglingControl, 'FEEDER_DEPENDENCY_DANGLING'),
  },
  { scope: 'rank', codes: ['FEEDER_CYCLE'], check: protobufOnly(vanishing, 'FEEDER_CYCLE') },
  { scope: 'rank', codes: ['FEEDER_REPEATED_DEPENDENCY'], check: repeatedDependencies },
  { scope: 'rank', codes: ['FEEDER_FORWARD_REFERENCE'], check: forwardReferences },
];

/** Retries that take a second or so: 450 million were measured to take 48. */
const MANY_RETRIES = 10_000_000;

/** WrapperNode reads no control dependencies. */
function protobufOnly<C>(
  check: (subject: RankSubject, code: C, reader: string) => Finding[],
  code: C,
): (subject: RankSubject) => Finding[] {
  return (subject) => (isFeederJson(subject) ? [] : check(subject, code, 'feeder v3'));
}

/** Data dependencies only: no other kind is read by feeder v1. */
function repeatedDependencies(subject: RankSubject): Finding[] {
  const { length, dataStart, dataTarget, danglingLow } = subject.trace;
  if (isFeederJson(subject)) return [];
  const lastNode = new Int32Array(length + danglingLow.length); // [target] node + 1 that named it last
  const found = new Occurrences();
  for (let node = 0; node < length; node++) {
    let repeats = false;
    for (let edge = dataStart[node]; edge < dataStart[node + 1]; edge++) {
      const target = dataTarget[edge];
      const place = target >= 0 ? target : length - 1 - target;
      if (lastNode[place] === node + 1) repeats = true;
      lastNode[place] = node + 1;
    }
    if (repeats) subject.add(found, node);
  }
  return subject.told(found, 'FEEDER_REPEATED_DEPENDENCY', 'node', 'with a data dependency named twice');
}

/** A node waits, and is retried, from its own place in the file to that of its last parent. */
function forwardReferences(subject: RankSubject): Finding[] {
  const { length, rank, dataStart, dataTarget } = subject.trace;
  let waiting = 0;
  let retries = 0;
  for (let node = 0; node < length; node++) {
    let last = node;
    for (let edge = dataStart[node]; edge < dataStart[node + 1]; edge++) last = Math.max(last, dataTarget[edge]);
    if (last === node) continue;
    waiting++;
    retries += last - node;
  }
  if (retries < MANY_RETRIES) return [];
  const message =
    `rank ${rank}: ${counted(waiting, 'node')} with a parent further on in the file, ` +
    `which feeder v1 retries ${grouped(retries)} times`;
  return [finding('FEEDER_FORWARD_REFERENCE', message, { ...subject.place, count: waiting, retries })];
}
