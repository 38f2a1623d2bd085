import type { TimingReport } from './timing-report.js';

export const TIMING_SCHEMA = 'chakra-prep/timing-report/1';

/** The whole report as JSON, `schemas/timing-report.schema.json`. Times are ns, bandwidths GB/s with 10^9. */
export interface TimingDocument {
  schema: typeof TIMING_SCHEMA;
  clock: 'simulated' | 'wall';
  test: {
    name: string;
    bytes: number | null;
    timeNs: number;
    bandwidthGBps: number | null;
    overheadNs: number;
    outsideExecutorsNs: number | null;
    unfinished: number;
    unfinishedBytes: number;
  };
  executors: {
    name: string;
    bytes: number | null;
    timeNs: number;
    bandwidthGBps: number | null;
    sumBandwidthGBps: number | null;
    nodes: number | null;
    unfinished: number;
    unfinishedBytes: number;
    transfers: TransferLine[];
  }[];
}

export interface TransferLine {
  name: string;
  path: string;
  transfers: number;
  depth: number;
  bytes: number | null;
  timeNs: number | null;
  bandwidthGBps: number | null;
  unfinished: number;
  unfinishedBytes: number;
}

/** All of a report: nothing is left out, however long it is. */
export function timingDocument({ test, executors }: TimingReport): TimingDocument {
  return {
    schema: TIMING_SCHEMA,
    clock: test.clock,
    test: {
      name: test.name,
      bytes: test.bytes,
      timeNs: test.timePs / 1000,
      bandwidthGBps: test.bytesPerNs,
      overheadNs: test.overheadPs / 1000,
      outsideExecutorsNs: test.outsidePs === null ? null : test.outsidePs / 1000,
      unfinished: test.unfinished,
      unfinishedBytes: test.unfinishedBytes,
    },
    executors: executors.map((executor) => ({
      name: executor.name,
      bytes: executor.bytes,
      timeNs: executor.timePs / 1000,
      bandwidthGBps: executor.bytesPerNs,
      sumBandwidthGBps: executor.sumBytesPerNs,
      nodes: executor.nodes,
      unfinished: executor.unfinished,
      unfinishedBytes: executor.unfinishedBytes,
      transfers: executor.transfers.map((transfer) => ({
        name: transfer.name,
        path: transfer.path,
        transfers: transfer.count,
        depth: transfer.depth,
        bytes: transfer.bytes,
        timeNs: transfer.timePs === null ? null : transfer.timePs / 1000,
        bandwidthGBps: transfer.bytesPerNs,
        unfinished: transfer.unfinished,
        unfinishedBytes: transfer.unfinishedBytes,
      })),
    })),
  };
}
