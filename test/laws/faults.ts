import { CollectiveType } from '../../src/trace/collective-type.js';
import type { FindingCode } from '../../src/base/catalogue.js';
import type { NodeObject } from '../support/traces.js';

/** A job that faults are put into: the nodes of each rank and the groups declared beside them. */
export interface FaultyJob {
  readonly nodes: NodeObject[][];
  readonly groups: Record<string, number[]>;
}

/** Something done wrong in a job. */
export interface Fault {
  readonly name: string;
  /** Codes of which `validate` has to find at least one. */
  readonly codes: readonly FindingCode[];
  /** Puts the fault in, somewhere that `draw` decides; `false` where the job has no place for it. */
  put(job: FaultyJob, draw: (bound: number) => number): boolean;
}

type Draw = (bound: number) => number;
type Place = { rank: number; node: NodeObject };

const isSend = ({ type }: NodeObject): boolean => type === 'COMM_SEND_NODE';
const isReceive = ({ type }: NodeObject): boolean => type === 'COMM_RECV_NODE';
const isCollective = ({ type }: NodeObject): boolean => type === 'COMM_COLL_NODE';
const peerOf = ({ attr }: NodeObject): number => Number((attr!.comm_dst ?? attr!.comm_src)?.int32_val);
const groupOf = ({ attr }: NodeObject): string => (attr!.pg_name?.string_val as string | undefined) ?? 'world';
const typeOf = ({ attr }: NodeObject): number => Number(attr!.comm_type?.int64_val);
const rooted: readonly number[] = [
  CollectiveType.reduce,
  CollectiveType.broadcast,
  CollectiveType.gather,
  CollectiveType.scatter,
];

function pick({ nodes }: FaultyJob, draw: Draw, fits: (place: Place) => boolean): Place | undefined {
  const places = nodes.flatMap((list, rank) => list.map((node) => ({ rank, node }))).filter(fits);
  return places.length === 0 ? undefined : places[draw(places.length)];
}

/** A fault at one node. */
function at(
  name: string,
  codes: readonly FindingCode[],
  fits: (place: Place, job: FaultyJob) => boolean,
  change: (place: Place, job: FaultyJob, draw: Draw) => void,
): Fault {
  return {
    name,
    codes,
    put(job, draw) {
      const place = pick(job, draw, (each) => fits(each, job));
      if (place !== undefined) change(place, job, draw);
      return place !== undefined;
    },
  };
}

const withOthers = ({ node }: Place, { groups }: FaultyJob): boolean =>
  isCollective(node) && (groups[groupOf(node)]?.length ?? 0) > 1;
const anyNode = (): boolean => true;

/** Takes a node out; what waited for it waits for what it waited for. */
function drop({ rank, node }: Place, { nodes }: FaultyJob): void {
  nodes[rank].splice(nodes[rank].indexOf(node), 1);
  for (const each of nodes[rank]) {
    each.data_deps = (each.data_deps ?? []).flatMap((id) => (id === node.id ? (node.data_deps ?? []) : [id]));
    each.ctrl_deps = (each.ctrl_deps ?? []).flatMap((id) => (id === node.id ? (node.ctrl_deps ?? []) : [id]));
  }
}

function repeat({ rank, node }: Place, { nodes }: FaultyJob): void {
  const id = 1 + Math.max(...nodes[rank].map((each) => Number(each.id)));
  nodes[rank].push({ ...structuredClone(node), id });
}

/** Two ranks that are in two groups wait for the first collective of one before that of the other, each the other way round. */
const oppositeOrders: Fault = {
  name: 'two groups in opposite orders on two ranks',
  codes: ['WAIT_CYCLE', 'CYCLE'],
  put({ nodes, groups }, draw) {
    const first = (rank: number, group: string): NodeObject | undefined =>
      nodes[rank]
        .filter((node) => isCollective(node) && groupOf(node) === group)
        .sort((left, right) => Number(left.id) - Number(right.id))[0];
    const used = Object.keys(groups).filter((group) => groups[group].length > 1 && first(groups[group][0], group));
    const one = used[draw(Math.max(1, used.length))];
    const other = used.find(
      (group) => group !== one && groups[group].filter((rank) => groups[one].includes(rank)).length > 1,
    );
    if (one === undefined || other === undefined) return false;
    const [left, right] = groups[one].filter((rank) => groups[other].includes(rank));
    const wait = (rank: number, later: string, earlier: string): void => {
      const node = first(rank, later)!;
      node.data_deps = [...(node.data_deps ?? []), first(rank, earlier)!.id!];
    };
    wait(left, one, other);
    wait(right, other, one);
    return true;
  },
};

