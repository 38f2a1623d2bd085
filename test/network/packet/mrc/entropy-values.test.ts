import { RandomStream } from '../../../../src/kernel/random.js';
import { framesSent } from '../../../support/packet-runs.js';
import { planes, runMrc, sentOf, sumOf } from '../../../support/mrc-runs.js';
import { flowHash } from '../../../support/slow-packet-network/routes.js';
import { leafSpine, range, singleSwitch } from '../../../support/slow-packet-network/small-topologies.js';

/** MRC: which values packets take, and where those lead (network-models sections 5 and 8). */

const MIB = 2 ** 20;
const POST = { source: 0, destination: 1, bytes: MIB };

test('MR-3: 128 distinct values around and around, from where the draw says', () => {
  const stream = new RandomStream(1, 0, 'ev');
  const drawn = new Set<number>();
  while (drawn.size < 256) drawn.add(Math.floor(stream.uniform() * 65_536));
  const active = [...drawn].slice(0, 128);
  const offset = Math.floor(stream.uniform() * 128);
  const expected = range(256).map((at) => active[(offset + at) % 128]);
  expect(runMrc(singleSwitch(2), [POST]).started.map(({ entropy }) => entropy)).toEqual(expected);
});

test('MR-4: a value whose packet was marked is passed over once', () => {
  // Every packet is marked on its way up. The SACK of packet i is back at (i + 4) s + 4,006.24 ns; packet 128 starts at 128 s,
  // when 76 values are marked: the turn passes those over and comes to value 76. They are good again at the next turn.
  const ecn = { thresholds: [{ kminBytes: 0, kmaxBytes: 1, pmax: 1 }] };
  const run = runMrc(leafSpine(2, 4, 4), [{ source: 0, destination: 5, bytes: MIB }], { switches: { ecn } });
  const values = run.started.map(({ entropy }) => entropy);
  expect(values.slice(128)).toEqual([...values.slice(76, 128), ...values.slice(0, 76)]);
});

test('MR-4: a value that is DENIED is never used', () => {
  const deniedEvs = range(32_768).map((half) => 2 * half);
  for (const { entropy } of runMrc(singleSwitch(2), [POST], { mrc: { deniedEvs } }).started) {
    expect(entropy % 2).toBe(1);
  }
});

describe.each([false, true])('two planes, fold %s', (fold) => {
  test('NIC-5: value e takes port e mod 2, and each plane carries half', () => {
    const { started, network } = runMrc(planes(2, 2), [POST], { fold });
    for (const { entropy, port } of started) expect(port).toBe(entropy % 2);
    expect([0, 1].map((plane) => started.filter(({ port }) => port === plane).length)).toEqual([128, 128]);
    // A SACK goes back by the plane of its packet.
    expect([2, 3].map((port) => framesSent(network.fabric, port))).toEqual([128, 128]);
  });

  test('NIC-5: both planes together are faster than one', () => {
    const [{ acked }] = runMrc(planes(2, 2), [POST], { fold }).times;
    expect(acked).toBeLessThan(0.8 * 23_436_920);
  });

  test('MR-4: a plane that loses its packets is avoided once its values are assumed to be bad', () => {
    const bytes = 4000 * 4096;
    const { started, network } = runMrc(planes(2, 2, 0.999), [{ ...POST, bytes }], { fold });
    const onBad = started.filter(({ port }) => port === 1);
    // 64 active values and their 64 backups, each of which loses a packet; those in flight on a value at once are lost together.
    expect(new Set(onBad.map(({ entropy }) => entropy)).size).toBe(128);
    expect(onBad.length).toBeLessThan(2 * 128);
    expect(network.hostCounters.timeouts[0]).toBeGreaterThanOrEqual(128);
    expect(started.length - onBad.length).toBe(4000);
    expect(sumOf(network.hostCounters.messagesCompleted)).toBe(1);
  });

  test('MR-4: a value is probed 100 µs after the timeout', () => {
    const run = runMrc(planes(2, 2, 0.999), [{ ...POST, bytes: 10 * MIB }], { fold });
    // The first packet of the plane leaves at 83.4 ns; 150 µs and 100 µs later. Its value is probed again every 100 µs.
    expect(run.probesPs[0]).toBe(250_083_400);
    expect(run.probesPs).toContain(350_083_400);
    expect(run.probesPs).toContain(450_083_400);
    expect(sentOf(run.network, 0, 'probe')).toBe(run.probesPs.length);
  });
});

describe('MR-8', () => {
  // Ports of leaf 8 towards the spines.
  const uplinks = (run: ReturnType<typeof runMrc>): number[] => {
    const { fabric } = run.network;
    return range(4).map((spine) => framesSent(fabric, fabric.numbers.first[8] + 4 + spine));
  };
  const post = { source: 0, destination: 5, bytes: MIB };

  test('ecmp: the value is the UDP source port that RT-4 hashes', () => {
    const run = runMrc(leafSpine(2, 4, 4), [post]);
    const expected = [0, 0, 0, 0];
    for (const { entropy } of run.started) expected[flowHash(8, 0, 5, entropy, 4791) % 4]++;
    expect(uplinks(run)).toEqual(expected);
  });

  test('structured: the value names the spine', () => {
    const run = runMrc(leafSpine(2, 4, 4), [post], { mrc: { evMode: 'structured' } });
    const expected = [0, 0, 0, 0];
    for (const { entropy } of run.started) expected[entropy % 4]++;
    expect(uplinks(run)).toEqual(expected);
  });
});
