/** Parts of MSCCL++ plans (exchange-formats section 5), as their JSON has them. */
type Json = Record<string, unknown>;

type ChannelType = 'memory' | 'port';

/** A local operand. */
export const at = (type: 'i' | 'o' | 's', index: number, size = 1): Json => ({ type, index, size });

/** An operand in a buffer of another gpu: the `buffer_id`-th of the thread block. */
export const far = (index: number, { buffer = 0, size = 1 } = {}): Json => ({ buffer_id: buffer, index, size });

/** An op that moves or adds up. */
export const move = (
  name: string,
  from: readonly Json[],
  to: readonly Json[],
  { type = 'memory', channels, ...further }: { type?: ChannelType; channels?: readonly number[] } & Json = {},
): Json => ({
  ...{ name, src_buff: from, dst_buff: to, channel_type: type },
  ...(channels && { channel_ids: channels }),
  ...further,
});

/** A signal, wait or flush. */
export const on = (name: string, channels: readonly number[] = [0], type: ChannelType = 'memory'): Json => ({
  ...{ name, channel_ids: channels, channel_type: type },
});

export const barrier = (id: number, threadBlocks: number): Json => ({
  ...{ name: 'barrier', barrier_id: id, num_threadblocks: threadBlocks },
});

export const semaphore = (name: 'sem_acquire' | 'sem_release', ...ids: readonly number[]): Json => ({
  ...{ name, semaphore_ids: ids },
});

export const loop = (unitBytes: number, chunks: number, ops: readonly Json[]): Json => ({
  ...{ name: 'pipeline', iter_context: { unit_size: unitBytes, num_chunks: chunks }, ops },
});

interface GpuFacts {
  /** Chunks of the input, output and scratch buffers. */
  readonly chunks: readonly [input: number, output: number, scratch: number];
  /** Peers of its channels, all of one type. */
  readonly peers: readonly number[];
  /** Buffers of other gpus, all of which every thread block may use. */
  readonly buffers: readonly (readonly [rank: number, type: 'i' | 'o' | 's'])[];
  /** Ops of each thread block; all use all channels. */
  readonly blocks: readonly (readonly Json[])[];
  readonly type?: ChannelType;
  readonly semaphores?: readonly number[];
}

/** A gpu whose thread blocks have all its channels and remote buffers. */
export function gpu({ chunks, peers, buffers, blocks, type = 'memory', semaphores = [] }: GpuFacts): Json {
  return {
    ...{ input_chunks: chunks[0], output_chunks: chunks[1], scratch_chunks: chunks[2] },
    threadblocks: blocks.map((ops, id) => ({
      ...{ id, ops },
      channels: [{ channel_type: type, channel_ids: peers.map((_, channel) => channel) }],
      remote_buffer_refs: [{ access_channel_type: type, remote_buffer_ids: buffers.map((_, buffer) => buffer) }],
    })),
    channels: [{ channel_type: type, connected_to: peers }],
    remote_buffers: buffers.map(([rank, buffer]) => ({ rank, type: buffer, access_channel_types: [type] })),
    semaphores: semaphores.map((value) => ({ init_value: value })),
  };
}

/** Text of a plan. */
export function plan(collective: string, gpus: readonly Json[], further: Json = {}): string {
  const top = { name: 'made', collective, protocol: 'Simple', inplace: true, reuse_resources: false, ...further };
  return JSON.stringify({ ...top, gpus: gpus.map((one, id) => ({ id, ...one })) }, undefined, 1);
}
