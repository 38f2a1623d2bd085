import { EventClass } from '../../../../src/kernel/event-queue.js';
import { DcqcnRate } from '../../../../src/network/packet/congestion/dcqcn.js';
import { packetSettings } from '../../../../src/network/packet/settings/default-settings.js';
import { NsccWindow, nsccGains } from '../../../../src/network/packet/congestion/nscc.js';
import { PACKET_KINDS, PacketKind } from '../../../../src/network/packet/fabric/packet-record.js';
import type { PacketSettings } from '../../../../src/network/packet/settings/packet-settings.js';
import type { StatedSettings } from '../../../../src/network/packet/settings/stated-settings.js';
import { atLeast, atMost, between, exactly, figure, within, type Experiment, type Figure } from './figure.js';
import { oneSwitch, twoLeaves } from './one-message.js';
import { dropsOf, gotBy, incastOf, post, runTransport } from './transport-run.js';

/** V-13 to V-15: DCQCN and NSCC. */

const US = 1e6; // ps
const RELATIVE = 1e-9;
const MSS = 4096;
const NOMINAL = MSS + 88;
const FRAME_PS = 83_080;
/** V-14: from when shares are measured, and to when. */
const SETTLED_PS = 2e9;
const END_PS = 50e9;

function settingsOf(nic: 'roce' | 'uet', stated: StatedSettings = {}): PacketSettings {
  return packetSettings(oneSwitch(2), { nic, seed: 1, stated }).settings;
}

const V_13: Experiment = {
  id: 'V-13',
  what: 'DCQCN at 400 Gbit/s after a single CNP, profile paper',
  figures() {
    const slowed = (): DcqcnRate => {
      const rate = new DcqcnRate(settingsOf('roce').roce.dcqcn, 400);
      rate.onCongestion(0);
      return rate;
    };
    const rates = [200, 300, 350, 375, 387.5, 393.75, 396.875, 398.4375];
    const asked = slowed();
    return [
      ...rates.map((gbps, n) =>
        figure(`rate at ${n * 55} µs`, 'Gbit/s', within(gbps, RELATIVE), asked.gbpsAt(n * 55 * US)),
      ),
      // The same where nobody asked in between.
      figure('rate at 385 µs, asked once', 'Gbit/s', within(398.4375, RELATIVE), slowed().gbpsAt(385 * US)),
      figure('α before 55 µs', '', exactly(1), slowed().alphaAt(55 * US - 1)),
      ...[1, 2, 3].map((n) => {
        // 0.996094, 0.992203, 0.988327.
        return figure(`α at ${n * 55} µs`, '', within((255 / 256) ** n, RELATIVE), slowed().alphaAt(n * 55 * US));
      }),
      figure('start to start of 4,154 B at 200 Gbit/s', 'ps', exactly(166_160), slowed().gapPs(4154, 0)),
    ];
  },
};

/** Two flows that never end, from 2 ms on: the part of the link that each has, and what was counted. */
function longFlows(DcqcnProfile: 'paper' | 'ns3'): { shares: number[]; cnps: number[]; drops: number } {
  const before = [0, 0];
  const ran = runTransport({
    nic: 'roce',
    topology: oneSwitch(3),
    posts: incastOf(2, 4e9),
    stated: { DcqcnProfile },
    stopPs: END_PS,
    prepare: ({ kernel, network: { hostCounters } }) => {
      const note = kernel.addHandler(() => {
        for (const n of [0, 1]) before[n] = hostCounters.packetsSent[(n + 1) * PACKET_KINDS];
      });
      kernel.schedule(SETTLED_PS, EventClass.timer, 0, note, 0);
    },
  });
  const { packetsSent } = ran.network.hostCounters;
  const sent = before.map((packets, n) => packetsSent[(n + 1) * PACKET_KINDS] - packets);
  return {
    shares: sent.map((packets) => (packets * FRAME_PS) / (END_PS - SETTLED_PS)),
    cnps: [1, 2].map((host) => gotBy(ran, host, PacketKind.cnp)),
    drops: dropsOf(ran),
  };
}

function longFlowFigures(profile: 'paper' | 'ns3'): Figure[] {
  const { shares, cnps, drops } = longFlows(profile);
  const [first, second] = shares;
  const fair =
    profile === 'paper'
      ? shares.map((share, n) => figure(`${profile}: share of flow ${n + 1}`, '', between(0.4, 0.6), share))
      : [figure(`${profile}: share of flow 1 over that of flow 2`, '', within(1, 0.05), first / second)];
  return [
    ...fair,
    figure(`${profile}: sum of the shares`, '', atLeast(profile === 'paper' ? 0.85 : 0.65), first + second),
    figure(`${profile}: drops`, '', exactly(0), drops),
    figure(`${profile}: CNPs of a flow, most`, '', atMost(END_PS / 50e6), Math.max(...cnps)),
    figure(`${profile}: CNPs of a flow, least`, '', atLeast(1), Math.min(...cnps)),
  ];
}

