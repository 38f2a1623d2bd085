import { requestError } from '../base/errors.js';
import { nearestName } from '../base/nearest-name.js';
import { Arm } from '../formats/et/attribute-arms.js';
import { attributeHead, type EtWriter } from '../formats/et/et-writer.js';
import { newMetadata } from '../formats/et/metadata.js';
import type { MadeJob } from '../formats/made-job.js';
import { OwnAttribute } from '../trace/attribute-names.js';
import { CollectiveType } from '../trace/collective-type.js';
import { NodeType } from '../trace/node-type.js';
import { everyAttributeArm } from './every-attribute-arm.js';

/** What the official cases are made with. */
export interface OfficialCaseParameters {
  readonly ranks: number;
  /** Duration of a compute node, whole µs. */
  readonly runtimeMicros: number;
  /** Bytes of the tensor of a memory node, a send or a receive. */
  readonly tensorBytes: number;
  /** Bytes of a collective. */
  readonly commBytes: number;
}

/** Defaults of chakra_generator (chakra-tools section 4). */
export const OFFICIAL_DEFAULTS: OfficialCaseParameters = {
  ranks: 64,
  runtimeMicros: 5,
  tensorBytes: 1024,
  commBytes: 65_536,
};

const CPU = attributeHead('is_cpu_op', Arm.bool);
const TENSOR = attributeHead('tensor_size', Arm.uint64);
const COMM_TYPE = attributeHead('comm_type', Arm.int64);
const COMM_SIZE = attributeHead('comm_size', Arm.int64);
const SOURCE = attributeHead('comm_src', Arm.int32);
const DESTINATION = attributeHead('comm_dst', Arm.int32);
const TAG = attributeHead('comm_tag', Arm.int32);
const ROOT = attributeHead(OwnAttribute.root, Arm.int64);
const ISSUE_ORDER = attributeHead(OwnAttribute.issueOrder, Arm.int64);

/** Nodes of one rank. */
type Nodes = (out: EtWriter, rank: number, parameters: OfficialCaseParameters) => void;

function compute(out: EtWriter, id: number, { runtimeMicros }: OfficialCaseParameters, parents: number[] = []): void {
  out.begin(id, 'COMP_NODE', NodeType.compute);
  out.data(parents);
  out.durationMicros(runtimeMicros);
  out.integer(CPU, 0);
  out.end();
}

function memory(name: string, type: number): Nodes {
  return (out, _rank, { tensorBytes }) => {
    out.begin(0, name, type);
    out.integer(CPU, 0);
    out.integer(TENSOR, tensorBytes);
    out.end();
  };
}

function collective(name: string, type: number): Nodes {
  return (out, _rank, { commBytes }) => {
    out.begin(0, name, NodeType.collective);
    out.integer(CPU, 0);
    out.integer(COMM_TYPE, type);
    out.integer(COMM_SIZE, type === CollectiveType.barrier ? 0 : commBytes);
    if (type === CollectiveType.broadcast) out.integer(ROOT, 0);
    out.integer(ISSUE_ORDER, 0);
    out.end();
  };
}

/** The tensor to the next rank, the last to the first. */
function send(out: EtWriter, id: number, rank: number, { ranks, tensorBytes }: OfficialCaseParameters): void {
  out.begin(id, 'COMM_SEND_NODE', NodeType.send);
  transfer(out, tensorBytes);
  out.integer(DESTINATION, (rank + 1) % ranks);
  out.integer(TAG, 0);
  out.end();
}

/** The tensor of the rank before, the first from the last. */
function receive(out: EtWriter, id: number, rank: number, { ranks, tensorBytes }: OfficialCaseParameters): void {
  out.begin(id, 'COMM_RECV_NODE', NodeType.receive);
  transfer(out, tensorBytes);
  out.integer(SOURCE, (rank + ranks - 1) % ranks);
  out.integer(TAG, 0);
  out.end();
}

function transfer(out: EtWriter, bytes: number): void {
  out.integer(CPU, 0);
  out.integer(TENSOR, bytes);
  out.integer(COMM_SIZE, bytes);
}

