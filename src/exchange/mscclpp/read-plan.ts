import type { ByteSource } from '../../base/byte-source.js';
import { counted } from '../../base/counts.js';
import {
  OP_SHAPES,
  OPS_OUTSIDE,
  type Plan,
  type PlanChannel,
  type PlanChannelType,
  type PlanGpu,
  type PlanOp,
  type PlanOperand,
  type PlanOpName,
  type PlanThreadBlock,
} from './plan.js';
import { planDocument, type PlanValue } from './plan-json.js';

const CHANNEL_TYPES = ['memory', 'port', 'switch', 'none'] as const;
const NAMES = [...Object.keys(OP_SHAPES), ...Object.keys(OPS_OUTSIDE)];

/** Chunks of the buffers of a gpu. */
type Chunks = Readonly<Record<'i' | 'o' | 's', number>>;

/** What indexes in the ops of a thread block mean. */
interface Scope {
  readonly rank: number;
  /** Buffers of all gpus. */
  readonly chunks: readonly Chunks[];
  /** By type, in the order of the thread block. */
  readonly channels: Readonly<Record<PlanChannelType, readonly PlanChannel[]>>;
  readonly buffers: Readonly<Record<PlanChannelType, readonly RemoteBuffer[]>>;
  readonly semaphores: readonly number[];
}

interface RemoteBuffer {
  readonly rank: number;
  readonly buffer: 'i' | 'o' | 's';
}

/**
 * Reads an MSCCL++ execution plan (exchange-formats section 5) and looks up all its indexes.
 * @throws PrepError `PLAN_MALFORMED` with file, line and the path of the value, or the byte where it is no JSON; `PLAN_UNSUPPORTED` for
 *   an op that no sends and receives stand for
 */
export function readPlan(source: ByteSource): Plan {
  const unknown = new Set<string>();
  const plan = planDocument(source, unknown);
  plan.keys(
    ...['name', 'collective', 'protocol', 'inplace', 'reuse_resources', 'num_threads_per_block', 'gpus'],
    ...['use_double_scratch_buffer', 'buffer_alignment', 'min_message_size', 'max_message_size'],
  );
  const gpus = gpusInOrder(plan.member('gpus'));
  const chunks = gpus.map((gpu) => ({
    i: gpu.member('input_chunks').integer(),
    o: gpu.member('output_chunks').integer(),
    s: gpu.has('scratch_chunks') ? gpu.member('scratch_chunks').integer() : 0,
  }));
  const least = plan.has('min_message_size') ? plan.member('min_message_size').integer() : 0;
  const most = plan.has('max_message_size') ? plan.member('max_message_size').integer() : Infinity;
  return {
    name: plan.has('name') ? plan.member('name').text() : '',
    collective: plan.member('collective').text(),
    protocol: plan.has('protocol') ? plan.member('protocol').oneOf('Simple', 'LL', 'LL128') : 'Simple',
    inPlace: plan.has('inplace') && plan.member('inplace').boolean(),
    leastBytes: least > 0 ? least : undefined,
    mostBytes: Number.isSafeInteger(most) ? most : undefined,
    gpus: gpus.map((gpu, rank) => readGpu(gpu, rank, chunks)),
    unknownKeys: [...unknown],
  };
}

/** Gpus by id: 0, 1, … without gaps, in any order. */
function gpusInOrder(list: PlanValue): PlanValue[] {
  const elements = list.elements();
  if (elements.length === 0) throw list.error('is empty, expected one gpu for each rank');
  const gpus: (PlanValue | undefined)[] = new Array<undefined>(elements.length).fill(undefined);
  for (const gpu of elements) {
    const id = gpu.member('id').integer();
    if (id >= elements.length) throw gpu.member('id').error(`is ${id}, expected 0 to ${elements.length - 1}`);
    if (gpus[id] !== undefined) throw gpu.member('id').error(`is ${id}, which another gpu has`);
    gpus[id] = gpu;
  }
  return gpus as PlanValue[];
}

function readGpu(gpu: PlanValue, rank: number, chunks: readonly Chunks[]): PlanGpu {
  gpu.keys(
    ...['id', 'input_chunks', 'output_chunks', 'scratch_chunks', 'threadblocks', 'channels', 'remote_buffers'],
    'semaphores',
  );
  const channels = readChannels(gpu, rank, chunks.length);
  const buffers = gpu.list('remote_buffers').map((buffer) => {
    buffer.keys('rank', 'type', 'access_channel_types');
    return { rank: peerOf(buffer.member('rank'), rank, chunks.length), buffer: bufferOf(buffer.member('type')) };
  });
  const semaphores = gpu.list('semaphores').map((semaphore) => {
    semaphore.keys('init_value');
    return semaphore.has('init_value') ? semaphore.member('init_value').integer() : 0;
  });
  const ids = new Set<number>();
  const threadBlocks = gpu
    .member('threadblocks')
    .elements()
    .map((block): PlanThreadBlock => {
      block.keys('id', 'ops', 'channels', 'remote_buffer_refs');
      const id = block.member('id').integer();
      if (ids.has(id)) throw block.member('id').error(`is ${id}, which another thread block of the gpu has`);
      ids.add(id);
      const scope: Scope = {
        ...{ rank, chunks, semaphores },
        channels: ofThreadBlock(block, 'channels', ['channel_type', 'channel_ids'], channels, 'channels of the gpu'),
        buffers: ofThreadBlock(
          block,
          'remote_buffer_refs',
          ['access_channel_type', 'remote_buffer_ids'],
          { memory: buffers, port: buffers },
          'remote buffers of the gpu',
        ),
      };
      return {
        id,
        ops: block
          .member('ops')
          .elements()
          .map((op) => readOp(op, scope, true)),
      };
    });
  return {
    inputChunks: chunks[rank].i,
    outputChunks: chunks[rank].o,
    scratchChunks: chunks[rank].s,
    semaphores,
    threadBlocks,
  };
}

