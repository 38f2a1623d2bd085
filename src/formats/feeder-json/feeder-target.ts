import type { RankTarget } from '../conversion.js';
import { Arm, armName } from '../et/attribute-arms.js';
import { FieldWalk } from '../et/wire.js';
import { CarriedAttributes, countFields, countMetadata } from '../jsonl/carried-attributes.js';
import type { NodeLine } from '../jsonl/frame-line.js';
import { visitLines } from '../jsonl/trace-lines.js';
import { nodeTypeNumber } from '../../trace/node-type.js';
import { FEEDER_KEYS } from './feeder-keys.js';

/** Characters collected before they are written. */
const AT_ONCE = 1 << 16;
/** Field number of a node's duration. */
const DURATION = 7;
const KEYS = Object.entries(FEEDER_KEYS);

/** The form of the JSON feeder of mlcommons/chakra, one node a line (docs/formats.md). */
export const FEEDER_TARGET: RankTarget = {
  name: 'feeder-json',
  title: 'feeder JSON',
  fileName: (prefix, rank) => `${prefix}.${rank}.json`,
  groupFileName: () => 'comm_group.json',
  write: (trace, write, losses) => {
    let text = '{"workload_graph": [';
    let nodes = 0;
    visitLines(trace, {
      metadata(line, message, whole) {
        countMetadata(losses, line, { message, whole, rank: trace.rank });
      },
      node(line, message, whole) {
        const example = `rank ${trace.rank} node ${line.id}`;
        const attributes = new CarriedAttributes(line, losses, example);
        const members = nodeMembers(line, attributes, line.durationMicros ?? (whole ? undefined : statedZero(message)));
        text += `${nodes++ === 0 ? '' : ','}\n  {${members.join(', ')}}`;
        attributes.countLeft();
        countFields(losses, line, message, whole, example);
        if (text.length < AT_ONCE) return;
        write(Buffer.from(text));
        text = '';
      },
    });
    write(Buffer.from(`${text}\n]}\n`));
  },
};

/** The keys of a node and their values, as JSON writes them. */
function nodeMembers(
  { id = 0, name = '', type = 0, ctrlDeps = [], dataDeps = [] }: NodeLine,
  attributes: CarriedAttributes,
  duration: number | string | undefined,
): string[] {
  const members = [
    `"Id": ${id}`,
    `"Name": ${JSON.stringify(name)}`,
    `"NodeType": ${typeof type === 'number' ? type : nodeTypeNumber(type)}`,
  ];
  if (ctrlDeps.length > 0) members.push(`"ctrlDeps": [${ctrlDeps.join(', ')}]`);
  members.push(`"data_deps": [${dataDeps.join(', ')}]`);
  if (duration !== undefined) members.push(`"runtime": ${duration}`);
  for (const [key, { value, attribute, arm }] of KEYS) {
    if (attribute === undefined || arm === undefined) continue;
    const written = value === 'text' ? textOf(attribute, attributes) : attributes.integer(attribute, usualArm(arm));
    if (written === undefined) continue;
    if (value === 'text') members.push(`"${key}": ${JSON.stringify(written)}`);
    else members.push(`"${key}": ${value === 'flag' ? written !== '0' : written}`);
  }
  return members;
}

/** A text; of a process group also what older files of STAGE have in its place. */
function textOf(attribute: string, attributes: CarriedAttributes): string | undefined {
  const text = attributes.text(attribute);
  return text === undefined && attribute === 'pg_name' ? attributes.olderGroup() : text;
}

/** 0 where the message states its duration, which the line leaves out with every other default. */
function statedZero(message: Uint8Array): number | undefined {
  const field = new FieldWalk(message);
  while (field.next()) if (field.number === DURATION) return 0;
  return undefined;
}

/** The arm in which a reader puts a number: the usual one where it holds it (`feeder-frame.ts`). */
function usualArm(arm: number): ((digits: string) => string) | undefined {
  if (arm === Arm.bool) return undefined;
  return (digits) => {
    const value = Number(digits);
    if (!Number.isSafeInteger(value)) return kindOf(BigInt(digits) > 0x7fffffffffffffffn ? Arm.uint64 : Arm.int64);
    const fits = arm === Arm.int32 ? value === (value | 0) : arm !== Arm.uint64 || value >= 0;
    return kindOf(fits ? arm : Arm.int64);
  };
}

/** `int32` of `int32_val`. */
function kindOf(arm: number): string {
  return armName(arm).replace(/_val$/, '');
}
