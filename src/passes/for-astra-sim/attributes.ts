import { CollectiveType } from '../../trace/collective-type.js';
import { isCommunication, isTransfer, NodeType } from '../../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../../trace/rank-trace.js';
import { repairArms, repairSides } from '../repair/attributes.js';
import { USUAL_SPLITS } from '../validate/targets/astra-communication.js';
import type { AstraChanges } from './changes.js';
import type { WithoutNodes } from './left-out.js';
import type { AstraPlan, RankAgreements } from './plan.js';
import { numberOfTag, type TagList } from './tag-numbers.js';

/**
 * Mends what single nodes say: sizes, tags, sides, types of attributes and names of groups. Changes are counted.
 */
export function mendAttributes(
  { trace, kept: planned }: WithoutNodes,
  plan: AstraPlan,
  changes: AstraChanges,
): RankTrace {
  const agreements = plan.agreements.get(trace.rank)!;
  const mended = { ...trace, flags: trace.flags.slice(), commSize: trace.commSize.slice() };
  takeSizes(mended, planned, agreements, changes);
  fillEmpty(mended, changes);
  const tagged = withTags(mended, agreements.tags, changes);
  const counts = (list: readonly { count: number }[]): number => list.reduce((sum, { count }) => sum + count, 0);
  changes.arms += counts(repairArms(tagged, tagged.flags));
  changes.sides += counts(repairSides(tagged, tagged.flags));
  moveToDevice(tagged, changes);
  nameGroups(tagged, changes);
  return withGroupNumbers(tagged, plan);
}

/** Sizes that other ranks state. */
function takeSizes(
  { type, flags, commSize }: RankTrace,
  planned: Int32Array,
  { sizes }: RankAgreements,
  changes: AstraChanges,
): void {
  if (sizes.node.length === 0) return;
  const bytesOf = new Map(sizes.node.map((node, place) => [node, sizes.bytes[place]]));
  for (const [node, before] of planned.entries()) {
    const bytes = bytesOf.get(before);
    if (bytes === undefined) continue;
    commSize[node] = bytes;
    flags[node] |= NodeFlag.touched;
    changes[isTransfer(type[node]) ? 'transferSizes' : 'collectiveSizes']++;
  }
}

/** A message of 0 bytes aborts the program, an all-gather of 0 never ends; other collectives it enlarges by itself. */
function fillEmpty({ length, type, flags, commType, commSize }: RankTrace, changes: AstraChanges): void {
  for (let node = 0; node < length; node++) {
    if (commSize[node] !== 0) continue;
    if (isTransfer(type[node])) {
      commSize[node] = 1;
      changes[(flags[node] & NodeFlag.addedSync) !== 0 ? 'barrierBytes' : 'emptyTransfers']++;
    } else if (type[node] === NodeType.collective && commType[node] === CollectiveType.allGather) {
      commSize[node] = USUAL_SPLITS;
      changes.emptyGathers++;
    } else continue;
    flags[node] |= NodeFlag.touched;
  }
}

function withTags(trace: RankTrace, lists: readonly TagList[], changes: AstraChanges): RankTrace {
  const { length, type, peer, flags } = trace;
  const commTag = trace.commTag.slice();
  const listOf = (isSend: boolean): Map<number, TagList> =>
    new Map(lists.filter((list) => list.isSend === isSend).map((list) => [list.peer, list]));
  const ofSends = listOf(true);
  const ofReceives = listOf(false);
  for (let node = 0; node < length; node++) {
    if (!isTransfer(type[node])) continue;
    let tag = commTag[node];
    if (Number.isNaN(tag)) {
      tag = 0; // as every command takes it
      changes.tagsAbsent++;
    }
    const list = (type[node] === NodeType.send ? ofSends : ofReceives).get(peer[node]);
    if (list !== undefined) {
      const number = numberOfTag(list, tag);
      if (number !== tag) changes.tags++;
      tag = number;
    }
    if (tag === commTag[node]) continue;
    commTag[node] = tag;
    flags[node] |= NodeFlag.touched;
  }
  return { ...trace, commTag };
}

/** The program throws at communication of the CPU. */
function moveToDevice({ length, type, flags }: RankTrace, changes: AstraChanges): void {
  for (let node = 0; node < length; node++) {
    if ((flags[node] & NodeFlag.cpu) === 0 || !isCommunication(type[node])) continue;
    flags[node] = (flags[node] & ~NodeFlag.cpu) | NodeFlag.touched;
    changes.hostCommunication++;
  }
}

/** Collectives whose group stands in `comm_group` alone, which the program does not read. */
function nameGroups(trace: RankTrace, changes: AstraChanges): void {
  const { length, type, flags, group, kept, frameOffset, frameLength } = trace;
  if (kept === undefined) return;
  for (let node = 0; node < length; node++) {
    if (type[node] !== NodeType.collective || group[node] < 0 || frameOffset[node] < 0) continue;
    let named = false;
    kept.forEachAttribute(frameOffset[node], frameLength[node], (name) => {
      if (name === 'pg_name') named = true;
    });
    if (named) continue;
    flags[node] |= NodeFlag.groupNamed | NodeFlag.touched;
    changes.groupAttributes++;
  }
}

/** Every name of a group by its number, on nodes, in identities and in the metadata. */
function withGroupNumbers(trace: RankTrace, { renamed }: AstraPlan): RankTrace {
  const { length, flags, groupNames, collective, collectives, metadata } = trace;
  if (renamed.size === 0) return trace;
  const group = trace.group.slice();
  const changed = groupNames.map((name) => renamed.has(name));
  const inChanged = collectives.map((identity) => (renamed.get(identity.group) ?? '') !== '');
  for (let node = 0; node < length; node++) {
    const name = group[node];
    if (name >= 0 && changed[name]) {
      flags[node] |= NodeFlag.touched;
      if (renamed.get(groupNames[name]) === '') group[node] = -1;
    }
    if (collective[node] >= 0 && inChanged[collective[node]]) flags[node] |= NodeFlag.touched;
  }
  const numberOf = (name: string): string => renamed.get(name) || name;
  return {
    ...trace,
    group,
    groupNames: groupNames.map(numberOf),
    collectives: collectives.map((identity) => ({ ...identity, group: numberOf(identity.group) })),
    metadata:
      metadata.groups === undefined
        ? metadata
        : {
            ...metadata,
            groups: Object.fromEntries(Object.entries(metadata.groups).map(([name, ranks]) => [numberOf(name), ranks])),
          },
  };
}
