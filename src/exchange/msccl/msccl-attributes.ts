/**
 * What the nodes of a trace keep of the MSCCL step they were made of, int32 each, so that the program can be written again. Buffers
 * are numbers: 0 for `i`, 1 for `o`, 2 for `s`.
 */
export const MscclAttribute = {
  /** Place of the kind in `STEP_KINDS`: s, r, cpy, re, rcs, rrc, rrs, rrcs, nop. */
  kind: 'msccl_kind',
  threadBlock: 'msccl_tb',
  step: 'msccl_step',
  channel: 'msccl_channel',
  /** Peers of the thread block, −1 for none. */
  send: 'msccl_send',
  receive: 'msccl_recv',
  count: 'msccl_cnt',
  sourceBuffer: 'msccl_srcbuf',
  sourceOffset: 'msccl_srcoff',
  destinationBuffer: 'msccl_dstbuf',
  destinationOffset: 'msccl_dstoff',
} as const;

/** In the metadata of every rank: the program without its steps, as MSCCL XML. */
export const PROGRAM_METADATA = 'msccl_algo';

export const BUFFERS = ['i', 'o', 's'] as const;
