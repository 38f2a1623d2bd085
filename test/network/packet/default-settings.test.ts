import fc from 'fast-check';
import {
  packetSettings,
  type CompletedSettings,
  type PacketChoice,
} from '../../../src/network/packet/default-settings.js';
import type { NicKind } from '../../../src/network/packet/packet-settings.js';
import { NIC_KINDS } from '../../../src/network/packet/packet-settings.js';
import {
  PACKET_ATTRIBUTE_NAMES,
  PACKET_ATTRIBUTES,
  type StatedSettings,
} from '../../../src/network/packet/stated-settings.js';
import type { Topology, TopologyLink } from '../../../src/network/topology/topology.js';

/** Hosts at one switch, which has the highest id. `ports` links join each host to it. */
function star(hosts: number, { ports = 1, ...link }: Partial<TopologyLink> & { ports?: number } = {}): Topology {
  const nodes = Array.from({ length: hosts }, (_, id) => ({ kind: 'host' as const, name: `h${id}`, tier: 3 }));
  const links = Array.from({ length: hosts * ports }, (_, index) => ({
    ...{ a: Math.floor(index / ports), b: hosts, gbps: 400, delayPs: 500_000, loss: 0, plane: index % ports },
    ...link,
  }));
  return { nodes: [...nodes, { kind: 'switch', name: `s${hosts}`, tier: 2 }], links };
}

const EIGHT = star(8);

function completed(nic: NicKind, stated: StatedSettings = {}, topology = EIGHT): CompletedSettings {
  return packetSettings(topology, { nic, seed: 1, stated });
}

function settings(nic: NicKind, stated: StatedSettings = {}, topology = EIGHT): CompletedSettings['settings'] {
  return completed(nic, stated, topology).settings;
}

function notes(nic: NicKind, stated: StatedSettings, topology = EIGHT): string[] {
  return completed(nic, stated, topology).findings.map(
    ({ severity, code, message }) => `${severity} ${code}: ${message}`,
  );
}

function refusal(nic: NicKind, stated: StatedSettings, topology = EIGHT): string {
  try {
    completed(nic, stated, topology);
  } catch (error) {
    expect(error).toMatchObject({ code: 'PACKET_SETTING', exitStatus: 2 });
    return (error as Error).message;
  }
  throw new Error(`accepted: ${JSON.stringify(stated)}`);
}

describe('SW-0 profile of each transport', () => {
  test('SW-0: RoCEv2 has static PFC for both classes, nothing is trimmed', () => {
    const { pfc, trimming, lossless } = settings('roce').switches;
    expect({ pfc, trimming, lossless }).toEqual({ pfc: 'static', trimming: false, lossless: [true, true] });
  });

  test.each(['uet', 'mrc'] as const)('SW-0: %s has no PFC, packets are trimmed', (nic) => {
    const { pfc, trimming, lossless } = settings(nic).switches;
    expect({ pfc, trimming, lossless }).toEqual({ pfc: 'off', trimming: true, lossless: [false, false] });
  });

  test('SW-0: UET with lossless switches, the default of the product, trims nothing', () => {
    const { trimming, lossless } = settings('uet', { PfcMode: 'static' }).switches;
    expect({ trimming, lossless }).toEqual({ trimming: false, lossless: [true, true] });
  });

  test('SW-8, MR-2: what does not go together is refused', () => {
    expect(refusal('uet', { PfcMode: 'static', Trimming: true })).toBe(
      'Trimming is on and PfcMode is static; packets are trimmed only where PFC is off (SW-8)',
    );
    expect(refusal('roce', { Trimming: true, PfcMode: 'off' })).toMatch(/^Trimming is on, and RoCEv2 has no answer/);
    expect(refusal('mrc', { PfcMode: 'dynamic', Trimming: false })).toBe(
      'PfcMode is dynamic; MRC runs without PFC (MR-2)',
    );
    expect(settings('mrc', { PfcMode: 'off' }).switches.trimming).toBe(true);
  });

  test('SW-6: control is lossless too, unless PFC is for data only', () => {
    expect(settings('roce', { PfcClasses: 'data' }).switches.lossless).toEqual([true, false]);
  });
});