/** Channels of a gpu, one for each peer that a declaration is connected to, by type. */
function readChannels(gpu: PlanValue, rank: number, ranks: number): Record<PlanChannelType, PlanChannel[]> {
  const channels: Record<PlanChannelType, PlanChannel[]> = { memory: [], port: [] };
  for (const declared of gpu.list('channels')) {
    declared.keys('channel_type', 'connected_to', 'buffer_type', 'rank_groups');
    const type = declared.member('channel_type').oneOf(...CHANNEL_TYPES);
    // A switch channel is used by ops alone that are refused by name.
    if (type !== 'memory' && type !== 'port') continue;
    for (const connected of declared.member('connected_to').elements()) {
      const peer = peerOf(connected, rank, ranks);
      channels[type].push({ type, peer, place: channels[type].filter((one) => one.peer === peer).length });
    }
  }
  return channels;
}

/** The lists of a thread block that index lists of its gpu, by type of channel. */
function ofThreadBlock<T>(
  block: PlanValue,
  key: string,
  [typeKey, idsKey]: readonly [string, string],
  of: Readonly<Record<PlanChannelType, readonly T[]>>,
  named: string,
): Record<PlanChannelType, T[]> {
  const lists: Record<PlanChannelType, T[]> = { memory: [], port: [] };
  for (const entry of block.list(key)) {
    entry.keys(typeKey, idsKey);
    const type = entry.member(typeKey).oneOf(...CHANNEL_TYPES);
    if (type !== 'memory' && type !== 'port') continue;
    for (const id of entry.member(idsKey).elements()) lists[type].push(id.indexInto(of[type], `${type} ${named}`));
  }
  return lists;
}

function peerOf(value: PlanValue, rank: number, ranks: number): number {
  const peer = value.integer();
  if (peer < ranks && peer !== rank) return peer;
  throw value.error(`is ${peer}, expected another of the ${counted(ranks, 'gpu')} than gpu ${rank} itself`);
}

function bufferOf(value: PlanValue): 'i' | 'o' | 's' {
  return value.oneOf('i', 'o', 's');
}

function readOp(op: PlanValue, scope: Scope, mayLoop: boolean): PlanOp {
  op.keys(
    ...['name', 'src_buff', 'dst_buff', 'channel_ids', 'channel_type', 'reduce_op', 'barrier_id', 'num_threadblocks'],
    ...['semaphore_ids', 'iter_context', 'ops', 'tbg_info'],
  );
  const name = op.member('name').oneOf(...NAMES);
  if (Object.hasOwn(OPS_OUTSIDE, name)) throw op.unsupported(`is "${name}": ${OPS_OUTSIDE[name]}`);
  const known = name as PlanOpName;
  const stated = op.has('channel_type') ? op.member('channel_type').oneOf(...CHANNEL_TYPES) : undefined;
  if (stated === 'switch')
    throw op.unsupported(`is "${name}" on a switch channel, which sends and receives cannot carry`);
  const type = stated === 'none' ? undefined : stated;
  const channels = op.list('channel_ids').map((id) => {
    if (type === undefined) throw op.error('has channel_ids and no channel_type');
    return id.indexInto(scope.channels[type], `${type} channels of the thread block`);
  });
  const semaphores = op.list('semaphore_ids').map((id) => {
    id.indexInto(scope.semaphores, 'semaphores of the gpu');
    return id.integer();
  });
  const needsChannel = ['signal', 'rlxsignal', 'wait', 'rlxwait', 'flush', 'pws', 'pwsf'].includes(known);
  if (needsChannel && channels.length === 0) throw op.error(`is "${name}" and names no channel in channel_ids`);
  if (known.startsWith('sem_') && semaphores.length === 0) throw op.error(`is "${name}" and names no semaphore`);
  const [part, parts] = readGroup(op);
  const operands = readOperands(op, known, type, scope);
  if (type === 'port') demandChannels(op, scope.rank, operands.destinations, channels);
  return {
    name: known,
    ...operands,
    ...{ type, channels, semaphores, part, parts },
    barrier:
      known === 'barrier'
        ? { id: op.member('barrier_id').integer(), threadBlocks: op.member('num_threadblocks').integer(1) }
        : undefined,
    loop: known === 'pipeline' ? readLoop(op, scope, mayLoop) : undefined,
    line: op.line,
  };
}

