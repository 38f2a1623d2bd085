import { collectiveName } from '../trace/collective-type.js';

const OFFSET_BASIS = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const LOW_63 = (1n << 63n) - 1n;

/** Id of a collective in the records: FNV-1a 64 of `group|type|instance` in UTF-8, top bit cleared. */
export function collectiveHash(group: string, type: number, instance: number): bigint {
  let hash = OFFSET_BASIS;
  for (const byte of new TextEncoder().encode(`${group}|${collectiveName(type)}|${instance}`)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
  }
  return hash & LOW_63;
}
