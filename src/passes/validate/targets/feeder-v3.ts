import { finding, type FindingCode } from '../../../base/catalogue.js';
import { counted, grouped } from '../../../base/counts.js';
import type { Finding } from '../../../base/finding.js';
import { danglingId } from '../../../trace/listed-ids.js';
import type { RankSubject } from '../rank-subject.js';
import { neverStartText } from '../shape.js';

/*
 * What feeder v3, which ASTRA-sim reads traces with, does with dependencies (chakra-format section 18): it always
 * waits for data and control, whatever --deps says. What the common rules report as errors is left to them.
 */

/** Control dependencies on ids that no node has: it refuses the file. */
export function danglingControl(subject: RankSubject, code: FindingCode, reader: string): Finding[] {
  const { rank, controlStart, controlTarget } = subject.trace;
  let first = -1;
  const found = subject.where((node) => {
    for (let edge = controlStart[node]; edge < controlStart[node + 1]; edge++) {
      if (controlTarget[edge] >= 0) continue;
      if (first < 0) first = -1 - controlTarget[edge];
      return true;
    }
    return false;
  });
  return found.finding(
    code,
    (places, count) =>
      `rank ${rank}: ${reader} refuses ${counted(count, 'node')} with a control dependency on an id that no node has, ` +
      `such as ${danglingId(subject.trace, first)}: ${places}`,
    subject.place,
  );
}

/** No node is free, and the common rules do not say so with an error: it refuses the rank. */
export function noFreeNode(subject: RankSubject, code: FindingCode, reader: string): Finding[] {
  const { rank, length } = subject.trace;
  if (!isStuck(subject)) return [];
  if (length > 0 && subject.components(subject.waiting).neverStart === length) return [];
  const message =
    length === 0
      ? `rank ${rank}: ${reader} refuses a trace without nodes`
      : `rank ${rank}: ${reader} finds none of the ${counted(length, 'node')} free of dependencies, data and control`;
  return [finding(code, message, subject.place)];
}

/** Nodes in and behind cycles that the common rules do not report as errors: it leaves them out. */
export function vanishing(subject: RankSubject, code: FindingCode, reader: string): Finding[] {
  const { trace, deps, place } = subject;
  if (trace.controlTarget.length === 0 || isStuck(subject)) return [];
  const { neverStart, firstNeverStart, count, memberStart, member } = subject.components('both');
  if (neverStart === 0) return [];
  const data = subject.components('data');
  let untold = false;
  for (let component = 0; component < count && !untold; component++) {
    const members = member.subarray(memberStart[component], memberStart[component + 1]);
    // A node that is its own control parent is a warning; any cycle with control is a note under --deps data.
    untold = (members.length === 1 || deps === 'data') && members.some((node) => !inData(node));
  }
  function inData(node: number): boolean {
    return data.count > 0 && data.componentOf[node] >= 0;
  }
  if (!untold) return [];
  const message =
    `rank ${trace.rank}: ${reader} never runs ${counted(neverStart, 'node')} of ${grouped(trace.length)}` +
    neverStartText(subject, 'both', 'data and control dependencies');
  const nodes = [subject.id(firstNeverStart)];
  return [finding(code, message, { ...place, count: neverStart, nodes })];
}

/** A dependency on a missing id makes that id a free node, which is refused for another reason. */
function isStuck(subject: RankSubject): boolean {
  const { length, danglingLow } = subject.trace;
  return danglingLow.length === 0 && subject.components('both').neverStart === length;
}