const V_14: Experiment = {
  id: 'V-14',
  what: 'DCQCN, 2→1 for 50 ms over one switch, shares from 2 ms on',
  figures: () => [...longFlowFigures('paper'), ...longFlowFigures('ns3')],
};

/** A window of 300,000 B that is full. */
function window300(weight?: number): NsccWindow {
  const { nscc } = settingsOf('uet', { Trimming: false, ...(weight === undefined ? {} : { NsccDelayWeight: weight }) });
  const window = new NsccWindow(nscc, MSS, 400, 0);
  window.sent(450_000);
  window.timedOut(150_000);
  return window;
}

/** What eight packets at one delay add, with one byte more that closes the adjustment. */
function increase(delayUs: number): number {
  const window = window300();
  for (let packet = 1; packet <= 8; packet++) window.acked(NOMINAL, NOMINAL, (6 + delayUs) * US, false, packet);
  window.acked(1, 1, 7.5 * US, true, 9);
  return window.cwndBytes - 300_000;
}

/** What a mark makes of a window where the average delay is `targets` τ; η is off. */
function decrease(targets: number): number {
  const window = window300(1);
  window.acked(1, 1, (6 + 6 * targets) * US, true, 6 * US + 1);
  return (window.cwndBytes - 614.4) / 300_000;
}

/** The window of Quick Adapt after a period that achieved so much, 300,000 B where it does not adapt. */
function adapted(achievedBytes: number): number {
  const window = window300(1);
  window.acked(4000, 4000, 6 * US, true, 0);
  window.acked(achievedBytes, achievedBytes, 31 * US, false, 12 * US + 1);
  return window.cwndBytes;
}

function largestWindow(topology: ReturnType<typeof oneSwitch>, destination: number): [basePs: number, bytes: number] {
  const { rtt, pace } = runTransport({ nic: 'uet', topology, posts: [post(0, destination)] }).network.hostCounters;
  return [rtt.least[0], pace.least[0]];
}

const V_15: Experiment = {
  id: 'V-15',
  what: 'NSCC at 400 Gbit/s and 6 µs, trimming off where nothing is said',
  figures() {
    const plain = nsccGains(settingsOf('uet', { Trimming: false }).nscc, MSS, 400);
    const trimmed = nsccGains(settingsOf('uet').nscc, MSS, 400);
    const [onSwitchPs, onSwitchBytes] = largestWindow(oneSwitch(2), 1);
    const [acrossPs, acrossBytes] = largestWindow(twoLeaves(), 5);
    const first = new NsccWindow(settingsOf('uet', { Trimming: false }).nscc, MSS, 400, 0);
    return [
      figure('BDP', 'B', within(300_000, RELATIVE), plain.initialBdpBytes),
      figure('Wmax, the first window', 'B', within(450_000, RELATIVE), first.cwndBytes),
      figure('τ', 'µs', within(6, RELATIVE), plain.targetPs / US),
      figure('τ, trimming on', 'µs', within(4.5, RELATIVE), trimmed.targetPs / US),
      // 2,730.67.
      figure('k_prop', '', within(16_384 / 6, RELATIVE), plain.proportional),
      figure('k_prop, trimming on', '', within(16_384 / 6, RELATIVE), trimmed.proportional),
      figure('k_fair', '', within(20_480, RELATIVE), plain.fair),
      figure('η', 'B', within(614.4, RELATIVE), plain.etaBytes),
      figure('k_fast', '', within(0.25, RELATIVE), plain.fast),
      // 411,303,936 and 685,506,560 B² over the window: 1,371.0 and 2,285.0.
      figure('8 packets at d = 1.5 µs', 'B', within(411_303_936 / 300_000, RELATIVE), increase(1.5)),
      figure('8 packets at d = 6 µs', 'B', within(685_506_560 / 300_000, RELATIVE), increase(6)),
      figure('mark at avg = 2 τ', '×', within(0.6, RELATIVE), decrease(2)),
      figure('mark at avg = 1.25 τ', '×', within(0.84, RELATIVE), decrease(1.25)),
      figure('mark at avg = 2.67 τ', '×', within(0.5, RELATIVE), decrease(2.67)),
      figure('Quick Adapt: window after 56,249 B', 'B', exactly(56_249), adapted(56_249)),
      figure('Quick Adapt: window after 56,250 B, the gate', 'B', atLeast(300_000), adapted(56_250)),
      figure('base RTT over one switch', 'ps', exactly(2_087_160), onSwitchPs),
      figure('Wmax over one switch', 'B', exactly(156_537), onSwitchBytes),
      figure('base RTT across spines', 'ps', exactly(4_258_360), acrossPs),
      figure('Wmax across spines', 'B', exactly(319_377), acrossBytes),
    ];
  },
};

export const WINDOW_AND_RATE: readonly Experiment[] = [V_13, V_14, V_15];