describe('SW-3 limits', () => {
  const limits = (nic: NicKind, stated: StatedSettings, topology?: Topology): number[] => {
    const { egressLimitBytes, controlLimitBytes } = settings(nic, stated, topology).switches;
    return [egressLimitBytes, controlLimitBytes];
  };

  test('SW-3: PlaneBDP where packets are trimmed, 400 Gbit/s × 6 µs = 300,000 B; 1.5 times that for retransmissions', () => {
    expect(limits('uet', {})).toEqual([300_000, 300_000]);
    expect(settings('uet').switches.retransmissionFactor).toBe(1.5);
  });

  test('SW-3: 5 PlaneBDP = 1,500,000 B where they are not, for control too', () => {
    expect(limits('uet', { Trimming: false })).toEqual([1_500_000, 1_500_000]);
    expect(limits('roce', { PfcMode: 'off' })).toEqual([1_500_000, 1_500_000]);
  });

  test('SW-3: a stated limit of data is that of control without trimming, and not with it', () => {
    expect(limits('uet', { EgressLimit: 100_000 })).toEqual([100_000, 300_000]);
    expect(limits('uet', { EgressLimit: 100_000, Trimming: false })).toEqual([100_000, 100_000]);
    expect(limits('roce', { PfcMode: 'off', EgressLimit: Infinity })).toEqual([Infinity, Infinity]);
    expect(limits('uet', { EgressLimit: 100_000, ControlLimit: 50_000, Trimming: false })).toEqual([100_000, 50_000]);
  });

  test('SW-3: PlaneBDP follows InitialBaseRTT, the fastest link of a host, and what is stated', () => {
    expect(limits('uet', { InitialBaseRTT: 12_000_000 })).toEqual([600_000, 600_000]);
    expect(limits('uet', {}, star(2, { gbps: 100 }))).toEqual([75_000, 75_000]);
    expect(limits('uet', { PlaneBDP: 200_000 })).toEqual([200_000, 200_000]);
    // 33.6 Gbit/s × 6 µs / 8 = 25,200 B; in doubles the product is a little off.
    expect(limits('uet', {}, star(2, { gbps: 33.6 }))).toEqual([25_200, 25_200]);
  });

  test('SW-3: links between switches do not count for PlaneBDP, the fastest host does', () => {
    const { nodes, links } = star(2);
    const topology: Topology = {
      nodes: [...nodes, { kind: 'switch', name: 's3', tier: 1 }],
      links: [
        { ...links[0], gbps: 100 },
        { ...links[1], gbps: 200 },
        { ...links[0], a: 2, b: 3, gbps: 800 },
      ],
    };
    expect(limits('uet', {}, topology)).toEqual([150_000, 150_000]);
  });

  test('SW-3: a limit into which no full frame fits is refused, of switch, control, link, share and pool', () => {
    // UET: 4,096 + 106 = 4,202 B; the largest control frame is the SACK, 78 B.
    expect(refusal('uet', { EgressLimit: 4201 })).toBe(
      'EgressLimit 4,201 B: a frame of 4,202 B never fits; expected at least as much (PlaneBDP is 300,000 B)',
    );
    expect(settings('uet', { EgressLimit: 4202 }).switches.egressLimitBytes).toBe(4202);
    expect(refusal('uet', { ControlLimit: 77 })).toMatch(/^ControlLimit 77 B: a frame of 78 B never fits/);
    expect(refusal('uet', {}, star(2, { queueBytes: 4000 }))).toMatch(
      /^queue of the link h0 – s2, 4,000 B: a frame of/,
    );
    // RoCEv2: 4,154 B; 0.001 of 0.9 × 4,000,000 B.
    expect(refusal('roce', { PfcMode: 'off', LossyAlpha: 0.001, BufferBytes: 4_000_000 })).toMatch(
      /^LossyAlpha 0.001 of the pool, 3,600 B: a frame of 4,154 B never fits/,
    );
    expect(refusal('uet', { BufferBytes: 4600 })).toMatch(/^pool of data, 0.9 of BufferBytes, 4,140 B/);
    expect(refusal('uet', { BufferBytes: 10_000, ProbeBytes: 1001 })).toMatch(
      /^pool of control, .* 1,000 B: .* 1,001 B/,
    );
    expect(refusal('uet', {}, star(2, { gbps: 1 }))).toMatch(/^EgressLimit 750 B: .*\(PlaneBDP is 750 B\)$/);
  });

  test('SW-3: without switches there is nothing to limit', () => {
    const hosts = star(2).nodes.slice(0, 2);
    const topology = { nodes: hosts, links: [{ ...star(2).links[0], b: 1 }] };
    expect(settings('uet', { EgressLimit: 1 }, topology).switches.egressLimitBytes).toBe(1);
  });

  test.each([0, -1])('SW-3: LossyAlpha %d is refused', (LossyAlpha) => {
    expect(refusal('roce', { PfcMode: 'off', LossyAlpha })).toBe(`LossyAlpha ${LossyAlpha}; expected more than 0`);
  });
});

