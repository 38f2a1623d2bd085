import { bufferKind } from '../../../../src/network/packet/fabric/buffers/buffer-choice.js';
import { DynamicPfc } from '../../../../src/network/packet/fabric/buffers/dynamic-pfc.js';
import { LossyPools } from '../../../../src/network/packet/fabric/buffers/pool.js';
import { StaticPfc } from '../../../../src/network/packet/fabric/buffers/static-pfc.js';
import { neededHeadroomBytes } from '../../../../src/network/packet/settings/needed-headroom.js';
import type { PacketSettings, SwitchSettings } from '../../../../src/network/packet/settings/packet-settings.js';
import { PortCounters } from '../../../../src/network/packet/fabric/port-counters.js';
import { PortNumbers } from '../../../../src/network/packet/fabric/port-numbers.js';
import type { SharedBuffer } from '../../../../src/network/packet/fabric/shared-buffer.js';
import type { Topology } from '../../../../src/network/topology/topology.js';
import { type Overrides, packetSettings, packetTopology, singleSwitch } from '../../../support/packet-runs.js';

const FULL = 4154;
const [DATA, CONTROL] = [0, 1];

interface Built {
  readonly buffer: SharedBuffer;
  readonly ports: PortNumbers;
  readonly counters: PortCounters;
  /** Port, class and X for XOFF or O for XON of each PFC frame. */
  readonly frames: string[];
}

function built(topology: Topology, switches: Overrides<SwitchSettings>): Built {
  const settings = packetSettings({ switches });
  const ports = new PortNumbers(topology);
  const counters = new PortCounters(ports.count);
  const frames: string[] = [];
  const send = (port: number, packetClass: number, stop: boolean) =>
    void frames.push(`${port} ${packetClass} ${stop ? 'X' : 'O'}`);
  const buffer =
    settings.switches.pfc === 'static'
      ? new StaticPfc(ports, settings.switches, counters, send)
      : new DynamicPfc({ topology, settings }, ports, counters, send);
  return { buffer, ports, counters, frames };
}

/** Packets that are admitted, one after the other, until one is not or a PFC frame is sent. */
function admitted({ buffer, frames }: Built, ingress: number, packetClass = DATA): number {
  const before = frames.length;
  for (let count = 0; ; count++) {
    if (!buffer.admit(ingress, packetClass, FULL)) return count;
    if (frames.length > before) return count + 1;
  }
}

/** Packets that are released until a PFC frame is sent. */
function released({ buffer, frames }: Built, ingress: number, packetClass = DATA): number {
  const before = frames.length;
  for (let count = 1; ; count++) {
    buffer.release(ingress, packetClass, FULL);
    if (frames.length > before) return count;
  }
}