/** The table: every kind of fault, and the codes it is found by. */
export const FAULTS: readonly Fault[] = [
  oppositeOrders,
  at('a send left out', ['RECEIVE_UNMATCHED'], ({ node }) => isSend(node), drop),
  at('a receive left out', ['SEND_UNMATCHED'], ({ node }) => isReceive(node), drop),
  at('a send repeated', ['SEND_UNMATCHED'], ({ node }) => isSend(node), repeat),
  at('a receive repeated', ['RECEIVE_UNMATCHED'], ({ node }) => isReceive(node), repeat),
  at(
    'another tag on a send',
    ['RECEIVE_UNMATCHED'],
    ({ node }) => isSend(node),
    ({ node }) => (node.attr!.comm_tag = { int32_val: 7777 }),
  ),
  at(
    'another tag on a receive',
    ['RECEIVE_UNMATCHED'],
    ({ node }) => isReceive(node),
    ({ node }) => (node.attr!.comm_tag = { int32_val: 7777 }),
  ),
  at(
    'another partner of a send',
    ['RECEIVE_UNMATCHED'],
    ({ node }, { nodes }) => isSend(node) && nodes.length > 1,
    ({ node }, { nodes }) => (node.attr!.comm_dst = { int32_val: (peerOf(node) + 1) % nodes.length }),
  ),
  at(
    'another partner of a receive',
    ['RECEIVE_UNMATCHED'],
    ({ node }, { nodes }) => isReceive(node) && nodes.length > 1,
    ({ node }, { nodes }) => (node.attr!.comm_src = { int32_val: (peerOf(node) + 1) % nodes.length }),
  ),
  at(
    'a partner that is no rank',
    ['PEER_OUT_OF_RANGE'],
    ({ node }) => isReceive(node),
    ({ node }, { nodes }) => (node.attr!.comm_src = { int32_val: nodes.length }),
  ),
  at(
    'no partner',
    ['PEER_MISSING'],
    ({ node }) => isReceive(node),
    ({ node }) => delete node.attr!.comm_src,
  ),
  at('a collective left out on one rank', ['COLLECTIVE_COUNT'], withOthers, drop),
  at('a collective repeated on one rank', ['COLLECTIVE_COUNT'], withOthers, repeat),
  at('another type on one rank', ['COLLECTIVE_TYPE'], withOthers, ({ node }) => {
    node.attr!.comm_type = { int64_val: (typeOf(node) + 1) % 10 };
  }),
  at('an unknown type', ['COMM_TYPE_UNKNOWN'], withOthers, ({ node }) => {
    node.attr!.comm_type = { int64_val: 77 };
  }),
  at('no type', ['COMM_TYPE_MISSING'], withOthers, ({ node }) => delete node.attr!.comm_type),
  at(
    'no size',
    ['COMM_SIZE_MISSING'],
    (place, job) => withOthers(place, job) && typeOf(place.node) !== CollectiveType.barrier,
    ({ node }) => delete node.attr!.comm_size,
  ),
  at(
    'another size on one rank',
    ['COLLECTIVE_SIZE'],
    (place, job) => withOthers(place, job) && typeOf(place.node) !== CollectiveType.barrier,
    ({ node }) => (node.attr!.comm_size = { int64_val: 1 + Number(node.attr!.comm_size?.int64_val ?? 0) }),
  ),
  at(
    'another root on one rank',
    ['COLLECTIVE_ROOT'],
    (place, job) => withOthers(place, job) && rooted.includes(typeOf(place.node)),
    ({ node }, { groups }) => {
      const members = groups[groupOf(node)];
      const root = members.indexOf(Number(node.attr!.root?.int64_val));
      node.attr!.root = { int64_val: members[(root + 1) % members.length] };
    },
  ),
  at('a group nobody declares', ['GROUP_UNDECLARED'], withOthers, ({ node }) => {
    node.attr!.pg_name = { string_val: 'nowhere' };
  }),
  at(
    'another group on one rank',
    ['COLLECTIVE_COUNT', 'RANK_OUTSIDE_GROUP'],
    (place, job) => withOthers(place, job) && groupOf(place.node) === 'a',
    ({ node }) => (node.attr!.pg_name = { string_val: 'b' }),
  ),
  at(
    'split lists that disagree',
    ['SPLITS_DISAGREE'],
    (place, job) => {
      return withOthers(place, job) && typeOf(place.node) === CollectiveType.allToAll;
    },
    ({ node }) => {
      node.attr!.send_split_bytes = { int64_list: [1] };
    },
  ),
  at(
    'a dependency that closes a cycle',
    ['CYCLE'],
    ({ rank, node }, { nodes }) => {
      return nodes[rank].some(({ data_deps }) => data_deps?.includes(node.id!));
    },
    ({ rank, node }, { nodes }) => {
      const behind = nodes[rank].find(({ data_deps }) => data_deps?.includes(node.id!))!;
      node.data_deps = [...(node.data_deps ?? []), behind.id!];
    },
  ),
  at('a node that depends on itself', ['SELF_DATA'], anyNode, ({ node }) => {
    node.data_deps = [...(node.data_deps ?? []), node.id!];
  }),
  at('a node that is its own control parent', ['NODES_NEVER_START', 'NO_INITIAL_NODE'], anyNode, ({ node }) => {
    node.ctrl_deps = [...(node.ctrl_deps ?? []), node.id!];
  }),
  at('a data dependency on a missing node', ['DANGLING_DATA'], anyNode, ({ node }) => {
    node.data_deps = [...(node.data_deps ?? []), 999_999];
  }),
  at('a control dependency on a missing node', ['DANGLING_CONTROL'], anyNode, ({ node }) => {
    node.ctrl_deps = [...(node.ctrl_deps ?? []), 999_999];
  }),
  at(
    'two nodes with one id',
    ['DUPLICATE_ID'],
    ({ rank }, { nodes }) => nodes[rank].length > 1,
    ({ rank, node }, { nodes }) => {
      const other = nodes[rank].find((each) => each !== node)!;
      node.id = other.id!;
    },
  ),
  at(
    'a node of unknown type',
    ['NODE_TYPE_UNKNOWN'],
    ({ node }) => node.type === 'COMP_NODE',
    ({ node }) => {
      node.type = 42;
    },
  ),
  at('a member taken out of its group', ['RANK_OUTSIDE_GROUP'], withOthers, ({ rank, node }, { groups }) => {
    groups[groupOf(node)] = groups[groupOf(node)].filter((member) => member !== rank);
  }),
  at('a member twice in its group', ['GROUP_MEMBER_TWICE'], withOthers, ({ rank, node }, { groups }) => {
    groups[groupOf(node)] = [...groups[groupOf(node)], rank];
  }),
  at('a member that is no rank', ['GROUP_MEMBER_OUT_OF_RANGE'], withOthers, ({ node }, { nodes, groups }) => {
    groups[groupOf(node)] = [...groups[groupOf(node)], nodes.length];
  }),
  at('a group without members', ['GROUP_EMPTY'], withOthers, ({ node }, { groups }) => {
    groups[groupOf(node)] = [];
  }),
];

/** Faults whose codes depend on the rest of the job; what they do to it is only held against the replay. */
export const DISORDERS: readonly Fault[] = [
  at(
    'a dependency on any other node',
    [],
    ({ rank }, { nodes }) => nodes[rank].length > 1,
    ({ rank, node }, { nodes }, draw) => {
      const other = nodes[rank][draw(nodes[rank].length)];
      if (other !== node) node.data_deps = [...(node.data_deps ?? []), other.id!];
    },
  ),
  at(
    'another place in the order of issue',
    [],
    ({ node }) => isCollective(node) || isSend(node),
    ({ node }, _job, draw) => (node.attr!.issue_order = { int64_val: draw(6) }),
  ),
  at(
    'two nodes that change places',
    [],
    ({ rank }, { nodes }) => nodes[rank].length > 1,
    ({ rank, node }, { nodes }, draw) => {
      const other = nodes[rank][draw(nodes[rank].length)];
      [node.type, other.type, node.attr, other.attr] = [other.type!, node.type!, other.attr!, node.attr!];
    },
  ),
  at('dependencies dropped', [], anyNode, ({ node }) => {
    node.data_deps = [];
    node.ctrl_deps = [];
  }),
];
