import { finding } from '../base/catalogue.js';
import { counted, grouped } from '../base/counts.js';
import type { Finding } from '../base/finding.js';
import { collectiveName } from '../trace/collective-type.js';
import { WORLD } from '../trace/process-group.js';
import type { CollectiveRow, Member } from './collective-rows.js';
import type { PlanCatalogue } from './plan-catalogue.js';
import { placesOf } from './places-of.js';
import type { RanSystem } from './ran-system.js';
import type { SystemEngine } from './system-engine.js';
import type { SystemRun } from './system-run.js';
import { undelivered } from './undelivered.js';

/** What there is to say of the settings of a run, and of what happened in it where the program would have gone wrong. */
export function runFindings(ran: RanSystem): Finding[] {
  const { run, catalogue, engine } = ran;
  return [
    ...settingNotes(run),
    ...startNotes(run, catalogue, engine),
    ...crossedFindings(engine),
    ...apartFindings(engine),
    ...rescuedFindings(ran),
    ...lateFindings(ran),
    ...undeliveredFindings(engine),
  ];
}

function settingNotes({ system, network, backend }: SystemRun): Finding[] {
  const { file } = system;
  const findings: Finding[] = [];
  if (system.replayOnly) {
    const message = `${file}: replay-only: every node takes its duration, communication too, and nothing is sent`;
    findings.push(finding('SYSTEM_REPLAY_ONLY', message, { file }));
  }
  if (backend !== 'analytical-aware') return findings;
  const { dimensions } = network;
  if (dimensions.length > 1) {
    const message = `a network of ${dimensions.length} dimensions with congestion, which ASTRA-sim refuses; here each has its links`;
    findings.push(finding('SYSTEM_NETWORK_BEYOND', message));
  } else if (dimensions[0].npus === 2 && dimensions[0].topology === 'Ring') {
    const message = 'a Ring of two NPUs with congestion, at which ASTRA-sim aborts; here it has a link each way';
    findings.push(finding('SYSTEM_NETWORK_BEYOND', message));
  }
  return findings;
}

function startNotes({ system }: SystemRun, { plans }: PlanCatalogue, { startsAtZero }: SystemEngine): Finding[] {
  // A collective without phases ends at 0 ns here and never there, which has its own finding.
  if (!startsAtZero || plans.some(({ orders: [phases], custom }) => phases.length === 0 && custom === undefined))
    return [];
  const why = system.endpointDelayNs === 0 ? `${system.file}: endpoint-delay is 0` : 'a node or message takes 0 ns';
  return [finding('SYSTEM_START_ABORTS', `${why}, and something ends at 0 ns, where ASTRA-sim aborts`)];
}

/** One a group: those that follow are crossed because the first is. */
function crossedFindings({ rows }: SystemEngine): Finding[] {
  const byGroup = new Map<string, { message: string; count: number }>();
  rows.forEachCrossed((group, row, other) => {
    const found = byGroup.get(group);
    if (found !== undefined) found.count++;
    else byGroup.set(group, { message: crossedText(group, row, other), count: 1 });
  });
  return [...byGroup].map(([group, { message, count }]) =>
    finding('SYSTEM_COLLECTIVES_CROSSED', message, { group, ...(count > 1 && { count }) }),
  );
}

/** `collective 0 over all ranks: rank 0 begins AllReduce of 8 bytes (ring), rank 1 AllGather of 8 bytes (ring)` */
export function crossedText(group: string, { instance, first: one }: CollectiveRow, other: Member): string {
  const of = group === WORLD ? 'over all ranks' : `of group ${JSON.stringify(group)}`;
  const byId = ({ ordinal }: Member): string => (one.plan === other.plan ? `, number ${ordinal} by id` : '');
  const what = (member: Member): string => {
    const { type, bytes, algorithm } = member.plan;
    return `${collectiveName(type)} of ${counted(bytes, 'byte')} (${algorithm})${byId(member)}`;
  };
  return `collective ${instance} ${of}: rank ${one.rank} begins ${what(one)}, rank ${other.rank} ${what(other)}`;
}

function apartFindings({ rows }: SystemEngine): Finding[] {
  const row = rows.firstApart();
  if (row === undefined) return [];
  const { instance, first, apart } = row;
  const message = `collective ${instance} over all ranks comes behind other collectives of groups on rank ${apart} than on rank ${first.rank}: ASTRA-sim never ends it`;
  return [finding('ASTRA_WORLD_AFTER_GROUP', message, { severity: 'note' })];
}

const SKIPPED = 'an INVALID, METADATA or skipped node';

/** Nodes that the program forgets: the one before completes without a look at what is ready, and no other will (section 3). */
function rescuedFindings({ run, nodes, engine, standsFor }: RanSystem): Finding[] {
  const { rescued } = engine.workload;
  const [first] = rescued;
  if (first === undefined) return [];
  const [place] = placesOf(run, nodes, first[0], [first[1]]);
  const count = standsFor * rescued.size;
  const where = count === 1 ? '' : ` (${counted(count, 'rank')} alike)`;
  const fate = 'ASTRA-sim forgets it and the rank never finishes; here it starts';
  return [
    finding('ASTRA_NODE_SKIPPED', `${place.label} waits for ${SKIPPED}${where}: ${fate}`, {
      severity: 'note',
      rank: place.rank,
      nodes: [place.id],
      ...(count > 1 && { count }),
    }),
  ];
}

/** Nodes that wait for the completion of another one than that which they depend on. */
function lateFindings({ run, nodes, engine, standsFor }: RanSystem): Finding[] {
  const { late, firstLate } = engine.workload;
  if (late === 0) return [];
  const [place] = placesOf(run, nodes, nodes.rankOf(firstLate), [firstLate]);
  const count = standsFor * late;
  const where = count === 1 ? place.label : `the first ${place.label}`;
  const fate = 'such a node starts when another one of the rank completes, as in ASTRA-sim';
  return [
    finding('ASTRA_NODE_SKIPPED', `${counted(count, 'node')} behind ${SKIPPED}, ${where}: ${fate}`, {
      severity: 'warning',
      rank: place.rank,
      nodes: [place.id],
      ...(count > 1 && { count }),
    }),
  ];
}

function undeliveredFindings(engine: SystemEngine): Finding[] {
  if (engine.cutOff) return [];
  const messages = undelivered(engine.transport);
  if (messages.length === 0) return [];
  const count = messages.reduce((sum, each) => sum + each.count, 0);
  const [{ source, destination, tag, bytes }] = messages;
  const first = `rank ${source} to rank ${destination}, tag ${tag}, ${counted(bytes, 'byte')}`;
  const message = `${grouped(count)} ${count === 1 ? 'message was' : 'messages were'} never received, ${count === 1 ? '' : 'the first '}from ${first}`;
  return [finding('SEND_UNMATCHED', message, { rank: source, ...(count > 1 && { count }) })];
}