describe('SW-4 static PFC', () => {
  test('SW-4: Xoff 700,000, Xon 300,000, headroom 256,000, buffer 256,000,000 B', () => {
    const { xoffBytes, xonBytes, headroomBytes, bufferBytes } = settings('roce').switches;
    expect([xoffBytes, xonBytes, headroomBytes, bufferBytes]).toEqual([700_000, 300_000, 256_000, 256_000_000]);
  });

  test('SW-4: the buffer holds what all ports of the largest switch may be charged with, and says where it had to grow', () => {
    // ports × 956,000 / 0.9 + ports × 256,000: 255,736,… at 194 ports, 257,053,333.3 at 195.
    expect(completed('roce', {}, star(194)).findings).toEqual([]);
    expect(settings('roce', {}, star(194)).switches.bufferBytes).toBe(256_000_000);
    expect(settings('roce', {}, star(195)).switches.bufferBytes).toBe(257_053_334);
    expect(notes('roce', {}, star(195))).toEqual([
      'note BUFFER_ENLARGED: BufferBytes is 257,053,334, not 256,000,000: so much is needed where all 195 ports of a switch reach Xoff',
    ]);
    expect(settings('uet', {}, star(195)).switches.bufferBytes).toBe(256_000_000);
    expect(settings('roce', { BufferBytes: 100_000_000 }, star(195)).switches.bufferBytes).toBe(100_000_000);
  });

  test('SW-4: a buffer that headroom uses up, and thresholds in the wrong order', () => {
    expect(refusal('roce', { BufferBytes: 2_048_000 })).toBe(
      'BufferBytes 2,048,000: headroom of the ports of a switch take 2,048,000 B; expected more',
    );
    expect(refusal('roce', { Xon: 700_001 })).toBe('Xon 700,001 B is above Xoff 700,000 B; expected at most as much');
    expect(settings('roce', { Xon: 700_000 }).switches.xonBytes).toBe(700_000);
  });

  test('SW-5: the buffer of dynamic PFC is 32 MiB, of which ports keep headroom and reserves', () => {
    const { bufferBytes, pfc } = settings('roce', { PfcMode: 'dynamic' }).switches;
    expect({ bufferBytes, pfc }).toEqual({ bufferBytes: 33_554_432, pfc: 'dynamic' });
    // A port: 3 × 400 Gbit/s × 500 ns / 8 = 75,000 B, and 2 × 4,096 B.
    expect(refusal('roce', { PfcMode: 'dynamic', BufferBytes: 8 * 83_192 })).toBe(
      'BufferBytes 665,536: headroom and reserves of the ports of a switch take 665,536 B; expected more',
    );
  });

  test('SW-6: headroom below 58,392 B at 400 Gbit/s, 500 ns is warned of', () => {
    expect(notes('roce', { Headroom: 58_392 })).toEqual([]);
    expect(notes('roce', { Headroom: 58_391 })).toEqual([
      'warning HEADROOM_SHORT: Headroom 58,391 B: 8 links can fill it after an XOFF, h0 – s8 with 58,392 B',
    ]);
    expect(notes('roce', { Headroom: 58_391, PfcMode: 'dynamic' })).toEqual([
      'note SETTING_UNUSED: Headroom is not used: PfcMode is dynamic',
    ]);
    // A host acts on an XOFF RxLatency later.
    expect(notes('roce', { Headroom: 100_000, RxLatency: 1_000_000 })).toEqual([
      'warning HEADROOM_SHORT: Headroom 100,000 B: 8 links can fill it after an XOFF, h0 – s8 with 108,392 B',
    ]);
    // Either end of a link between switches takes SwitchLatency: 1 µs more at 400 Gbit/s is 50,000 B.
    expect(notes('roce', { Headroom: 100_000, SwitchLatency: 1_000_000 })).toEqual([
      'warning HEADROOM_SHORT: Headroom 100,000 B: 8 links can fill it after an XOFF, h0 – s8 with 108,392 B',
    ]);
  });
});

