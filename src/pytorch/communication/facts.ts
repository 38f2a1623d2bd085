import { printableLine } from '../../base/printable.js';
import { elementBytes } from '../../formats/pytorch/element-types.js';
import type { HostTrace } from '../../formats/pytorch/host-trace.js';
import { CollectiveType, collectiveName, isRooted } from '../../trace/collective-type.js';
import type { FactSource } from '../communication.js';
import {
  communicationMeaning,
  peerInTitle,
  sameMeaning,
  titleMeaning,
  typeOf,
  type Meaning,
} from './collective-words.js';
import { canCarry } from './kernel-words.js';
import type { CommunicationKernel } from './kernels.js';
import type { Notes } from './notes.js';
import { operandsOf } from './operands.js';
import type { Records } from './records.js';
import { splitBytes } from './split-bytes.js';

/** Where one communication was seen. */
export interface Sighting {
  readonly kernel: CommunicationKernel | undefined;
  /** Outermost record, −1. */
  readonly record: number;
  /** Whether the launching record lies inside that one. */
  readonly nested: boolean;
  /** Whether the kernel carries others besides: its arguments then speak of one of them only. */
  readonly shared: boolean;
  /** Host nodes of ops and annotations of communication around it, innermost first, and their names. */
  readonly titleNodes: readonly number[];
  readonly titles: readonly string[];
}

/** What is known of one communication; the fields of Communication before groups are looked up. */
export interface Facts {
  readonly kind: 'collective' | 'send' | 'receive';
  readonly type: number;
  readonly bytes: number;
  readonly group: string;
  /** Members that the sighting states, NaN. */
  readonly groupSize: number;
  /** Position in the group of the root or of the other end, −1. */
  readonly position: number;
  /** Rank of the job at the other end, where it is stated itself; −1. */
  readonly peer: number;
  readonly sendSplits: readonly number[];
  readonly receiveSplits: readonly number[];
  readonly typeFrom: FactSource;
  readonly bytesFrom: FactSource;
  readonly groupFrom: FactSource;
}

/** Works out what one communication is, from the best source of each fact. */
export function factsOf(sighting: Sighting, host: HostTrace, records: Records, notes: Notes): Facts {
  const { kernel, record: node, shared } = sighting;
  const record = node < 0 ? undefined : host.communications.get(node);
  const stated = shared ? undefined : kernel?.stated;
  const [meaning, typeFrom] = typeFact(sighting, records, notes, host);
  const kind = meaning?.kind === 'send' || meaning?.kind === 'receive' ? meaning.kind : 'collective';
  const type = meaning === undefined ? -1 : typeOf(meaning);

  const operands = record === undefined ? sighting.titleNodes.map((title) => operandsOf(host, title)) : [];
  const groupSize = record?.groupSize ?? kernel?.stated?.groupSize ?? NaN;
  const groups: [string | undefined, FactSource][] = [
    [stated?.group, 'kernel'],
    [record?.group, 'record'],
    [operands.find(({ group }) => group !== undefined)?.group, 'launcher'],
    // What a kernel of several says of the group holds for all of them.
    [kernel?.stated?.group, 'kernel'],
  ];
  const [group, groupFrom] = groups.find(([name]) => name !== undefined && name !== '') ?? ['', 'none' as const];

  const element = firstNumber(elementBytes(stated?.elementType ?? ''), record?.elementBytes);
  const fromKernel =
    kind === 'receive'
      ? firstNumber(stated?.outputElements, stated?.inputElements) * element
      : firstNumber(stated?.inputElements) * element;
  const fromRecord = record === undefined ? NaN : recordedBytes(record, kind, type, groupSize);
  const fromLauncher = firstNumber(...operands.map(({ bytes }) => bytes));
  const sizes: [number, FactSource][] = [
    [fromKernel, 'kernel'],
    [fromRecord, 'record'],
    [fromLauncher, 'launcher'],
  ];
  let [bytes, bytesFrom] = sizes.find(([size]) => !Number.isNaN(size)) ?? [NaN, 'none' as const];
  if (type === CollectiveType.barrier) [bytes, bytesFrom] = [0, typeFrom];
  else if (Number.isNaN(bytes)) notes.add('COMMUNICATION_BYTES_UNKNOWN', () => described(sighting, host));
  // A record around another one may count otherwise: all parts of a collective of uneven parts.
  else if (fromKernel !== fromRecord && !Number.isNaN(fromKernel + fromRecord) && !sighting.nested) {
    notes.add(
      'COMMUNICATION_BYTES_DIFFER',
      () => `${described(sighting, host)}: ${fromKernel} B by the kernel's arguments, ${fromRecord} B by the record`,
    );
  }

  const splits =
    type === CollectiveType.allToAll
      ? splitBytes(
          { splits: stated?.inputSplits ?? record?.inputSplits ?? [], bytes },
          {
            splits: stated?.outputSplits ?? record?.outputSplits ?? [],
            bytes: firstNumber(firstNumber(stated?.outputElements) * element, record?.outputBytes),
          },
          groupSize,
        )
      : NO_SPLITS;
  if (splits.problem !== undefined) {
    notes.add('COMMUNICATION_SPLITS_UNUSABLE', () => `${described(sighting, host)}: ${splits.problem}`);
  }

  let position = -1;
  if (kind !== 'collective' || isRooted(type)) {
    position = record?.groupRank ?? stated?.groupRank ?? -1;
    if (kind !== 'collective') {
      for (const title of sighting.titles) if (position < 0) position = peerInTitle(title);
    }
  }
  return {
    kind,
    type,
    bytes,
    group: group!,
    groupSize,
    position,
    peer: (kind === 'send' ? stated?.destinationRank : kind === 'receive' ? stated?.sourceRank : undefined) ?? -1,
    sendSplits: splits.send,
    receiveSplits: splits.receive,
    typeFrom,
    bytesFrom,
    groupFrom,
  };
}

