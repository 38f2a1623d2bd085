import { counted, grouped } from '../base/counts.js';
import type { Finding } from '../base/finding.js';
import { collectiveName } from '../trace/collective-type.js';
import { DIMENSIONS_BY_DEFAULT, nameOf, type CollectivePlan, type Phase } from './collective-plan.js';
import { FindingsByKind, type NodeKind } from './findings-by-kind.js';
import { Pattern, type PhaseKind } from './phase-shape.js';
import type { PlanCatalogue, PlanUse } from './plan-catalogue.js';
import { implementationKey, type Implementation } from './system-configuration.js';
import type { CollectiveSetting } from './system-run.js';

/** What there is to say of collectives (astra-sim-semantics sections 5, 8 to 10, 18); the nouns count nodes, one a member. */
const KINDS = {
  customSplits: {
    code: 'SYSTEM_CUSTOM_SPLITS',
    noun: 'node of a custom collective',
    plural: 'nodes of custom collectives',
  },
  customUnsorted: {
    code: 'SYSTEM_CUSTOM_UNSORTED',
    noun: 'node of a custom collective',
    plural: 'nodes of custom collectives',
  },
  halvingRanks: { code: 'SYSTEM_HALVING_RANKS', noun: 'collective node' },
  halvingBit: { code: 'SYSTEM_HALVING_SIZE', noun: 'collective node' },
  halvingZero: { code: 'SYSTEM_HALVING_SIZE', noun: 'collective node' },
  treeStandsIn: { code: 'SYSTEM_TREE_STANDS_IN', noun: 'collective node' },
  treeInGroup: { code: 'SYSTEM_TREE_IN_GROUP', noun: 'collective node' },
  groupRing: { code: 'SYSTEM_GROUP_RING', noun: 'collective node' },
  inflated: { code: 'SYSTEM_SIZE_RAISED', noun: 'collective node' },
  chunkMore: { code: 'SYSTEM_SIZE_RAISED', noun: 'collective node' },
  gatherSmall: {
    code: 'ASTRA_GATHER_SMALL',
    severity: 'note',
    noun: 'collective node',
  },
  empty: { code: 'SYSTEM_COLLECTIVE_EMPTY', noun: 'collective node' },
  leftOut: { code: 'SYSTEM_DIMENSIONS_LEFT_OUT', noun: 'collective node' },
  beyondFour: { code: 'SYSTEM_DIMENSIONS_LEFT_OUT', noun: 'collective node' },
} as const satisfies Record<string, NodeKind>;

type Kind = keyof typeof KINDS;

/** Findings about collectives that run otherwise than one may think, or that the program does not run to the end. */
export function planFindings(run: CollectiveSetting, catalogue: PlanCatalogue): Finding[] {
  const { plans, uses } = catalogue;
  const found = new FindingsByKind<Kind>(KINDS);
  for (const [number, plan] of plans.entries()) {
    const use = uses[number];
    // Phases may say the same.
    const notes = new Map(notesOf(run, plan, use, catalogue).reverse());
    for (const [kind, fate] of notes) found.add(kind, use.nodes, () => ({ place: use.first, fate }));
  }
  return found.findings();
}

/** What is to be said of a plan. */
function notesOf(
  run: CollectiveSetting,
  plan: CollectivePlan,
  use: PlanUse,
  catalogue: PlanCatalogue,
): [Kind, string][] {
  const [phases] = plan.orders;
  if (plan.custom !== undefined) return customNotes(run, plan, catalogue.groups);
  if (phases.length === 0) return [['empty', emptyText(plan, catalogue.groups)]];
  const listed = catalogue.implementations(use.collective) ?? [];
  return [
    ...sizeNotes(run, plan, use),
    ...(plan.isInGroup ? groupNotes(listed, use) : dimensionNotes(run, listed, use)),
    ...phases.flatMap((phase) => phaseNotes(plan, phase)),
  ];
}

function customNotes(
  { system, groups }: CollectiveSetting,
  plan: CollectivePlan,
  names: readonly string[],
): [Kind, string][] {
  const notes: [Kind, string][] = [];
  if (system.datasetSplits !== 1) {
    const splits = `preferred-dataset-splits is ${system.datasetSplits}`;
    notes.push(['customSplits', `${splits}, and ASTRA-sim waits for chunks that never come; here it runs once, whole`]);
  }
  const ranks = plan.isInGroup ? (groups.get(names[plan.group])?.ranks ?? []) : [];
  if (ranks.some((rank, place) => place > 0 && rank < ranks[place - 1])) {
    const group = `group ${JSON.stringify(names[plan.group])} is not in ascending order`;
    notes.push(['customUnsorted', `${group}, and ASTRA-sim mixes up its members; here places are those of the group`]);
  }
  return notes;
}