/** A put through a port takes a channel, which has to lead to the gpu whose buffer it writes. */
function demandChannels(
  op: PlanValue,
  rank: number,
  destinations: readonly PlanOperand[],
  channels: readonly PlanChannel[],
): void {
  for (const [place, destination] of destinations.entries()) {
    if (destination.rank === rank) continue;
    const channel = channels.length === 1 ? channels[0] : channels[place];
    if (channel?.peer === destination.rank) continue;
    const leads = channel === undefined ? 'names no channel for it' : `its channel leads to gpu ${channel.peer}`;
    throw op.error(`puts into a buffer of gpu ${destination.rank} through a port, and ${leads}`);
  }
}

/** The part of the work of a group of thread blocks, which share an op. */
function readGroup(op: PlanValue): [part: number, parts: number] {
  if (!op.has('tbg_info')) return [0, 1];
  const group = op.member('tbg_info');
  group.keys('tb_id', 'tbg_size');
  const parts = group.member('tbg_size').integer(1);
  const part = group.member('tb_id').integer();
  if (part < parts) return [part, parts];
  throw group.member('tb_id').error(`is ${part}, expected 0 to ${parts - 1} as tbg_size says`);
}

function readLoop(op: PlanValue, scope: Scope, mayLoop: boolean): PlanOp['loop'] {
  if (!mayLoop) throw op.unsupported('is a pipeline inside of a pipeline');
  const context = op.member('iter_context');
  context.keys('unit_size', 'num_chunks');
  return {
    unitBytes: context.member('unit_size').integer(1),
    chunks: context.member('num_chunks').integer(1),
    ops: op
      .member('ops')
      .elements()
      .map((inner) => readOp(inner, scope, false)),
  };
}

function readOperands(
  op: PlanValue,
  name: PlanOpName,
  type: PlanChannelType | undefined,
  scope: Scope,
): Pick<PlanOp, 'sources' | 'destinations'> {
  const {
    sources: localSources,
    furtherSources,
    destinations: localDestinations,
    furtherDestinations,
  } = OP_SHAPES[name];
  const side = (key: string, locals: number, further: string): PlanOperand[] => {
    const list = op.list(key);
    const allowed = further === 'none' ? locals : Infinity;
    const needed = locals + (further === 'none' ? 0 : 1);
    if (list.length < needed || list.length > allowed) {
      const expected = further === 'none' ? `${locals}` : `${needed} or more`;
      throw op.error(`is "${name}" with ${counted(list.length, 'operand')} in ${key}, expected ${expected}`);
    }
    return list.map((operand, place) =>
      readOperand(operand, place >= locals && further.startsWith('remote'), type, scope),
    );
  };
  const sources = side('src_buff', localSources, furtherSources);
  const destinations = side('dst_buff', localDestinations, furtherDestinations);
  const count = sources[0]?.count;
  const pairs = localSources === 0 && localDestinations === 0;
  for (const [place, { count: other }] of [...sources, ...destinations].entries()) {
    const at = place < sources.length ? place : place - sources.length;
    const own = pairs ? sources[Math.min(at, sources.length - 1)].count : count;
    if (other === own) continue;
    const which = place < sources.length ? `src_buff[${at}]` : `dst_buff[${at}]`;
    throw op.error(`is "${name}" of ${counted(own, 'chunk')}, and its ${which} has ${other}`);
  }
  if (!pairs || sources.length === destinations.length || sources.length === 1) return { sources, destinations };
  throw op.error(
    `is "${name}" with ${counted(sources.length, 'source')} and ${counted(destinations.length, 'destination')}, expected as many`,
  );
}

function readOperand(
  operand: PlanValue,
  isRemote: boolean,
  type: PlanChannelType | undefined,
  scope: Scope,
): PlanOperand {
  operand.keys('type', 'buffer_id', 'index', 'size');
  if (operand.has('switch_channel_id')) throw operand.unsupported('is that of a switch channel');
  if (isRemote && type === undefined)
    throw operand.error('is in a buffer of another gpu, and the op has no channel_type');
  const { rank, buffer } = isRemote
    ? operand
        .member('buffer_id')
        .indexInto(scope.buffers[type!], `remote buffers of the thread block for ${type} channels`)
    : { rank: scope.rank, buffer: bufferOf(operand.member('type')) };
  const offset = operand.member('index').integer();
  const count = operand.member('size').integer(1);
  const size = scope.chunks[rank][buffer];
  if (offset + count <= size) return { rank, buffer, offset, count };
  const range = count === 1 ? `chunk ${offset}` : `chunks ${offset} to ${offset + count - 1}`;
  const named = { i: 'input', o: 'output', s: 'scratch' }[buffer];
  const has = size === 0 ? 'which has none' : `which has chunks 0 to ${size - 1}`;
  throw operand.error(`is ${range} of the ${named} buffer of gpu ${rank}, ${has}`);
}
