import { counted, grouped } from '../../base/counts.js';
import { parseListPrefix, type PythonValue } from '../../base/python-literal.js';
import { isCommunication } from '../../trace/node-type.js';
import { NodeFlag } from '../../trace/rank-trace.js';
import type { Finding } from '../../base/finding.js';
import { Occurrences } from '../occurrences.js';
import type { RankSubject } from './rank-subject.js';
import type { RankRule } from './rule.js';

/** Sizes that contradict what the node itself tells of its tensors. */
export const sizeEvidenceRules: readonly RankRule[] = [
  { scope: 'rank', codes: ['SIZE_IN_ELEMENTS'], check: sizesInElements },
];

/**
 * PyTorch's traces keep the tensors of a communication node in `inputs.values` (chakra-format sections 7 and 14). A size
 * that equals their elements and not their bytes is in the wrong unit. Only frames of communication nodes that have
 * inputs and a size are read.
 */
function sizesInElements(subject: RankSubject): Finding[] {
  const { length, type, flags, commSize, kept, frameOffset, frameLength, rank } = subject.trace;
  if (kept === undefined) return [];
  const found = new Occurrences();
  let first = '';
  for (let node = 0; node < length; node++) {
    if (!isCommunication(type[node])) continue;
    if ((flags[node] & NodeFlag.inputs) === 0 || !(commSize[node] > 0) || frameOffset[node] < 0) continue;
    const tensors = tensorsIn(parseListPrefix(kept.inputValues(frameOffset[node], frameLength[node])).elements);
    if (commSize[node] !== tensors.elements || commSize[node] === tensors.bytes) continue;
    if (found.count === 0) {
      first = `${grouped(commSize[node])} where the tensors have ${grouped(tensors.bytes)} bytes`;
    }
    subject.add(found, node);
  }
  return found.finding(
    'SIZE_IN_ELEMENTS',
    (places, count) =>
      `rank ${rank}: ${counted(count, 'communication node')} with the number of tensor elements as comm_size, ` +
      `${count === 1 ? '' : 'the first '}${first}: ${places}`,
    subject.place,
  );
}

interface Tensors {
  elements: number;
  bytes: number;
}

/** Elements and bytes of all tensors in a list, however deep they lie. */
function tensorsIn(values: readonly PythonValue[], sum: Tensors = { elements: 0, bytes: 0 }): Tensors {
  for (const value of values) {
    if (!Array.isArray(value)) continue;
    if (isTensor(value)) {
      sum.elements += value[3];
      sum.bytes += value[3] * value[4];
    } else tensorsIn(value, sum);
  }
  return sum;
}

/** `[id, storage, offset, elements, bytes of an element, device]`. */
function isTensor(value: readonly PythonValue[]): value is [number, number, number, number, number, string] {
  return (
    value.length === 6 &&
    value.slice(0, 5).every((number) => typeof number === 'number' && number >= 0) &&
    typeof value[5] === 'string'
  );
}
