import fc from 'fast-check';
import {
  ECMP_MODES,
  NIC_KINDS,
  SPRAYINGS,
  type NicKind,
  type PacketNetworkSpec,
} from '../../src/network/packet/packet-settings.js';
import { hostsOf, type Topology } from '../../src/network/topology/topology.js';
import { defaultSettings, type SettingsOverrides } from '../support/slow-packet-network/default-settings.js';
import type { PostedPackets } from '../support/slow-packet-network/slow-packet-network.js';
import {
  fatTree,
  hostRing,
  leafSpine,
  range,
  singleSwitch,
  topologyOf,
} from '../support/slow-packet-network/small-topologies.js';

/**
 * A random run of a packet network, as values that print. Every limit leaves room for one full packet, so that each
 * transfer ends however much is dropped, trimmed, paused or lost on the way.
 */
export interface RandomPacketRun {
  readonly nic: NicKind;
  readonly topology: Topology;
  /** What differs from the defaults. */
  readonly overrides: SettingsOverrides;
  readonly posts: readonly PostedPackets[];
}

export function packetSpecOf({ nic, topology, overrides }: RandomPacketRun): PacketNetworkSpec {
  return { topology, settings: defaultSettings(nic, topology, overrides) };
}

const shapes: fc.Arbitrary<Topology> = fc.oneof(
  fc.integer({ min: 2, max: 6 }).map((hosts) => singleSwitch(hosts)),
  fc
    .tuple(
      fc.integer({ min: 2, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 2 }),
    )
    .map(([leaves, spines, hosts, parallel]) => leafSpine(leaves, spines, hosts, {}, parallel)),
  fc.constantFrom(2, 4).map((k) => fatTree(k)),
  fc.integer({ min: 2, max: 6 }).map((hosts) => hostRing(Math.max(3, hosts))),
  fc.integer({ min: 2, max: 4 }).map(planes),
);

/** Every host on each of two switches. */
function planes(hosts: number): Topology {
  return topologyOf(
    hosts,
    2,
    range(hosts).flatMap((host) => [[host, hosts] as const, [host, hosts + 1] as const]),
  );
}

const SPEEDS = [25, 40, 53.7, 100, 200, 400];
const DELAYS_PS = [0, 1, 7_919, 333_333, 500_000, 1_000_007];

const topologies: fc.Arbitrary<Topology> = shapes.chain((topology) =>
  fc
    .record({
      isUnequal: fc.boolean(),
      isLossy: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
      isLimited: fc.integer({ min: 0, max: 4 }).map((drawn) => drawn === 0),
      gbps: fc.constantFrom(...SPEEDS),
      delayPs: fc.constantFrom(...DELAYS_PS),
      own: fc.array(
        fc.record({
          gbps: fc.constantFrom(...SPEEDS),
          delayPs: fc.constantFrom(...DELAYS_PS),
          loss: fc.constantFrom(0, 0, 0.001, 0.01, 0.03),
          queueBytes: fc.option(fc.integer({ min: 10_000, max: 60_000 }), { nil: undefined }),
        }),
        { minLength: topology.links.length, maxLength: topology.links.length },
      ),
    })
    .map(({ isUnequal, isLossy, isLimited, gbps, delayPs, own }) => ({
      nodes: topology.nodes,
      links: topology.links.map((link, at) => ({
        ...link,
        gbps: isUnequal ? own[at].gbps : gbps,
        delayPs: isUnequal ? own[at].delayPs : delayPs,
        loss: isLossy ? own[at].loss : 0,
        ...(isLimited && own[at].queueBytes !== undefined ? { queueBytes: own[at].queueBytes } : {}),
      })),
    })),
);

const frames = fc.record({
  mssBytes: fc.constantFrom(512, 1000, 4096),
  minFrameBytes: fc.constantFrom(0, 0, 64, 128),
  phyOverheadBytes: fc.constantFrom(0, 0, 20),
});

