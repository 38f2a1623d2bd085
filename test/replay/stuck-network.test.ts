import type { HeldUp, NetworkFactory } from '../../src/network/network.js';
import { packetNetwork } from '../../src/network/packet/packet-network.js';
import { NIC_KINDS } from '../../src/network/packet/settings/packet-settings.js';
import { replay } from '../../src/replay/replay.js';
import { memory, receive, send, traces } from '../support/jobs.js';
import { defaultSettings } from '../support/slow-packet-network/default-settings.js';
import { singleSwitch } from '../support/slow-packet-network/small-topologies.js';

/** What a network tells of each transfer, at the instant of its post. */
type Told = 'nothing' | 'sent' | 'all';

function network(told: Told, more: { heldUp?: readonly HeldUp[]; verify?: () => void } = {}): NetworkFactory {
  return (_ranks, _kernel, listener) => ({
    name: 'stuck',
    post: (transfer, _source, _destination, _bytes, nowPs) => {
      if (told !== 'nothing') listener.sent(transfer, nowPs);
      if (told === 'all') {
        listener.received(transfer, nowPs);
        listener.acknowledged(transfer, nowPs);
      }
    },
    heldUpBy: (nowPs) => (more.heldUp ?? []).map((held) => ({ ...held, lines: [`at ${nowPs}`, ...held.lines] })),
    verify: () => more.verify?.(),
  });
}

const JOB = traces([memory(1, 4), send(2, 1, 1000, 0, [1])], [receive(1, 0, 1000, 0)]);
const HELD: HeldUp = { code: 'paused-ports', count: 3, text: '3 paused ports', lines: ['here', 'there'] };

describe('a network that has nothing to do any more and has not told all', () => {
  test('R-140: a rank that has done all its work has not ended without the acknowledgment, and the run has stalled', () => {
    const { status, ranks, stall, endPs } = replay(JOB, { network: network('sent') });
    expect(status).toBe('stalled');
    expect(endPs).toBe(4e6);
    expect(ranks.map(({ state, ended, nodesFinished }) => [state, ended, nodesFinished])).toEqual([
      ['stalled', false, 2],
      ['stalled', false, 0],
    ]);
    expect(ranks[0]).toMatchObject({ sends: 1, acknowledged: 0, endPs: 4e6 });
    expect(stall).toMatchObject({ unfinished: 1, stalledRanks: 2 });
    expect(stall?.lines).toContain(
      'rank 0: all 2 nodes have finished, a transfer it sent or received is not acknowledged',
    );
  });

  test('where only acknowledgments are missing, that is what is said', () => {
    const job = traces([send(1, 1, 1000, 0)], [memory(1, 4)]);
    const { status, stall, ranks } = replay(job, { network: network('sent'), stopPs: 1e9 });
    expect(status).toBe('stalled');
    expect(ranks.map(({ ended }) => ended)).toEqual([false, true]);
    expect(stall?.lines[0]).toBe('stalled: all nodes have finished, 1 rank cannot end without acknowledgments');
  });

  test('what holds transfers up is a reason, and said behind the ranks', () => {
    const { stall } = replay(JOB, { network: network('nothing', { heldUp: [HELD] }) });
    expect(stall?.reasons).toEqual([{ code: 'paused-ports', count: 3, text: '3 paused ports' }]);
    expect(stall?.lines[1]).toBe('  3 paused ports');
    expect(stall?.lines.slice(-3)).toEqual(['at 4000000', 'here', 'there']);
  });

  test('at a stop the network is asked about the stop', () => {
    const { status, stall } = replay(JOB, { network: network('nothing', { heldUp: [HELD] }), stopPs: 3e6 });
    expect(status).toBe('limit');
    expect(stall?.reasons.map(({ code }) => code)).toEqual(['stop-reached', 'paused-ports']);
    expect(stall?.lines.slice(-3)).toEqual(['at 3000000', 'here', 'there']);
  });
});

describe('a network that checks itself', () => {
  const verify = (): void => {
    throw new Error('a packet is nowhere');
  };

  test('is asked when all is done, and its failure is a fault of ours', () => {
    expect(() => replay(JOB, { network: network('all', { verify }) })).toThrow(
      expect.objectContaining({ name: 'Error', message: 'a packet is nowhere' }),
    );
  });

  test.each<[string, Told, number]>([
    ['stalled', 'nothing', Infinity],
    ['limit', 'all', 3e6],
  ])('is not asked of a run that is not done: %s', (status, told, stopPs) => {
    expect(replay(JOB, { network: network(told, { verify }), stopPs }).status).toBe(status);
  });
});

test.each(NIC_KINDS)(
  'R-142: what a stop cuts off has stalled where only timers of packets that have arrived are left: %s',
  (nic) => {
    const job = traces([send(1, 1, 10_000, 0)], [receive(1, 0, 10_000, 0), receive(2, 0, 8, 7)]);
    const topology = singleSwitch(2);
    const packets = packetNetwork({ topology, settings: defaultSettings(nic, topology) });
    const { status, endPs } = replay(job, { network: packets, stopPs: 50e6 });
    expect(status).toBe('stalled');
    expect(endPs).toBeLessThan(5e6);
  },
);