describe('static PFC', () => {
  const STATIC: Overrides<SwitchSettings> = { pfc: 'static', bufferBytes: 256e6 };
  const INGRESS = 4; // first port of the switch of four hosts

  test('SW-4: the 169th held packet passes 700,000 B; XOFF once, and it is admitted', () => {
    const run = built(singleSwitch(4), STATIC);
    expect(admitted(run, INGRESS)).toBe(169);
    expect(run.frames).toEqual(['4 0 X']);
    expect(run.buffer.heldBytes(INGRESS, DATA)).toBe(169 * FULL);
  });

  test('SW-4: while paused arrivals take headroom, of which 61 packets fit into 256,000 B', () => {
    const run = built(singleSwitch(4), STATIC);
    admitted(run, INGRESS);
    expect(admitted(run, INGRESS)).toBe(61);
    expect(run.counters.peakHeadroomBytes[2 * INGRESS]).toBe(61 * FULL);
    expect(run.frames).toHaveLength(1);
  });

  test('SW-4: releases free headroom first; XON when it is 0 and 300,000 B or less are held', () => {
    const run = built(singleSwitch(4), STATIC);
    admitted(run, INGRESS);
    admitted(run, INGRESS);
    // 702,026 − 97 × 4,154 = 299,088.
    expect(released(run, INGRESS)).toBe(61 + 97);
    expect(run.frames).toEqual(['4 0 X', '4 0 O']);
    expect(run.buffer.heldBytes(INGRESS, DATA)).toBe(299_088);
    // From there 97 more packets pass Xoff again: 299,088 + 97 × 4,154 = 702,026.
    expect(admitted(run, INGRESS)).toBe(97);
  });

  test('SW-4: a packet is released from headroom and from what is held, whichever it was charged to', () => {
    const run = built(singleSwitch(4), { ...STATIC, xoffBytes: 1000, xonBytes: 500, headroomBytes: 1000 });
    expect(run.buffer.admit(INGRESS, DATA, 1001)).toBe(true);
    expect(run.buffer.admit(INGRESS, DATA, 200)).toBe(true);
    run.buffer.release(INGRESS, DATA, 1001);
    // 200 of headroom and 801 of the 1,001: 200 are held, at most Xon.
    expect(run.buffer.heldBytes(INGRESS, DATA)).toBe(200);
    expect(run.frames).toEqual(['4 0 X', '4 0 O']);
  });

  test('SW-6: each class and port has counters of its own', () => {
    const run = built(singleSwitch(4), STATIC);
    admitted(run, INGRESS);
    expect(admitted(run, INGRESS, CONTROL)).toBe(169);
    expect(admitted(run, INGRESS + 1)).toBe(169);
    expect(run.frames).toEqual(['4 0 X', '4 1 X', '5 0 X']);
  });

  test('SW-4: a lossy class beside a lossless one is charged to its pool and stops nobody', () => {
    // Pools of 0.9 and 0.1 of 3,000,000 − 4 × 256,000 = 1,976,000 B.
    const run = built(singleSwitch(4), { ...STATIC, bufferBytes: 3e6, lossless: [true, false] });
    const SWITCH = 4;
    expect(run.buffer.freeBytes(SWITCH, DATA)).toBeCloseTo(1_778_400, 6);
    expect(run.buffer.freeBytes(SWITCH, CONTROL)).toBeCloseTo(197_600, 6);
    for (let count = 0; count < 300; count++) expect(run.buffer.admit(INGRESS, CONTROL, FULL)).toBe(true);
    expect(run.frames).toEqual([]);
    expect(run.buffer.freeBytes(SWITCH, CONTROL)).toBeCloseTo(197_600 - 300 * FULL, 6);
    run.buffer.release(INGRESS, CONTROL, FULL);
    expect(run.buffer.heldBytes(INGRESS, CONTROL)).toBe(299 * FULL);
    expect(run.frames).toEqual([]);
  });

  test('SW-6: the headroom needed at 400 Gbit/s and 500 ns is 58,392 B', () => {
    expect(neededHeadroomBytes(400, 1_000_000, FULL, 84)).toBe(58_392);
  });
});

describe('dynamic PFC', () => {
  /*
   * Four ports of 400 Gbit/s and 500 ns in 4 MiB: headroom 4 × 75,000, reserves 4 × 2 × 4,096, 3,861,536 B are left to share,
   * of which T is an eighth.
   */
  const DYNAMIC: Overrides<SwitchSettings> = { pfc: 'dynamic', bufferBytes: 4 << 20 };
  const INGRESS = 4;

  test('SW-5: T is an eighth of what is free, and falls as it is used', () => {
    const { buffer } = built(singleSwitch(4), DYNAMIC);
    const dynamic = buffer as DynamicPfc;
    expect(dynamic.thresholdBytes(INGRESS)).toBe(482_692);
    dynamic.admit(INGRESS, DATA, 4096);
    expect(dynamic.thresholdBytes(INGRESS)).toBe(482_692);
    dynamic.admit(INGRESS, DATA, FULL);
    // (3,861,536 − 4,154) / 8 = 482,172.75
    expect(dynamic.thresholdBytes(INGRESS + 1)).toBe(482_172);
    dynamic.release(INGRESS, DATA, FULL);
    expect(dynamic.thresholdBytes(INGRESS)).toBe(482_692);
  });

  test('SW-5: XOFF when a packet would pass T and takes headroom, of which 75,000 B hold 18 packets', () => {
    // 104 packets share 427,920 B, T is 429,202; with the next it would be 432,074.
    const run = built(singleSwitch(4), DYNAMIC);
    expect(admitted(run, INGRESS)).toBe(105);
    expect(run.frames).toEqual(['4 0 X']);
    expect(run.counters.peakHeadroomBytes[2 * INGRESS]).toBe(FULL);
    expect(admitted(run, INGRESS)).toBe(17);
    expect(run.counters.peakHeadroomBytes[2 * INGRESS]).toBe(74_772);
  });

  test('SW-5: XON when headroom is 0 and the shared use is 3,072 B below T', () => {
    // After 18 releases 427,920 + 3,072 > 429,202; after another 423,766 + 3,072 ≤ 429,721.
    const run = built(singleSwitch(4), DYNAMIC);
    admitted(run, INGRESS);
    admitted(run, INGRESS);
    expect(released(run, INGRESS)).toBe(19);
    expect(run.frames).toEqual(['4 0 X', '4 0 O']);
  });

  test('SW-5: XOFF as soon as the shared use is T itself', () => {
    // T after n bytes of shared use is (8,192 − n) / 8 where 8,192 B are left to share: 910 at 910.
    const bytes = 4 * 75_000 + 4 * 2 * 4096 + 8192;
    const run = built(singleSwitch(4), { ...DYNAMIC, bufferBytes: bytes });
    run.buffer.admit(INGRESS, DATA, 4096 + 909);
    expect(run.frames).toEqual([]);
    run.buffer.admit(INGRESS, DATA, 1);
    expect(run.frames).toEqual(['4 0 X']);
  });

  test('SW-5: one halving less for a port of twice the rate of the NICs', () => {
    // Host at 400 Gbit/s, the other switch at 800: 1,000,000 − 75,000 − 150,000 − 2 × 2 × 4,096 = 758,616 B.
    const topology = packetTopology(1, 2, [
      [0, 1],
      [1, 2, { gbps: 800 }],
    ]);
    const { buffer, ports } = built(topology, { pfc: 'dynamic', bufferBytes: 1e6 });
    const first = ports.first[1];
    const dynamic = buffer as DynamicPfc;
    expect([dynamic.thresholdBytes(first), dynamic.thresholdBytes(first + 1)]).toEqual([94_827, 189_654]);
  });

  test('SW-5: a lossy class is charged to its pool', () => {
    const { buffer, frames } = built(singleSwitch(4), { ...DYNAMIC, lossless: [true, false] });
    // 0.1 of 4,194,304 − 300,000
    expect(buffer.freeBytes(4, CONTROL)).toBeCloseTo(389_430.4, 6);
    for (let count = 0; count < 200; count++) buffer.admit(INGRESS, CONTROL, FULL);
    expect(buffer.freeBytes(4, CONTROL)).toBeCloseTo(389_430.4 - 200 * FULL, 6);
    expect((buffer as DynamicPfc).thresholdBytes(INGRESS)).toBe(482_692);
    for (let count = 0; count < 200; count++) buffer.release(INGRESS, CONTROL, FULL);
    expect(buffer.heldBytes(INGRESS, CONTROL)).toBe(0);
    expect(frames).toEqual([]);
  });
});