const hosts = fc.record({
  txStartLatencyPs: fc.constantFrom(0, 0, 80_000),
  rxLatencyPs: fc.constantFrom(0, 0, 123_457),
  ackTurnaroundPs: fc.constantFrom(0, 0, 50_000),
});

/** Thresholds that small queues reach. */
const ecn = fc.record({
  enabled: fc.boolean(),
  thresholds: fc
    .tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 60_000 }), fc.constantFrom(0.1, 0.5, 1))
    .map(([kminBytes, span, pmax]) => [{ kminBytes, kmaxBytes: kminBytes + span, pmax }]),
  ewma: fc.constantFrom(1, 1, 0.25),
  markAt: fc.constantFrom('dequeue' as const, 'enqueue' as const),
  onHostPorts: fc.boolean(),
});

/** Buffers and limits of a lossy switch. */
const lossy = fc.record(
  {
    egressLimitBytes: fc.integer({ min: 9_000, max: 100_000 }),
    controlLimitBytes: fc.integer({ min: 400, max: 20_000 }),
    bufferBytes: fc.integer({ min: 30_000, max: 400_000 }),
    lossyAlpha: fc.constantFrom(0.5, 1, 4),
  },
  { requiredKeys: [] },
);

function switches(nic: NicKind, topology: Topology): fc.Arbitrary<NonNullable<SettingsOverrides['switches']>> {
  const common = { latencyPs: fc.constantFrom(0, 0, 300_001), ecn };
  const off = fc
    .record({ ...common, lossy, trimming: nic === 'roce' ? fc.constant(false) : fc.boolean() })
    .map(({ lossy: limits, ...rest }) => ({
      ...rest,
      ...limits,
      pfc: 'off' as const,
      lossless: [false, false] as const,
    }));
  const lossless = fc.constantFrom([true, true] as const, [true, false] as const);
  const fixed = fc
    .record({
      ...common,
      lossless,
      xonBytes: fc.integer({ min: 0, max: 30_000 }),
      over: fc.integer({ min: 0, max: 30_000 }),
      headroomBytes: fc.constantFrom(6_000, 60_000, 256_000),
    })
    .map(({ over, ...rest }) => ({
      ...rest,
      xoffBytes: rest.xonBytes + over,
      pfc: 'static' as const,
      trimming: false,
      bufferBytes: 256_000_000,
    }));
  const dynamic = fc
    .record({ ...common, lossless, spare: fc.integer({ min: 100_000, max: 1_000_000 }) })
    .map(({ spare, ...rest }) => ({
      ...rest,
      pfc: 'dynamic' as const,
      trimming: false,
      bufferBytes: spare + mostReserved(topology),
    }));
  return nic === 'roce' ? fc.oneof(off, fixed, dynamic) : fc.oneof({ weight: 3, arbitrary: off }, fixed);
}

/** Headroom and reserve of a switch that has all ports (SW-5). */
function mostReserved({ links }: Topology): number {
  return Math.ceil(links.reduce((sum, { gbps, delayPs }) => sum + 2 * ((3 * gbps * delayPs) / 8000 + 8192), 0));
}

const roce = fc.record({
  qpsPerPair: fc.integer({ min: 1, max: 3 }),
  qpMode: fc.constantFrom('pair' as const, 'pair' as const, 'per-transfer' as const),
  qpMessagesInFlight: fc.constantFrom(0, 1, 1, 2),
  ackThreshold: fc.constantFrom(0, 3, 16),
  ackDelayPs: fc.constantFrom(5_000_000, 1_000_000_000),
  retransmitTimeoutPs: fc.integer({ min: 50_000_000, max: 400_000_000 }),
  cnpIntervalPs: fc.constantFrom(4_000_000, 50_000_000),
  congestionControl: fc.constantFrom('dcqcn' as const, 'none' as const),
  dcqcn: fc.record({ profile: fc.constantFrom('paper' as const, 'ns3' as const) }),
});

const uet = fc.record({
  ackEvery: fc.constantFrom(1, 1, 4),
  gapDetect: fc.boolean(),
  timeoutPs: fc.constantFrom(40_000_000, 150_000_000),
  fixedTimeout: fc.boolean(),
  probe: fc.boolean(),
  spraying: fc.constantFrom(...SPRAYINGS),
  paths: fc.constantFrom(4, 128),
});

