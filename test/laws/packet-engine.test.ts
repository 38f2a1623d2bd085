import fc from 'fast-check';
import { runPackets } from '../support/packet-engine-run.js';
import { runSlowPackets } from '../support/slow-packet-network/slow-packet-network.js';
import { packetSpecOf, randomPacketRun } from './random-packet-run.js';

const RUNS = Number(process.env.PACKET_RUNS ?? 100);

test.each(['roce'] as const)('the engine gives the times of the slow twin: %s', (nic) => {
  fc.assert(
    fc.property(
      randomPacketRun(nic).filter((r) => { const s = packetSpecOf(r).settings; return s.switches.pfc === 'off' && s.switches.lossyAlpha === undefined && s.switches.bufferBytes > 1e6 && s.hosts.txStartLatencyPs === 0 && (s.hosts.rxLatencyPs === 0 || !s.routing.hostsForward) && s.roce.congestionControl==='none'; }),
      (drawn) => {
        const spec = packetSpecOf(drawn);
        const slow = runSlowPackets(spec, drawn.posts);
        const fast = runPackets(spec, drawn.posts);
        expect(byTransfer(fast.times)).toEqual(byTransfer(slow.times));
      },
    ),
    { numRuns: RUNS },
  );
});

function byTransfer<T>(times: ReadonlyMap<number, T>): [number, T][] {
  return [...times].sort(([one], [other]) => one - other);
}