const NO_SPLITS = { send: [], receive: [], problem: undefined };

function typeFact(
  sighting: Sighting,
  { meanings }: Records,
  notes: Notes,
  host: HostTrace,
): [Meaning | undefined, FactSource] {
  const { kernel, nested, shared } = sighting;
  const stated = shared ? undefined : communication(kernel?.stated?.collective);
  const recorded = meanings.get(sighting.record);
  const titled = sighting.titles.map((title) => real(titleMeaning(title))).filter((meaning) => meaning !== undefined);
  const barrier = titled.find((meaning) => typeOf(meaning) === CollectiveType.barrier);
  // A barrier is recorded around, or in the title of, the all-reduce that it is made of; the kernel knows the latter only.
  const outside = nested || (recorded !== undefined && typeOf(recorded) === CollectiveType.barrier);
  const candidates: [Meaning | undefined, FactSource][] = [
    [outside ? recorded : undefined, 'record'],
    [barrier, 'launcher'],
    [stated, 'kernel'],
    [recorded, 'record'],
    [titled[0], 'launcher'],
    [kernel?.word?.meaning, 'kernel-name'],
  ];
  const fact = candidates.find(([meaning]) => meaning !== undefined) ?? [undefined, 'none' as const];
  const [meaning] = fact;
  if (meaning === undefined) {
    notes.add('COMMUNICATION_TYPE_UNKNOWN', () => described(sighting, host));
    return fact;
  }
  const others: [Meaning | undefined, string][] =
    nested || barrier !== undefined
      ? []
      : [
          [recorded, 'its record'],
          [titled[0], 'the op that launched it'],
        ];
  const other = others.find(([said]) => said !== undefined && !sameMeaning(said, meaning));
  if (other !== undefined) {
    const [said, where] = other;
    notes.add(
      'COMMUNICATION_TYPE_DIFFERS',
      () => `${described(sighting, host)}: ${inWords(meaning)}, and ${where} says ${inWords(said!)}`,
    );
  } else if (!shared && !canCarry(kernel?.word, meaning)) {
    notes.add(
      'COMMUNICATION_TYPE_DIFFERS',
      () => `${described(sighting, host)}: ${inWords(meaning)}, and the kernel's name says otherwise`,
    );
  }
  return fact;
}

/** Bytes of the input by section 7, of which a record may have the output alone. */
function recordedBytes(
  record: { inputBytes: number; outputBytes: number; elementBytes: number },
  kind: Facts['kind'],
  type: number,
  groupSize: number,
): number {
  const { inputBytes, outputBytes } = record;
  if (inputBytes > 0) return inputBytes;
  if (kind === 'receive' && outputBytes > 0) return outputBytes;
  // Only the root of a scatter hands something over; the size is what it hands out in all.
  if (type === CollectiveType.scatter && outputBytes > 0) return outputBytes * groupSize;
  return Number.isNaN(record.elementBytes) ? NaN : inputBytes;
}

function communication(name: string | undefined): Meaning | undefined {
  return name === undefined ? undefined : real(communicationMeaning(name));
}

function real(meaning: Meaning | undefined): Meaning | undefined {
  return meaning?.kind === 'nothing' || meaning?.kind === 'coalesced' ? undefined : meaning;
}

/** The first that is a number; NaN without one. */
function firstNumber(...numbers: readonly (number | undefined)[]): number {
  return numbers.find((number) => number !== undefined && !Number.isNaN(number)) ?? NaN;
}

function inWords(meaning: Meaning): string {
  return meaning.kind === 'collective' ? collectiveName(meaning.type) : meaning.kind;
}

/** `kernel ncclDevKernel_Generic_4, host node 436 (record_param_comms broadcast)`: a communication in a message. */
export function described({ kernel, record, titleNodes }: Sighting, host: HostTrace): string {
  const parts: string[] = [];
  if (kernel !== undefined) parts.push(`kernel ${printableLine(kernel.name.replace(/\(.*$/, ''), 60)}`);
  const node = record >= 0 ? record : (titleNodes[0] ?? kernel?.launcher ?? -1);
  if (node >= 0) {
    const name = host.communications.get(node)?.collective;
    const label = `${host.names[host.name[node]]}${name === undefined ? '' : ` ${name}`}`;
    parts.push(`host node ${host.id[node]} (${printableLine(label, 60)})`);
  }
  return parts.join(', ');
}