function emptyText({ groupSize, group, isInGroup }: CollectivePlan, names: readonly string[]): string {
  const why =
    isInGroup && groupSize === 1
      ? `group ${JSON.stringify(names[group])} has one rank`
      : 'no dimension with an implementation is involved';
  return `${why}: it ends at once here, and never in ASTRA-sim`;
}

function sizeNotes(run: CollectiveSetting, plan: CollectivePlan, { collective }: PlanUse): [Kind, string][] {
  const { type, bytes, chunks, chunkBytes } = plan;
  const { datasetSplits } = run.system;
  const carried = chunks * chunkBytes;
  if (collective === 'allGather' && bytes < datasetSplits) {
    const few = `${counted(bytes, 'byte')} for preferred-dataset-splits ${datasetSplits}`;
    return [['gatherSmall', `${few}, where ASTRA-sim never ends; here its chunks have 1 byte`]];
  }
  if (carried === bytes) return [];
  const asked = `${collectiveName(type)} of ${counted(bytes, 'byte')}`;
  const runs = `${counted(chunks, 'chunk')} of ${counted(chunkBytes, 'byte')}, ${grouped(carried)} in all`;
  return chunks === datasetSplits
    ? [['inflated', `${asked} runs as ${runs}: a chunk has a byte for each of ${run.rankCount} NPUs, as in ASTRA-sim`]]
    : [['chunkMore', `${asked} runs as ${runs}: the last is as large as the others, as in ASTRA-sim`]];
}

function groupNotes(listed: readonly Implementation[], { collective }: PlanUse): [Kind, string][] {
  if (listed.length === 1 || listed.every((entry) => nameOf(entry) === 'ring')) return [];
  const entries = `${implementationKey(collective)} has ${listed.length} entries`;
  return [['groupRing', `${entries}, which stand for ring in a group, as in ASTRA-sim`]];
}

function dimensionNotes(
  { network }: CollectiveSetting,
  listed: readonly Implementation[],
  { collective, namesDimensions }: PlanUse,
): [Kind, string][] {
  const { length: dimensions } = network.dimensions;
  if (namesDimensions || listed.some(({ whole }) => whole)) return [];
  if (listed.length > DIMENSIONS_BY_DEFAULT) {
    const only = `only the first ${DIMENSIONS_BY_DEFAULT} of ${dimensions} dimensions take part`;
    return [['beyondFour', `without involved_dim ${only}, as in ASTRA-sim`]];
  }
  if (listed.length >= dimensions) return [];
  const entries = `${implementationKey(collective)} has ${counted(listed.length, 'entry', 'entries')}`;
  return [['leftOut', `${entries} for ${dimensions} dimensions: the others take no part, as in ASTRA-sim`]];
}

const STANDS_FOR: Readonly<Record<PhaseKind, string>> = {
  allReduce: 'AllReduce',
  reduceScatter: 'ReduceScatter',
  allGather: 'AllGather',
  allToAll: 'AllToAll',
};

function phaseNotes({ isInGroup }: CollectivePlan, { shape }: Phase): [Kind, string][] {
  const { pattern, kind, count, bytes, sends } = shape;
  const notes: [Kind, string][] = [];
  if (pattern === Pattern.doubleBinaryTree) {
    if (isInGroup) notes.push(['treeInGroup', 'ASTRA-sim crashes at doubleBinaryTree in a group; here it runs']);
    if (kind !== 'allReduce') {
      const instead = `does a whole AllReduce in place of the ${STANDS_FOR[kind]}`;
      notes.push(['treeStandsIn', `doubleBinaryTree ${instead}, as in ASTRA-sim`]);
    }
  }
  if (pattern !== Pattern.halvingDoubling) return notes;
  if ((count & (count - 1)) !== 0) {
    const ranks = `${count} ranks are no power of two`;
    notes.push(['halvingRanks', `${ranks}: too little data is moved, as in ASTRA-sim, and the time means nothing`]);
  }
  const turn = kind === 'allReduce' ? bytes[sends / 2 - 1] : 0;
  if (turn === 1) {
    const zero = 'halvingDoubling comes to a message of 0 bytes';
    notes.push(['halvingZero', `${zero}, where ASTRA-sim aborts; here the way back has the sizes of the way there`]);
  } else if (turn % 2 === 1) {
    const odd = `halvingDoubling turns at an odd size, ${grouped(turn)} bytes`;
    notes.push(['halvingBit', `${odd}: messages on the way back are smaller, as in ASTRA-sim`]);
  }
  return notes;
}
