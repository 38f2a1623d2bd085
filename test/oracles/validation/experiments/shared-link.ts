import { peakQueueBytes, portBetween, total } from '../../../support/packet-runs.js';
import { atLeast, atMost, exactly, figure, near, within, type Experiment } from './figure.js';
import { oneSwitch } from './one-message.js';
import {
  acknowledgedUs,
  atHosts,
  dropsOf,
  incastOf,
  MIB,
  post,
  receivedUs,
  runTransport,
  type TransportRun,
} from './transport-run.js';

/** V-4 to V-8, V-21, V-22: several RoCEv2 messages at one link, without congestion control. */

/** A full frame: 4,096 + 58 B. */
const FRAME = 4154;
/** PFC off, queues without limit. */
const UNLIMITED = { PfcMode: 'off', EgressLimit: Infinity, ControlLimit: Infinity } as const;
/** SW-6. */
const NEEDED_HEADROOM = 58_392;

function run(hosts: number, posts: TransportRun['posts'], stated: TransportRun['stated'] = {}) {
  const all = { CongestionControl: 'none', ...stated } as const;
  return runTransport({ nic: 'roce', topology: oneSwitch(hosts), posts, stated: all });
}

const V_4: Experiment = {
  id: 'V-4',
  what: '2→1, 1 MiB each, RoCEv2 without congestion control',
  figures() {
    const ran = run(3, [post(0, 2), post(1, 2)]);
    const { fabric } = ran.network;
    const [first, second] = receivedUs(ran);
    const [firstAcknowledged, secondAcknowledged] = acknowledgedUs(ran);
    return [
      figure('first: received', 'µs', exactly(43.53696), first),
      figure('second: received', 'µs', exactly(43.62004), second),
      figure('first: acknowledged', 'µs', exactly(44.542), firstAcknowledged),
      figure('second: acknowledged', 'µs', exactly(44.62508), secondAcknowledged),
      figure(
        'most bytes at the egress',
        'B',
        near(1_067_578, FRAME),
        peakQueueBytes(fabric, portBetween(fabric, 3, 2)),
      ),
      figure('XOFFs', '', exactly(0), total(fabric.counters.xoffsSent)),
    ];
  },
};

function incast(id: string, senders: number, lastUs: number, headroomBytes: number): Experiment {
  return {
    id,
    what: `${senders}→1, 1 MiB each, RoCEv2 without congestion control`,
    figures() {
      const ran = run(senders + 1, incastOf(senders));
      const { counters } = ran.network.fabric;
      const hosts = Array.from({ length: senders }, (_, n) => n + 1);
      const xoffs = atHosts(ran, counters.xoffsSent, hosts);
      const last = Math.max(...receivedUs(ran));
      const common = [
        figure('last received', 'µs', exactly(lastUs), last),
        figure('XOFFs of an ingress port, least', '', exactly(1), Math.min(...xoffs)),
        figure('XOFFs of an ingress port, most', '', exactly(1), Math.max(...xoffs)),
        figure('headroom in use, most', 'B', atMost(NEEDED_HEADROOM), Math.max(...counters.peakHeadroomBytes)),
        figure(
          'the same in the check of the text',
          'B',
          exactly(headroomBytes),
          Math.max(...counters.peakHeadroomBytes),
        ),
        figure('drops', '', exactly(0), dropsOf(ran)),
      ];
      if (senders !== 4) return common;
      const apart = receivedUs(run(5, incastOf(4), UNLIMITED));
      const expected = [85.90776, 85.99084, 86.07392, 86.157];
      return [
        ...common,
        ...expected.map((time, n) =>
          figure(`without PFC and limit: ${n + 1}. received`, 'µs', exactly(time), apart[n]),
        ),
      ];
    },
  };
}

const V_7: Experiment = {
  id: 'V-7',
  what: '1→2 from one NIC, 1 MiB each, RoCEv2: packets alternate',
  figures() {
    const [first, second] = receivedUs(run(3, [post(0, 1), post(0, 2)]));
    return [
      figure('first: received', 'µs', exactly(43.53696), first),
      figure('second: received', 'µs', exactly(43.62004), second),
    ];
  },
};

const V_8: Experiment = {
  id: 'V-8',
  what: 'two messages of 1 MiB on one queue pair, RoCEv2',
  figures: () =>
    (
      [
        ['one after the other', 1, 45.70816],
        ['back to back', 0, 43.62004],
      ] as const
    ).map(([name, QpMessagesInFlight, expected]) => {
      const ran = run(2, [post(0, 1), post(0, 1)], { QpMessagesInFlight });
      return figure(`${name}: second received`, 'µs', exactly(expected), receivedUs(ran)[1]);
    }),
};

const V_21: Experiment = {
  id: 'V-21',
  what: '7→1, 1 MiB each, RoCEv2 without congestion control and PFC, egress limit 300,000 B',
  figures() {
    const ran = run(8, incastOf(7), { PfcMode: 'off', EgressLimit: 300_000 });
    const { hostCounters } = ran.network;
    return [
      figure('packets dropped', '', atLeast(1), dropsOf(ran)),
      figure('messages acknowledged', '', exactly(7), ran.times.filter(({ acked }) => acked > 0).length),
      figure('packets sent again', '', atLeast(1), total(hostCounters.retransmissions)),
    ];
  },
};

const V_22: Experiment = {
  id: 'V-22',
  what: 'victim: 1, 2, 3→0 and 1→4, 4 MiB each, RoCEv2 without congestion control',
  figures() {
    const posts = [...incastOf(3, 4 * MIB), post(1, 4, 4 * MIB)];
    const free = receivedUs(run(5, posts, UNLIMITED));
    const ran = run(5, posts);
    const paused = receivedUs(ran);
    const { counters } = ran.network.fabric;
    const xoffs = atHosts(ran, counters.xoffsSent, [1, 2, 3]);
    return [
      // The text rounds to ns: 171,230.92 and 256,304.84 ns.
      figure('without PFC and limit: 1→4 received', 'µs', near(171.231, 0.0005), free[3]),
      figure('without PFC and limit: last received', 'µs', near(256.305, 0.0005), Math.max(...free)),
      figure('with PFC: 1→4 received', 'µs', within(254.15, 0.05), paused[3]),
      figure('with PFC: last received', 'µs', near(256.305, 0.0005), Math.max(...paused)),
      figure('with PFC: XOFFs of an ingress port, least', '', exactly(5), Math.min(...xoffs)),
      figure('with PFC: XOFFs of an ingress port, most', '', exactly(5), Math.max(...xoffs)),
      figure('with PFC: drops', '', exactly(0), dropsOf(ran)),
    ];
  },
};

export const SHARED_LINK: readonly Experiment[] = [
  V_4,
  incast('V-5', 4, 86.157, 41_540),
  incast('V-6', 7, 149.96244, 49_848),
  V_7,
  V_8,
];

export const WITHOUT_CONTROL: readonly Experiment[] = [V_21, V_22];