/** A case of two ranks at least has what is sent received and what is received sent. */
const TRANSFER_CASES = new Set(['one_comm_send_node', 'one_comm_recv_node']);

const CASES: Readonly<Record<string, Nodes>> = {
  one_metadata_node_all_types: (out) => {
    out.begin(0, 'METADATA_NODE', NodeType.metadata);
    for (const attribute of everyAttributeArm()) out.attribute(attribute);
    out.end();
  },
  one_remote_mem_load_node: memory('MEM_LOAD_NODE', NodeType.memoryLoad),
  one_remote_mem_store_node: memory('MEM_STORE_NODE', NodeType.memoryStore),
  one_comp_node: (out, _rank, parameters) => compute(out, 0, parameters),
  two_comp_nodes_independent: (out, _rank, parameters) => {
    compute(out, 0, parameters);
    compute(out, 1, parameters);
  },
  two_comp_nodes_dependent: (out, _rank, parameters) => {
    compute(out, 0, parameters);
    compute(out, 1, parameters, [0]);
  },
  ALL_REDUCE: collective('ALL_REDUCE', CollectiveType.allReduce),
  ALL_TO_ALL: collective('ALL_TO_ALL', CollectiveType.allToAll),
  ALL_GATHER: collective('ALL_GATHER', CollectiveType.allGather),
  REDUCE_SCATTER: collective('REDUCE_SCATTER', CollectiveType.reduceScatter),
  BROADCAST: collective('BROADCAST', CollectiveType.broadcast),
  BARRIER: collective('BARRIER', CollectiveType.barrier),
  one_comm_send_node: (out, rank, parameters) => {
    send(out, 0, rank, parameters);
    receive(out, 1, rank, parameters);
  },
  one_comm_recv_node: (out, rank, parameters) => {
    receive(out, 0, rank, parameters);
    send(out, 1, rank, parameters);
  },
};

/** Names of the cases that chakra_generator writes, in its order. */
export const OFFICIAL_CASES: readonly string[] = Object.keys(CASES);

/**
 * One of the cases of chakra_generator, with what a simulator needs besides: ids from 0 on all ranks alike, sends and receives
 * in a ring with peer, tag 0 and size, rank 0 as root of the broadcast. docs/converters.md lists every difference.
 *
 * @param parameters those left out are {@link OFFICIAL_DEFAULTS}
 * @throws PrepError `CASE_UNKNOWN` for another name; `CASE_PARAMETER` for a value that is no whole number, or below its least
 * Source: chakra-tools section 4.
 */
export function officialCase(name: string, parameters: Partial<OfficialCaseParameters> = {}): MadeJob {
  const nodes = Object.hasOwn(CASES, name) ? CASES[name] : undefined;
  if (nodes === undefined) {
    const meant = nearestName(name, OFFICIAL_CASES);
    const advice = meant === undefined ? undefined : `did you mean ${meant}?`;
    throw requestError(
      'CASE_UNKNOWN',
      `no official case is called ${name} (known: ${OFFICIAL_CASES.join(', ')})`,
      advice,
    );
  }
  const all = { ...OFFICIAL_DEFAULTS, ...parameters };
  demand('ranks', all.ranks, TRANSFER_CASES.has(name) ? 2 : 1, name);
  demand('runtime (µs)', all.runtimeMicros, 0, name);
  demand('tensor size (bytes)', all.tensorBytes, 0, name);
  demand('comm size (bytes)', all.commBytes, 0, name);
  return {
    rankCount: all.ranks,
    prefix: name,
    groups: new Map(),
    findings: [],
    writeRank: (rank, out) => {
      out.metadata(newMetadata({ rank, worldSize: all.ranks }));
      nodes(out, rank, all);
    },
  };
}

function demand(what: string, value: number, least: number, name: string): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw requestError('CASE_PARAMETER', `case ${name}: ${what} ${value}: expected a whole number from ${least}`);
}
