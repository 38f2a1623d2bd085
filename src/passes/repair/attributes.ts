import { counted } from '../../base/counts.js';
import { NodeFlag, type RankTrace } from '../../trace/rank-trace.js';
import { ChangeTally, type Change } from './change.js';

const IS_CPU_OP = 'is_cpu_op';
const WITHOUT_VALUE = 'UNSET';

/**
 * Marks in `flags` the nodes that get `is_cpu_op` false, which its absence means (R-021; feeder v1 alone takes it for true).
 * One that is there as text or float is left: what it stands for is a guess.
 */
export function repairSides(trace: RankTrace, flags: Uint16Array): Change[] {
  const { length, frameOffset, frameLength } = trace;
  const absent = new ChangeTally(trace);
  const empty = new ChangeTally(trace);
  for (let node = 0; node < length; node++) {
    if ((flags[node] & NodeFlag.cpuGiven) !== 0) continue;
    if ((flags[node] & NodeFlag.notNumber) !== 0 && hasUnusableSide(trace, node)) continue;
    flags[node] |= NodeFlag.cpuGiven | NodeFlag.touched;
    if (frameOffset[node] >= 0 && frameLength[node] === 0) empty.add(node);
    else absent.add(node);
  }
  return [
    ...absent.changes(
      'is-cpu-op',
      (count, places) => `${IS_CPU_OP} false written on ${counted(count, 'node')} without it: ${places}`,
    ),
    ...empty.changes(
      'empty-node',
      (count, places) =>
        `${IS_CPU_OP} false written on ${counted(count, 'node')} of no bytes, where some readers take the file to end: ${places}`,
    ),
  ];
}

/** Whether some attribute of the name has a value, be it one behind the first, which alone counts. */
function hasUnusableSide({ kept, frameOffset, frameLength }: RankTrace, node: number): boolean {
  let valued = false;
  kept?.forEachAttribute(frameOffset[node], frameLength[node], (name, arm) => {
    if (name === IS_CPU_OP && arm !== WITHOUT_VALUE) valued = true;
  });
  return valued;
}

/** Marks in `flags` the nodes with integers in other oneof arms than the usual ones (chakra-format section 21). */
export function repairArms(trace: RankTrace, flags: Uint16Array): Change[] {
  const { length, kept, frameOffset, frameLength } = trace;
  if (kept === undefined) return [];
  const tallies = new Map<string, { attribute: string; from: string; to: string; tally: ChangeTally }>();
  for (let node = 0; node < length; node++) {
    if ((flags[node] & NodeFlag.otherArm) === 0) continue;
    kept.forEachOtherArm(frameOffset[node], frameLength[node], (attribute, from, to) => {
      const key = `${attribute} ${from} ${to}`;
      let entry = tallies.get(key);
      if (entry === undefined) tallies.set(key, (entry = { attribute, from, to, tally: new ChangeTally(trace) }));
      entry.tally.add(node);
      flags[node] |= NodeFlag.touched;
    });
  }
  return [...tallies.values()].flatMap(({ attribute, from, to, tally }) =>
    tally.changes(
      'attribute-arm',
      (count, places) => `${attribute} moved from ${from} to ${to} on ${counted(count, 'node')}: ${places}`,
      { attribute, from, to },
    ),
  );
}
