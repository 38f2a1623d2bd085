import { NIC_KINDS, type NicKind } from '../network/packet/settings/packet-settings.js';
import type { ScaleUpGroup, ScaleUpSpec } from '../network/scale-up/scale-up-spec.js';
import { requestError } from '../base/errors.js';
import { LONGEST_TIME_PS } from '../base/units.js';

export { NIC_KINDS, type NicKind };

/** A machine of the network that a rank can run on. */
export interface Server {
  readonly id: number;
  readonly name: string;
  /** Node ids of the server and its NIC in the topology; equal where the NIC is no node of its own. */
  readonly node: number;
  readonly nicNode: number;
  /** Absent on networks that model no NIC. */
  readonly nic?: NicKind;
}

/** Where every rank runs. */
export interface Placement {
  /** All servers with a NIC, ascending id; those no rank runs on among them. */
  readonly servers: readonly Server[];
  /** [ranks] */
  readonly serverOf: readonly Server[];
  /** Ascending id; empty without scale-up groups. */
  readonly groups: readonly ScaleUpGroup[];
  readonly groupOf: Int32Array; // [ranks] index in groups, −1 for a rank in none
  readonly subgroupOf: Uint32Array; // [ranks] subgroup id, 0 where there is no group
}

/** What a mapping file says (R-034 … R-038). */
export interface Mapping {
  readonly serverOf: Uint32Array; // [ranks] server id
  /** Groups that have a rank, ascending id. */
  readonly groups: readonly ScaleUpGroup[];
  readonly groupOf: Int32Array; // [ranks] index in groups, −1 for a rank in none
  readonly subgroupOf: Uint32Array; // [ranks] subgroup id, 0 where there is no group
}

export interface PlacementRequest {
  readonly rankCount: number;
  /** Servers of the network that have a NIC, in any order; undefined on a network that has as many as it is asked for. */
  readonly servers?: readonly Server[];
  /** Ids of the same, where nothing else is known of them. */
  readonly serverIds?: readonly number[];
  readonly mapping?: Mapping;
  /** Its file, for messages. */
  readonly mappingName?: string;
  /** Leave surplus servers idle instead of refusing them. Default `false`. */
  readonly allowExtraServers?: boolean;
}

/** Name of the application of a rank. */
export function applicationName(rank: number): string {
  return `ChakraApp-${rank}`;
}

/**
 * Places every rank: where the mapping says, else rank r on the server with the r-th lowest id. Where the network
 * names no servers, there are just those that are needed: ids 0 … R−1, or those of the mapping.
 *
 * @throws PrepError `MAPPING_RANK_COUNT`, `SERVER_UNKNOWN`; `SERVER_COUNT`; `NIC_KINDS_MIXED`;
 *   `TIME_TOO_LARGE` for a scale-up crossing that no run can last
 */
export function placeRanks(request: PlacementRequest): Placement {
  const { rankCount, mapping, mappingName = 'mapping' } = request;
  if (mapping && mapping.serverOf.length !== rankCount) {
    throw requestError(
      'MAPPING_RANK_COUNT',
      `${mappingName}: it places ${counted(mapping.serverOf.length, 'rank')}, the traceset has ${rankCount}`,
    );
  }
  const known = knownServers(request);
  const wanted = mapping ? mapping.serverOf : undefined;
  const servers = known ?? plainServers(wanted ? [...wanted] : [...Array(rankCount).keys()]);
  demandOneNicKind(servers);
  demandServerCount(servers, request);
  const serverOf = wanted ? mappedServers(wanted, servers, mappingName) : servers.slice(0, rankCount);
  if (mapping) demandShortCrossings(mapping.groups, mappingName);
  return {
    servers,
    serverOf,
    groups: mapping?.groups ?? [],
    groupOf: mapping?.groupOf ?? new Int32Array(rankCount).fill(-1),
    subgroupOf: mapping?.subgroupOf ?? new Uint32Array(rankCount),
  };
}

/** The scale-up fabric of a placement; undefined where no rank is in a group. */
export function scaleUpSpecOf(
  { groups, groupOf, subgroupOf }: Placement,
  { maxPayloadBytes, headerBytes }: Pick<ScaleUpSpec, 'maxPayloadBytes' | 'headerBytes'>,
): ScaleUpSpec | undefined {
  if (groupOf.every((group) => group < 0)) return undefined;
  return { groups, groupOf, subgroupOf, maxPayloadBytes, headerBytes };
}

/** Ascending id; undefined where the network names none. */
function knownServers({ servers, serverIds }: PlacementRequest): readonly Server[] | undefined {
  if (servers) return [...servers].sort((a, b) => a.id - b.id);
  return serverIds && plainServers(serverIds);
}

/** Servers of which only the id is known: each its own node, named h<id>. */
function plainServers(ids: readonly number[]): Server[] {
  return [...ids].sort((a, b) => a - b).map((id) => ({ id, name: `h${id}`, node: id, nicNode: id }));
}

function demandOneNicKind(servers: readonly Server[]): void {
  const other = servers.find(({ nic }) => nic !== servers[0].nic);
  if (!other) return;
  const kind = ({ nic }: Server): string => nic ?? 'none';
  throw requestError(
    'NIC_KINDS_MIXED',
    `server ${other.id} (${other.name}) has NIC ${kind(other)}, the servers before it have ${kind(servers[0])}; ` +
      `expected one of ${NIC_KINDS.join(', ')} on all servers`,
  );
}

function demandServerCount(servers: readonly Server[], { rankCount, allowExtraServers }: PlacementRequest): void {
  if (servers.length === rankCount || (servers.length > rankCount && allowExtraServers)) return;
  const message = `the network has ${counted(servers.length, 'server')}, the traceset ${counted(rankCount, 'rank')}`;
  if (servers.length < rankCount) {
    throw requestError('SERVER_COUNT', `${message}; expected one server a rank`, 'give the network more servers');
  }
  throw requestError(
    'SERVER_COUNT',
    `${message}; expected as many, or AllowExtraServers`,
    'let the surplus stay idle with --allow-extra-servers',
  );
}

function mappedServers(wanted: Uint32Array, servers: readonly Server[], mappingName: string): Server[] {
  const byId = new Map(servers.map((server) => [server.id, server]));
  return Array.from(wanted, (id, rank) => {
    const server = byId.get(id);
    if (server) return server;
    const ids = servers.length > 8 ? `${servers.length} others` : servers.map((other) => other.id).join(', ');
    throw requestError('SERVER_UNKNOWN', `${mappingName}: rank ${rank} on server ${id}, the network has ${ids}`);
  });
}

/** A packet crosses at most three switches and four cables. */
function demandShortCrossings(groups: readonly ScaleUpGroup[], mappingName: string): void {
  for (const { id, switchLatencyPs, cableLatencyPs } of groups) {
    if (3 * switchLatencyPs + 4 * cableLatencyPs <= LONGEST_TIME_PS) continue;
    throw requestError(
      'TIME_TOO_LARGE',
      `${mappingName}: group ${id}: 3 switch hops and 4 cables take more than 2^53 ps (9007 s), longer than any run`,
    );
  }
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