describe('SW-8: trimmed packets without congestion control', () => {
  // A trimmed packet is 62 B, a full one 4,202: those of 68 hosts are more than the link of one.
  test.each([
    [68, 'nscc', []],
    [69, 'nscc', []],
    [68, 'none', []],
    [69, 'none', ['401.3']],
  ] as const)('%i hosts, %s', (hosts, CongestionControl, rates) => {
    expect(notes('uet', { CongestionControl }, star(hosts))).toEqual(
      rates.map(
        (rate) =>
          `warning TRIMMING_UNCONTROLLED: trimmed packets for h0 and for 68 others can come at ${rate} Gbit/s, its links take 400: no data would get through`,
      ),
    );
  });

  test('not where nothing is trimmed', () => {
    expect(notes('uet', { CongestionControl: 'none', Trimming: false }, star(69))).toEqual([]);
  });
});

describe('NIC and transports', () => {
  test('NIC-3, NIC-4: no latencies and no host link by default; 16 lanes of 31.52 are 504.32 Gbit/s', () => {
    expect(settings('roce').hosts).toEqual({ txStartLatencyPs: 0, rxLatencyPs: 0, ackTurnaroundPs: 0 });
    expect(settings('roce', { HostLink: true, TxStartLatency: 80_000 }).hosts).toEqual({
      ...{ txStartLatencyPs: 80_000, rxLatencyPs: 0, ackTurnaroundPs: 0 },
      hostLink: { gbps: 504.32, overheadBytes: 34, pieceBytes: 512, ingressPoolBytes: 3_600_000 },
    });
    expect(settings('roce', { HostLink: true, LaneCount: 3 }).hosts.hostLink?.gbps).toBe(94.56);
  });

  test('RC-1 to RC-6', () => {
    expect(settings('roce').roce).toMatchObject({
      ...{ qpsPerPair: 1, qpMode: 'pair', qpMessagesInFlight: 1, ackThreshold: 16 },
      ...{ ackDelayPs: 1e9, retransmitTimeoutPs: 64e9, cnpIntervalPs: 50e6, congestionControl: 'dcqcn' },
    });
  });

  test('DCQCN: profiles of section 6', () => {
    expect(settings('roce').roce.dcqcn).toEqual({
      ...{ profile: 'paper', g: 0.00390625, alphaPeriodPs: 55e6, ratePeriodPs: 55e6, decreasePeriodPs: 0 },
      ...{ byteCounterBytes: 10e6, fastRecoverySteps: 5, additiveGbps: 0.04, hyperGbps: 0.2, scaledFromGbps: 40 },
      ...{ minimumGbps: 0.1, clampTarget: false },
    });
    expect(settings('roce', { DcqcnProfile: 'ns3' }).roce.dcqcn).toEqual({
      ...{ profile: 'ns3', g: 0.00390625, alphaPeriodPs: 1e6, ratePeriodPs: 900e6, decreasePeriodPs: 4e6 },
      ...{ byteCounterBytes: Infinity, fastRecoverySteps: 1, additiveGbps: 0.05, hyperGbps: 0.1 },
      ...{ scaledFromGbps: undefined, minimumGbps: 0.1, clampTarget: true },
    });
    expect(settings('roce', { DcqcnProfile: 'ns3', DcqcnF: 3, DcqcnRmin: 1 }).roce.dcqcn).toMatchObject({
      ...{ ratePeriodPs: 900e6, fastRecoverySteps: 3, minimumGbps: 1 },
    });
    expect(refusal('roce', { DcqcnRmin: 401 })).toBe("DcqcnRmin 401 Gbit/s is above the 400 Gbit/s of a host's link");
  });

  test('congestion control is of the transport', () => {
    expect(settings('roce', { CongestionControl: 'none' }).roce.congestionControl).toBe('none');
    expect(settings('uet', { CongestionControl: 'none' }).nscc.enabled).toBe(false);
    expect(settings('mrc').nscc.enabled).toBe(true);
    expect(refusal('roce', { CongestionControl: 'nscc' })).toBe(
      'CongestionControl nscc is not of the NIC roce; expected dcqcn or none',
    );
    expect(refusal('mrc', { CongestionControl: 'dcqcn' })).toMatch(/^CongestionControl dcqcn is not of the NIC mrc/);
  });

  test('UE-1 to UE-7', () => {
    expect(settings('uet').uet).toEqual({
      ...{ ackEvery: 1, gapDetect: false, timeoutPs: 150e6, fixedTimeout: false, probe: false },
      ...{ spraying: 'default', paths: 128, receiverCredit: false },
    });
  });

  test('NSCC: τ is 6 µs without trimming and 4.5 µs with it', () => {
    const of = (stated: StatedSettings): CompletedSettings['settings']['nscc'] => settings('uet', stated).nscc;
    expect(of({})).toMatchObject({ initialBaseRttPs: 6e6, targetFactor: 0.75, trimming: true, delayWeight: 0.25 });
    expect(of({ Trimming: false })).toMatchObject({ targetFactor: 1, trimming: false });
    expect(of({})).toMatchObject({ referenceLinkGbps: 400, referenceRttPs: 6e6, baseRttHysteresis: false });
    expect(of({})).toMatchObject({ fairFactor: 5, proportionalFactor: 4, etaFactor: 0.15, fastFactor: 0.25 });
    expect(of({})).toMatchObject({ gamma: 0.8, maximumDecrease: 0.5, maximumWindowFactor: 1.5 });
  });

  test('MR-3 to MR-8', () => {
    expect(settings('mrc').mrc).toEqual({
      ...{ evCount: 128, probeIntervalPs: 100e6, gapDetect: true, evMode: 'ecmp', deniedEvs: [] },
    });
    expect(settings('mrc', { DeniedEvs: [7, 3, 7] }).mrc.deniedEvs).toEqual([3, 7]);
  });

  test('MR-3: values are spread evenly over the ports of a host', () => {
    expect(settings('mrc', { EvCount: 126 }, star(2, { ports: 3 })).mrc.evCount).toBe(126);
    expect(refusal('mrc', {}, star(2, { ports: 3 }))).toBe(
      'EvCount 128 cannot be spread evenly over the 3 ports of a host (MR-3)',
    );
    expect(settings('uet', {}, star(2, { ports: 3 })).mrc.evCount).toBe(128);
    // 65,536 values: 32,768 active ones and as many backups.
    expect(settings('mrc', { EvCount: 32_768 }).mrc.evCount).toBe(32_768);
    expect(refusal('mrc', { EvCount: 32_768, DeniedEvs: [0] })).toBe(
      'EvCount 32,768: port 0 of 1 needs 65,536 values with the backups, and has 65,535 (MR-3)',
    );
    expect(refusal('mrc', { EvCount: 32_768, DeniedEvs: [1] }, star(2, { ports: 2 }))).toMatch(/: port 1 of 2 needs/);
  });
});

