import { entry, type CatalogueEntry } from './entry.js';

/** What communication and compute nodes state. */
export const ATTRIBUTE_CODES = {
  ATTRIBUTE_ARM: entry(
    'warning',
    'attribute in another oneof arm',
    'Other readers take the value as 0.',
    'any command that writes the trace writes the usual arm',
  ),
  ATTRIBUTE_NOT_NUMBER: entry(
    'warning',
    'attribute is not an integer',
    'The value is not used.',
    'write it as an integer',
  ),
  NUMBER_TOO_LARGE: entry(
    'error',
    'number above 2^53',
    'Sizes, tags and durations above 2^53 are refused.',
    'check the unit',
  ),
  COMM_SIZE_MISSING: entry(
    'warning',
    'comm_size is missing',
    'A collective without a size is not expanded; a send or receive counts 0 bytes.',
    'add comm_size (bytes)',
  ),
  COMM_SIZE_ZERO: entry(
    'warning',
    'comm_size is 0',
    'The communication takes only latency.',
    'check the producer: old files hold the size in another oneof arm',
  ),
  COMM_TYPE_MISSING: entry(
    'warning',
    'comm_type is missing',
    'The collective is not expanded and takes no time.',
    'add comm_type',
  ),
  COMM_TYPE_UNKNOWN: entry(
    'warning',
    'comm_type is not known',
    'The collective is not expanded and takes no time.',
    'use one of the types 0 … 9',
  ),
  COMM_ON_CPU: entry(
    'warning',
    'communication marked as CPU operation',
    'ASTRA-sim refuses such nodes.',
    'mark communication on the device side only',
  ),
  DURATIONS_ABSENT: entry(
    'note',
    'compute without durations',
    'Every compute node takes no time.',
    'add durations, or read the result as communication time only',
  ),
  NUMBER_INVALID: entry(
    'error',
    'number that cannot be one of its kind',
    'A size, duration, tag or rank is below 0, has a fraction, or is no finite number.',
    'check the producer of the trace',
  ),
  ATTRIBUTE_EMPTY: entry(
    'warning',
    'attribute without a value',
    'It names a value and holds none; it counts as absent.',
    'write the value, or leave the attribute out',
  ),
  SIZE_IN_ELEMENTS: entry(
    'warning',
    'comm_size looks like a number of elements',
    'It equals the element count of the tensors, not their bytes.',
    'multiply by the size of an element, or use --assume element-bytes=N',
  ),
  SIDE_PARTIAL: entry(
    'note',
    'is_cpu_op on some nodes only',
    'Nodes without it are read as device operations.',
    'write is_cpu_op on every node; validate --fix does',
  ),
  START_TIMES_PARTIAL: entry(
    'note',
    'start times on some nodes only',
    'No command uses start times; the order comes from dependencies.',
    'nothing to do',
  ),
} satisfies Record<string, CatalogueEntry>;