const nscc = fc.record({
  enabled: fc.integer({ min: 0, max: 5 }).map((drawn) => drawn > 0),
  initialBaseRttPs: fc.constantFrom(3_000_000, 6_000_000),
  baseRttHysteresis: fc.boolean(),
});

const mrc = fc.record({
  evCount: fc.constantFrom(4, 16, 128),
  probeIntervalPs: fc.constantFrom(20_000_000, 100_000_000),
  gapDetect: fc.boolean(),
  evMode: fc.constantFrom('ecmp' as const, 'structured' as const),
});

function posts(topology: Topology): fc.Arbitrary<PostedPackets[]> {
  const ids = hostsOf(topology);
  const post = fc.record({
    from: fc.nat({ max: ids.length - 1 }),
    distance: fc.integer({ min: 1, max: ids.length - 1 }),
    bytes: fc.oneof(
      fc.constantFrom(0, 1, 4096, 4097),
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 0, max: 150_000 }),
    ),
    atPs: fc.oneof(fc.constantFrom(0, 0, 1_000_000), fc.integer({ min: 0, max: 40_000_000 })),
  });
  return fc.array(post, { minLength: 1, maxLength: 12 }).map((drawn) =>
    drawn.map(({ from, distance, bytes, atPs }, transfer) => ({
      transfer,
      source: ids[from],
      destination: ids[(from + distance) % ids.length],
      bytes,
      atPs,
    })),
  );
}

/**
 * What would go on for ever is left out: gaps are no losses where packets overtake each other; what no window holds back is
 * sent again without end on a timer that never grows, or on the NACKs of trimmed packets, which go before all data.
 */
function bounded(overrides: SettingsOverrides): SettingsOverrides {
  const { routing, switches: drawnSwitches, uet: drawnUet, mrc: drawnMrc, nscc: drawnNscc } = overrides;
  const isStatic = routing!.mode === 'flow';
  const enabled = drawnNscc!.enabled! || drawnSwitches!.trimming!;
  return {
    ...overrides,
    uet: {
      ...drawnUet,
      gapDetect: isStatic && drawnUet!.gapDetect!,
      fixedTimeout: enabled && drawnUet!.fixedTimeout!,
    },
    nscc: { ...drawnNscc, enabled },
    mrc: { ...drawnMrc, gapDetect: (isStatic || drawnMrc!.evMode === 'structured') && drawnMrc!.gapDetect! },
  };
}

/** Go-back-N sends nearly all of a long message again and again where switches spray its packets. */
function withoutStorms(run: RandomPacketRun): RandomPacketRun {
  if (run.nic !== 'roce' || run.overrides.routing!.mode === 'flow') return run;
  return { ...run, posts: run.posts.map((post) => ({ ...post, bytes: post.bytes % 16_000 })) };
}

/** @param nic only runs of this transport */
export function randomPacketRun(nic?: NicKind): fc.Arbitrary<RandomPacketRun> {
  return fc
    .tuple(nic === undefined ? fc.constantFrom(...NIC_KINDS) : fc.constant(nic), topologies)
    .chain(([kind, topology]) =>
      fc
        .record({
          nic: fc.constant(kind),
          topology: fc.constant(topology),
          overrides: fc
            .record({
              seed: fc.nat({ max: 1000 }),
              frames,
              routing: fc.record({
                mode: fc.constantFrom('flow' as const, ...ECMP_MODES),
                hostsForward: fc.constant(topology.nodes.every(({ kind: node }) => node === 'host')),
              }),
              switches: switches(kind, topology),
              hosts,
              roce,
              // MRC acknowledges every packet.
              uet: kind === 'mrc' ? uet.map((drawn) => ({ ...drawn, ackEvery: 1 })) : uet,
              nscc,
              mrc,
            })
            .map(bounded),
          posts: posts(topology),
        })
        .map(withoutStorms),
    );
}
