import { ownValue } from '../../base/named-values.js';

/** What a call of the device's runtime does to the order of things. */
export const CallKind = {
  other: 0,
  /** Waits until everything on the device is done. */
  deviceWait: 1,
  streamWait: 2,
  eventWait: 3,
  /** A copy that returns when it is done. */
  blockingCopy: 4,
  /** Makes a stream wait for an event. */
  streamWaitsForEvent: 5,
  eventRecord: 6,
} as const;

const KINDS: Readonly<Record<string, number>> = {
  cudaDeviceSynchronize: CallKind.deviceWait,
  cuCtxSynchronize: CallKind.deviceWait,
  hipDeviceSynchronize: CallKind.deviceWait,
  hipCtxSynchronize: CallKind.deviceWait,
  cudaStreamSynchronize: CallKind.streamWait,
  cuStreamSynchronize: CallKind.streamWait,
  hipStreamSynchronize: CallKind.streamWait,
  cudaEventSynchronize: CallKind.eventWait,
  cuEventSynchronize: CallKind.eventWait,
  hipEventSynchronize: CallKind.eventWait,
  cudaMemcpy: CallKind.blockingCopy,
  cudaMemcpy2D: CallKind.blockingCopy,
  cudaMemcpyToSymbol: CallKind.blockingCopy,
  cudaMemcpyFromSymbol: CallKind.blockingCopy,
  cuMemcpyHtoD_v2: CallKind.blockingCopy,
  cuMemcpyDtoH_v2: CallKind.blockingCopy,
  hipMemcpy: CallKind.blockingCopy,
  hipMemcpyWithStream: CallKind.blockingCopy,
  hipMemcpyDtoH: CallKind.blockingCopy,
  hipMemcpyHtoD: CallKind.blockingCopy,
  cudaStreamWaitEvent: CallKind.streamWaitsForEvent,
  cuStreamWaitEvent: CallKind.streamWaitsForEvent,
  hipStreamWaitEvent: CallKind.streamWaitsForEvent,
  cudaEventRecord: CallKind.eventRecord,
  cudaEventRecordWithFlags: CallKind.eventRecord,
  cuEventRecord: CallKind.eventRecord,
  hipEventRecord: CallKind.eventRecord,
};

/** Per-thread variants of a call behave like the call (`cudaStreamSynchronize_ptsz`, `cudaMemcpy_v3020`). */
const SUFFIX = /_(ptsz|ptds|v\d+|v\d+_ptsz|v\d+_ptds|spt)$/;

/** A {@link CallKind} by index of a name. */
export function callKinds(names: readonly string[]): Uint8Array {
  return Uint8Array.from(names, (name) => ownValue(KINDS, name.replace(SUFFIX, '')) ?? CallKind.other);
}

/** Whether a copy goes to memory that is not pinned: it holds up the host, whatever call made it. */
export function isPageableCopyToHost(name: string): boolean {
  return /-> ?pageable/i.test(name);
}
