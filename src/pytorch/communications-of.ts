import { counted } from '../base/counts.js';
import type { Finding } from '../base/finding.js';
import { finding } from '../base/catalogue.js';
import { collectiveName, isRooted } from '../trace/collective-type.js';
import type { Communication, RankCommunications } from './communication.js';
import { attachRecords, type Attached } from './communication/attach-records.js';
import { callersOf } from './communication/callers.js';
import { described, factsOf, type Facts, type Sighting } from './communication/facts.js';
import { groupClaims, type GroupClaims } from './communication/group-claims.js';
import { groupsByAddress } from './communication/group-addresses.js';
import { unrecordedOnHost } from './communication/host-only.js';
import { issueOrder } from './communication/issue-order.js';
import { communicationKernels, type CommunicationKernel } from './communication/kernels.js';
import { Notes } from './communication/notes.js';
import { recordsOf } from './communication/records.js';
import { tallied } from './communication/tally.js';
import type { Links } from './links.js';

/** A communication, where it is marked, and when it was issued. */
interface Found {
  readonly sighting: Sighting;
  readonly facts: Facts;
  /** Place in deviceEvents, −1 where it is marked on the host. */
  readonly event: number;
  /** Host node it is marked on, −1. */
  readonly node: number;
}

/**
 * The communication of one rank: every kernel of a collective library, and what the host did without one. Each is found once: on the
 * device where there is a kernel, else on the host. Each fact comes from the best source that has it (docs/link.md, section
 * "Communication"); what is missing, guessed or contradicted becomes a finding.
 */
export function communicationsOf(links: Links): RankCommunications {
  const { host, device, rank } = links;
  const notes = new Notes();
  const callers = callersOf(host);
  const records = recordsOf(host, callers);
  const kernels = communicationKernels(links, callers);
  const attached = attachRecords(links, callers, records, kernels);
  noteAttachment(attached, links, notes);

  const found: Found[] = [];
  const add = (sighting: Sighting, node: number): void => {
    const facts = factsOf(sighting, host, records, notes);
    found.push({ sighting, facts, event: sighting.kernel?.event ?? -1, node });
  };
  for (const { kernel, records: carried, nested } of attached.carriers) {
    const { titles, titleNodes } = kernel;
    if (carried.length === 0) add({ kernel, record: -1, nested, shared: false, titles, titleNodes }, -1);
    for (const record of carried) {
      add({ kernel, record, nested, shared: carried.length > 1, titles, titleNodes }, -1);
    }
  }
  for (const record of attached.withoutKernel) {
    add({ kernel: undefined, record, nested: false, shared: false, titles: [], titleNodes: [] }, record);
  }
  const known = [...records.outer.keys(), ...kernels.flatMap(({ titleNodes }) => titleNodes)];
  const unrecorded = unrecordedOnHost(host, callers, known);
  for (const sighting of unrecorded) add(sighting, sighting.titleNodes[0]);
  if (device !== undefined) {
    for (const { sighting } of found.filter(({ event }) => event < 0)) {
      notes.add('COMMUNICATION_WITHOUT_KERNEL', () => described(sighting, host));
    }
  }

  const claims = groupClaims(links, notes);
  const worldSize = device?.distributed?.worldSize ?? NaN;
  const issued = inIssueOrder(found, links);
  const named = groupsByAddress(
    issued.map((place) => ({
      group: found[place].facts.group,
      handle: host.communications.get(found[place].sighting.record)?.groupHandle,
      size: found[place].facts.groupSize,
    })),
    worldSize,
  );
  const groups: string[] = [];
  const orders = new Int32Array(found.length);
  const next = new Map<string, number>();
  issued.forEach((place, at) => {
    const group = named.groups[at];
    groups[place] = group;
    orders[place] = next.get(group) ?? 0;
    next.set(group, orders[place] + 1);
  });
  const sizes = new Map(claims.sizes);
  found.forEach(({ facts: { groupSize } }, place) => {
    if (groups[place] !== '' && !Number.isNaN(groupSize) && !sizes.has(groups[place]))
      sizes.set(groups[place], groupSize);
  });

  const onDevice = new Map<number, Communication[]>();
  const onHost = new Map<number, Communication[]>();
  const ascending = found.map((_, place) => place);
  ascending.sort(
    (left, right) => found[left].event - found[right].event || found[left].node - found[right].node || left - right,
  );
  for (const place of ascending) {
    const { event, node } = found[place];
    const communication = completed(found[place], groups[place], orders[place], claims, notes);
    const [map, key] = event >= 0 ? [onDevice, event] : [onHost, node];
    const list = map.get(key);
    if (list === undefined) map.set(key, [communication]);
    else list.push(communication);
  }

  const findings = [
    ...notes.list(WORDING, { rank, file: host.file }),
    ...brokenGroups(links),
    ...(named.message === undefined
      ? []
      : [finding('COMMUNICATION_GROUP_ADDRESS', named.message, { rank, file: host.file })]),
  ];
  const tallies = tallied(found.map(({ facts }, place) => ({ ...facts, group: groups[place] })));
  return { rank, onDevice, onHost, groups: claims.groups, groupSizes: sizes, worldSize, tallies, findings };
}

