import type { UetTransport } from '../../../../src/network/packet/uet/uet-transport.js';
import { incast, oneSwitch, runUet, type UetRun } from '../../../support/uet-runs.js';

const transportOf = ({ network }: UetRun): UetTransport => network.nic.transport as UetTransport;

test('a packet in flight takes at most 150 bytes: its record and what its two ends know of it', () => {
  // Links so long that every window is full: 107 packets of 4,184 B in each.
  const posts = Array.from({ length: 64 }, (_, host) => ({
    source: host,
    destination: (host + 1) % 64,
    bytes: 250 * 4096,
  }));
  const run = runUet(oneSwitch(64, { delayPs: 10_000_000 }), {}, posts);
  const { packets } = run.network.fabric;
  expect(packets.peak).toBeGreaterThan(64 * 100);
  const bytes = packets.byteLength + transportOf(run).byteLength;
  expect(bytes / packets.peak).toBeLessThanOrEqual(150);
});

test('a finished message leaves nothing behind', () => {
  const bytesAfter = (messages: number): number => {
    const posts = Array.from({ length: messages }, (_, index) => ({
      ...{ source: index % 2, destination: 1 - (index % 2), bytes: 20 * 4096, at: index * 5_000_000 },
    }));
    const run = runUet(oneSwitch(2, { loss: 0.01 }), { uet: { timeoutPs: 4e6 } }, posts);
    expect(transportOf(run).outstandingPackets).toBe(0);
    expect(run.network.fabric.packets.count).toBe(0);
    return transportOf(run).byteLength;
  };
  expect(bytesAfter(600)).toBe(bytesAfter(60));
});

test('with gaps looked for, and out of order for long, it is still in bounds of the window', () => {
  const run = runUet(oneSwitch(8, { loss: 0.01 }), { uet: { gapDetect: true, timeoutPs: 20e6 } }, incast(7));
  expect(transportOf(run).outstandingPackets).toBe(0);
  // 7 windows of 450,000 B hold 752 packets.
  expect(transportOf(run).byteLength).toBeLessThan(752 * 150 + 64_000);
});
