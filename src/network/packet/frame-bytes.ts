import type { FrameSettings } from './packet-settings.js';

/** Bytes of a frame on the wire (section 1.1). */
export function frameBytes({ minFrameBytes, phyOverheadBytes }: FrameSettings, bytes: number): number {
  return Math.max(bytes, minFrameBytes) + phyOverheadBytes;
}

/** Bytes of a data packet on the wire. */
export function dataFrameBytes(frames: FrameSettings, payloadBytes: number): number {
  return frameBytes(frames, frames.dataHeaderBytes + payloadBytes);
}