function noteAttachment({ parts, byOrder, ambiguous }: Attached, { host }: Links, notes: Notes): void {
  const bare = { record: -1, nested: false, shared: false, titles: [], titleNodes: [] };
  const told = (kernel: CommunicationKernel): string => described({ ...bare, kernel }, host);
  for (const kernel of parts) notes.add('COMMUNICATION_KERNELS_SHARE', () => told(kernel));
  for (const kernel of byOrder) notes.add('COMMUNICATION_BY_ORDER', () => told(kernel));
  for (const record of ambiguous) {
    notes.add('COMMUNICATION_AMBIGUOUS', () => described({ ...bare, kernel: undefined, record }, host));
  }
}

/** Places in `found`, in the order of issue. */
function inIssueOrder(found: readonly Found[], { host, device, hostEvent }: Links): number[] {
  return issueOrder(
    found.map(({ sighting: { kernel, record, titleNodes } }) => {
      // An op further out than these may have started long before the launch; the time of the launch says more.
      const node = record >= 0 ? record : (titleNodes[0] ?? -1);
      const event = node < 0 || device === undefined ? -1 : hostEvent[node];
      return {
        id: node < 0 ? NaN : host.id[node],
        startNs: kernel?.issuedNs ?? (event < 0 ? NaN : device!.hostEvents.startNs[event]),
      };
    }),
  );
}

/** The communication with the rank that its position in the group stands for. */
function completed(
  { facts, sighting }: Found,
  group: string,
  order: number,
  { groups, sizes }: GroupClaims,
  notes: Notes,
): Communication {
  const { kind, type, bytes, sendSplits, receiveSplits } = facts;
  const rooted = kind === 'collective' && isRooted(type);
  const transfer = kind !== 'collective';
  // Without a name, and in the undeclared default group, all ranks take part in order.
  const world = group === '' || (group === '0' && !groups.has(group));
  const members = groups.get(group);
  const position =
    facts.position < 0 && facts.peer >= 0
      ? (members?.indexOf(facts.peer) ?? (world ? facts.peer : -1))
      : facts.position;
  const rank = facts.peer >= 0 ? facts.peer : position < 0 ? -1 : (members?.[position] ?? (world ? position : -1));
  // A group that this rank does not declare may yet be found from what other ranks say.
  if (rank < 0 && (position < 0 || members !== undefined)) {
    const why =
      position < 0
        ? 'the position is not recorded'
        : `position ${position} of ${sizes.get(group) ?? 'unknown'} members`;
    const where = group === '' ? 'no group' : `group ${JSON.stringify(group)}`;
    if (rooted) notes.add('COMMUNICATION_ROOT_UNKNOWN', () => `${collectiveName(type)} in ${where}: ${why}`);
    if (transfer) notes.add('COMMUNICATION_PEER_UNKNOWN', () => `${kind} in ${where}: ${why}`);
  }
  return {
    kind,
    type,
    bytes,
    group,
    root: rooted ? rank : -1,
    rootPosition: rooted ? position : -1,
    sendSplits,
    receiveSplits,
    peer: transfer ? rank : -1,
    peerPosition: transfer ? position : -1,
    order,
    record: sighting.record,
  };
}

function brokenGroups({ host, rank }: Links): Finding[] {
  return host.brokenGroups.map(({ node, code, reason }) =>
    finding(code, `process_group:init (host node ${host.id[node]}): ${reason}`, { rank, file: host.file }),
  );
}

const WORDING = {
  COMMUNICATION_AMBIGUOUS: (count: number) =>
    `${counted(count, 'record')} may be ${count === 1 ? 'that of a kernel' : 'those of kernels'} without a launching call; the kernels count, ${count === 1 ? 'this record does' : 'these records do'} not`,
  COMMUNICATION_BYTES_DIFFER: (count: number) => `${counted(count, 'communication')} of two sizes`,
  COMMUNICATION_BYTES_UNKNOWN: (count: number) => `${counted(count, 'communication')} of unknown size`,
  COMMUNICATION_BY_ORDER: (count: number) =>
    `${counted(count, 'kernel')} without a launching call ${count === 1 ? 'has its record' : 'have their records'} by type and order`,
  COMMUNICATION_GROUP_DIFFERS: (count: number) => `${counted(count, 'difference')} about members`,
  COMMUNICATION_KERNELS_SHARE: (count: number) =>
    count === 1
      ? '1 kernel carries a part of what an earlier one stands for'
      : `${counted(count, 'kernel')} carry parts of what earlier ones stand for`,
  COMMUNICATION_PEER_UNKNOWN: (count: number) =>
    `${counted(count, 'send or receive', 'sends and receives')} without the other end`,
  COMMUNICATION_ROOT_UNKNOWN: (count: number) =>
    `${counted(count, 'collective')} without ${count === 1 ? 'its root' : 'their roots'}`,
  COMMUNICATION_SPLITS_UNUSABLE: (count: number) => `${counted(count, 'all-to-all')} whose splits cannot be used`,
  COMMUNICATION_TYPE_DIFFERS: (count: number) => `${counted(count, 'communication')} of two types`,
  COMMUNICATION_TYPE_UNKNOWN: (count: number) => `${counted(count, 'collective')} of unknown type`,
  COMMUNICATION_WITHOUT_KERNEL: (count: number) =>
    `${counted(count, 'communication')} without a kernel, marked on the host`,
};