test('SW-1, SW-2: pools without PFC are charged at arrival and released', () => {
  const pools = new LossyPools(new PortNumbers(singleSwitch(4)), 10_000);
  expect([pools.freeBytes(4, DATA), pools.freeBytes(4, CONTROL)]).toEqual([9000, 1000]);
  pools.admit(5, DATA, 400);
  pools.admit(6, CONTROL, 62);
  expect([pools.freeBytes(4, DATA), pools.freeBytes(4, CONTROL)]).toEqual([8600, 938]);
  expect([pools.heldBytes(5, DATA), pools.heldBytes(6, CONTROL)]).toEqual([400, 62]);
  pools.release(5, DATA, 400);
  expect([pools.freeBytes(4, DATA), pools.heldBytes(5, DATA)]).toEqual([9000, 0]);
});

describe('which buffer a run needs', () => {
  const kind = (switches: Overrides<SwitchSettings>, topology = singleSwitch(8)) => {
    const settings: PacketSettings = packetSettings({ switches: { bufferBytes: 256e6, ...switches } });
    return bufferKind({ topology, settings });
  };
  const limits = { egressLimitBytes: 300_000, controlLimitBytes: 30_000 };

  test('SW-4, SW-5: PFC needs one, unless it protects no class', () => {
    expect(kind({ ...limits, pfc: 'static' })).toBe('static-pfc');
    expect(kind({ ...limits, pfc: 'dynamic', lossless: [true, false] })).toBe('dynamic-pfc');
    expect(kind({ ...limits, pfc: 'static', lossless: [false, false] })).toBeUndefined();
  });

  test('SW-3: limits by what is free need one', () => {
    expect(kind({ ...limits, lossyAlpha: 1 })).toBe('lossy-pools');
  });

  test('SW-3: otherwise only a pool that the egresses of a switch could fill', () => {
    expect(kind(limits)).toBeUndefined();
    // Data: 8 × 300,000 against 0.9 B; with retransmissions 1.5 times as much.
    expect(kind({ ...limits, bufferBytes: 2_667_000 })).toBeUndefined();
    expect(kind({ ...limits, bufferBytes: 2_666_000 })).toBe('lossy-pools');
    expect(kind({ ...limits, bufferBytes: 3_999_000, trimming: true })).toBe('lossy-pools');
    expect(kind({ ...limits, bufferBytes: 4_001_000, trimming: true })).toBeUndefined();
    // Control: 8 × 40,000 against 0.1 B.
    expect(kind({ ...limits, controlLimitBytes: 40_000, bufferBytes: 3_199_000 })).toBe('lossy-pools');
    expect(kind({ egressLimitBytes: Infinity })).toBe('lossy-pools');
    expect(kind({ ...limits }, singleSwitch(8, { queueBytes: 30e6 }))).toBe('lossy-pools');
  });
});