test('UE-3: an ACK for more packets than the window starts with is warned of', () => {
  // 400 Gbit/s × 6 µs / 8 = 300,000 B, 73 packets of 4,096 B and a part.
  expect(notes('uet', { AckEvery: 73 })).toEqual([]);
  expect(notes('uet', { AckEvery: 74 })).toEqual([
    'warning ACKS_SPARSE: AckEvery 74: the window of h0 starts with 73 packets',
  ]);
  expect(notes('mrc', { AckEvery: 146 }, star(2, { ports: 2 }))).toEqual([]);
  expect(notes('uet', { AckEvery: 74, CongestionControl: 'none' })).toEqual([]);
});

test('MR-4: a ProbeInterval in which the probes of all values cannot be sent is refused', () => {
  // 256 probes of 62 B at 400 Gbit/s: 256 × 1.24 ns.
  expect(settings('mrc', { ProbeInterval: 317_440 }).mrc.probeIntervalPs).toBe(317_440);
  expect(refusal('mrc', { ProbeInterval: 317_439 })).toBe(
    'ProbeInterval 317,439 ps: a host needs 317,440 ps for the probes of 256 values; expected at least as much',
  );
});

describe('settings that count for nothing', () => {
  test.each<[nic: NicKind, stated: StatedSettings, messages: string[]]>([
    ['uet', { QpsPerPair: 4 }, ['QpsPerPair is not used: it is of roce, and the NICs are uet']],
    ['roce', { AckEvery: 2 }, ['AckEvery is not used: it is of uet and mrc, and the NICs are roce']],
    ['uet', { GapDetect: false }, ['GapDetect is not used: it is of mrc, and the NICs are uet']],
    ['roce', { EgressLimit: 300_000 }, ['EgressLimit is not used: PFC protects data']],
    ['roce', { EgressLimit: 300_000, PfcClasses: 'data' }, []],
    ['uet', { EgressLimit: 300_000, LossyAlpha: 0.5 }, ['EgressLimit is not used: LossyAlpha is stated']],
    ['uet', { EgressLimit: 300_000, LossyAlpha: 0.5, Trimming: false }, []],
    ['uet', { Xoff: 1, Xon: 1 }, ['Xoff is not used: PfcMode is off', 'Xon is not used: PfcMode is off']],
    ['uet', { Trimming: false, NackBytes: 64 }, ['NackBytes is not used: Trimming is off']],
    ['uet', { Ecn: false, EcnPmax: 0.5 }, ['EcnPmax is not used: Ecn is false']],
    ['roce', { CongestionControl: 'none', DcqcnG: 0.5 }, ['DcqcnG is not used: CongestionControl is none']],
    ['mrc', { CongestionControl: 'none', ReferenceRTT: 1 }, ['ReferenceRTT is not used: CongestionControl is none']],
    ['roce', { LaneCount: 8 }, ['LaneCount is not used: HostLink is off']],
    ['roce', { QpMode: 'per-transfer', QpsPerPair: 2 }, ['QpsPerPair is not used: QpMode is per-transfer']],
    ['uet', { UetSpraying: 'reps', UetPaths: 64 }, ['UetPaths is not used: UetSpraying is reps']],
    ['roce', { PlaneBDP: 300_000 }, ['PlaneBDP is not used: no limit and no threshold follows from it']],
    ['roce', { PlaneBDP: 300_000, PfcMode: 'off' }, []],
    ['roce', { PlaneBDP: 300_000, EcnProfile: 'bdp' }, []],
    ['uet', { PlaneBDP: 300_000, EgressLimit: 9000, ControlLimit: 9000 }, []],
  ])('%s with %j', (nic, stated, messages) => {
    expect(notes(nic, stated)).toEqual(messages.map((message) => `note SETTING_UNUSED: ${message}`));
  });

  test.each(NIC_KINDS)('every setting that is not of %s is said to be unused, and no default is', (nic) => {
    expect(completed(nic).findings).toEqual([]);
    for (const name of PACKET_ATTRIBUTE_NAMES.filter((attribute) => !PACKET_ATTRIBUTES[attribute].includes(nic))) {
      expect(notes(nic, { [name]: 1 })).toEqual([
        expect.stringContaining(`SETTING_UNUSED: ${name} is not used: it is of`),
      ]);
    }
  });
});

test('a setting of another NIC changes no other', () => {
  const choice = fc.record({ nic: fc.constantFrom(...NIC_KINDS), name: fc.constantFrom(...PACKET_ATTRIBUTE_NAMES) });
  fc.assert(
    fc.property(choice, fc.oneof(fc.nat(), fc.string(), fc.boolean()), ({ nic, name }, value) => {
      fc.pre(!PACKET_ATTRIBUTES[name].includes(nic));
      expect(settings(nic, { [name]: value })).toEqual(settings(nic));
    }),
  );
});

test('check and fold are what is asked for', () => {
  const made = (more: Partial<PacketChoice>): boolean[] => {
    const { check, fold } = packetSettings(EIGHT, { nic: 'uet', seed: 7, stated: {}, ...more }).settings;
    return [check, fold];
  };
  expect(made({})).toEqual([false, true]);
  expect(made({ check: true, fold: false })).toEqual([true, false]);
});
