import fc from 'fast-check';
import {
  ECMP_MODES,
  NIC_KINDS,
  SPRAYINGS,
  type NicKind,
  type PacketNetworkSpec,
} from '../../src/network/packet/settings/packet-settings.js';
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
  fc.integer({ min: 2, max: 9 }).map((hosts) => singleSwitch(hosts)),
  fc
    .tuple(
      fc.integer({ min: 2, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 2 }),
    )
    .map(([leaves, spines, hosts, parallel]) => leafSpine(leaves, spines, hosts, {}, parallel)),
  fc.constantFrom(2, 4).map((k) => fatTree(k)),
  fc.integer({ min: 2, max: 6 }).map((hosts) => hostRing(Math.max(3, hosts))),
  fc
    .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 2, max: 3 }))
    .map(([hosts, count]) => planes(hosts, count)),
  fc
    .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 2, max: 3 }))
    .map(([hosts, links]) => trunks(hosts, links)),
  fc.integer({ min: 1, max: 2 }).map(bridge),
);

/** Every host on each of some switches. */
function planes(hosts: number, count: number): Topology {
  const links = range(hosts).flatMap((host) => range(count).map((plane) => [host, hosts + plane] as const));
  return topologyOf(hosts, count, links);
}

/** Every host on one switch by parallel links. */
function trunks(hosts: number, parallel: number): Topology {
  const links = range(hosts).flatMap((host) => range(parallel).map(() => [host, hosts] as const));
  return topologyOf(hosts, 1, links);
}

/** Two switches with a host in between that has to forward, by parallel links on one side; two more hosts on each. */
function bridge(parallel: number): Topology {
  const links = [0, 1, 2, 2, 3, 4].map((host, at) => [host, at < 3 ? 5 : 6] as const);
  for (let more = 1; more < parallel; more++) links.push([2, 6]);
  return topologyOf(5, 2, links);
}

/** Whether there is a way between some of its hosts only where hosts forward. */
function needsForwarding({ nodes, links }: Topology): boolean {
  const reached = new Set([0]);
  for (const node of reached) {
    if (node !== 0 && nodes[node].kind === 'host') continue;
    for (const { a, b } of links) {
      if (a === node) reached.add(b);
      if (b === node) reached.add(a);
    }
  }
  return nodes.some(({ kind }, node) => kind === 'host' && !reached.has(node));
}

const SPEEDS = [25, 40, 53.7, 100, 200, 400];
const DELAYS_PS = [0, 1, 7_919, 333_333, 500_000, 500_000, 1_000_007];
/** Beyond the near future of the engine. */
const FAR_PS = [4_194_304, 6_000_000, 31_000_000];
/** A link from here on is one of a run with timeouts to match. */
const VERY_FAR_PS = 1_000_000_000;

const topologies: fc.Arbitrary<Topology> = shapes.chain((topology) =>
  fc
    .record({
      isUnequal: fc.boolean(),
      isLossy: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
      isLimited: fc.integer({ min: 0, max: 4 }).map((drawn) => drawn === 0),
      gbps: fc.constantFrom(...SPEEDS),
      delayPs: fc.oneof(
        { weight: 18, arbitrary: fc.constantFrom(...DELAYS_PS) },
        { weight: 2, arbitrary: fc.constantFrom(...FAR_PS) },
        { weight: 1, arbitrary: fc.constant(VERY_FAR_PS) },
      ),
      own: fc.array(
        fc.record({
          gbps: fc.constantFrom(...SPEEDS),
          delayPs: fc.oneof(
            { weight: 30, arbitrary: fc.constantFrom(...DELAYS_PS) },
            { weight: 1, arbitrary: fc.constantFrom(...FAR_PS) },
          ),
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
  hostLink: sometimes(
    12,
    fc.record({
      gbps: fc.constantFrom(50, 126.08, 504.32),
      overheadBytes: fc.constantFrom(0, 34),
      pieceBytes: fc.constantFrom(256, 512),
      ingressPoolBytes: fc.integer({ min: 9_000, max: 200_000 }),
    }),
  ),
});

/** Thresholds that small queues reach. */
const ecn = fc.record({
  enabled: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn > 0),
  thresholds: fc
    .tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 40_000 }), fc.constantFrom(0.1, 0.5, 1))
    .map(([kminBytes, span, pmax]) => [{ kminBytes, kmaxBytes: kminBytes + span, pmax }]),
  ewma: fc.constantFrom(1, 1, 0.25),
  markAt: fc.constantFrom('dequeue' as const, 'enqueue' as const),
  onHostPorts: fc.boolean(),
});

/** Buffers and limits of a lossy switch. */
const lossy = fc
  .record({
    egressLimitBytes: sometimes(80, fc.integer({ min: 9_000, max: 60_000 })),
    controlLimitBytes: sometimes(
      50,
      fc.oneof(fc.integer({ min: 150, max: 1000 }), fc.integer({ min: 150, max: 20_000 })),
    ),
    bufferBytes: sometimes(30, fc.integer({ min: 30_000, max: 400_000 })),
    lossyAlpha: sometimes(20, fc.constantFrom(0.5, 1, 4)),
  })
  .map(stated);

/** In so many of a hundred cases. */
function sometimes<T>(percent: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 100 - percent, arbitrary: fc.constant(undefined) }, { weight: percent, arbitrary: value });
}

/** What is not undefined. */
function stated<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

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
      xonBytes: fc.oneof(fc.nat({ max: 600 }), fc.nat({ max: 20_000 })),
      over: fc.oneof(fc.nat({ max: 600 }), fc.nat({ max: 20_000 })),
      headroomBytes: fc.constantFrom(6_000, 60_000, 256_000),
      spare: sometimes(40, fc.integer({ min: 60_000, max: 400_000 })),
      lossy,
    })
    .map(({ over, spare, lossy: limits, ...rest }) => ({
      ...rest,
      // Of the class that is not lossless.
      ...limits,
      xoffBytes: rest.xonBytes + over,
      pfc: 'static' as const,
      trimming: false,
      bufferBytes: spare === undefined ? 256_000_000 : spare + rest.headroomBytes * 2 * topology.links.length,
    }));
  const dynamic = fc
    .record({ ...common, lossless, spare: fc.integer({ min: 100_000, max: 1_000_000 }) })
    .map(({ spare, ...rest }) => ({
      ...rest,
      pfc: 'dynamic' as const,
      trimming: false,
      bufferBytes: spare + mostReserved(topology),
    }));
  return nic === 'roce'
    ? fc.oneof(off, fixed, dynamic)
    : fc.oneof({ weight: 5, arbitrary: off }, { weight: 2, arbitrary: fixed }, { weight: 1, arbitrary: dynamic });
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
  receiverCredit: fc.integer({ min: 0, max: 7 }).map((drawn) => drawn === 0),
  spraying: fc.constantFrom(...SPRAYINGS),
  paths: fc.constantFrom(4, 128),
});

const nscc = fc.record({
  enabled: fc.integer({ min: 0, max: 5 }).map((drawn) => drawn > 0),
  initialBaseRttPs: fc.constantFrom(3_000_000, 6_000_000),
  baseRttHysteresis: fc.boolean(),
  delayWeight: fc.constantFrom(0.25, 0.0125),
  referenceLinkGbps: fc.constantFrom(100, 400),
});

const mrc = fc.record({
  evCount: fc.constantFrom(4, 16, 128),
  probeIntervalPs: fc.constantFrom(20_000_000, 100_000_000),
  gapDetect: fc.boolean(),
  evMode: fc.constantFrom('ecmp' as const, 'structured' as const),
  deniedEvs: fc.oneof(fc.constant([]), fc.array(fc.nat({ max: 65_535 }), { maxLength: 60 })),
});

function posts(topology: Topology): fc.Arbitrary<PostedPackets[]> {
  const ids = hostsOf(topology);
  const host = fc.nat({ max: ids.length - 1 });
  const post = fc.record({
    from: host,
    distance: fc.integer({ min: 1, max: ids.length - 1 }),
    bytes: fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(0, 1, 4096, 4097) },
      { weight: 2, arbitrary: fc.noBias(fc.integer({ min: 0, max: 20_000 })) },
      { weight: 3, arbitrary: fc.noBias(fc.integer({ min: 0, max: 150_000 })) },
    ),
    atPs: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(0, 0, 1_000_000) },
      { weight: 2, arbitrary: fc.nat({ max: 3_000_000 }) },
      { weight: 1, arbitrary: fc.nat({ max: 40_000_000 }) },
    ),
    // When another one is received, or so much later.
    afterPs: sometimes(30, fc.constantFrom(0, 0, 0, 1_000, 2_000_000)),
    before: fc.nat(),
  });
  const single = fc.array(post, { minLength: 1, maxLength: 20, size: 'max' });
  // Many at one instant, of one size.
  const burst = fc
    .tuple(
      fc.array(post, { minLength: 8, maxLength: 40, size: 'max' }),
      fc.nat({ max: 20_000 }),
      fc.nat({ max: 1_000_000 }),
    )
    .map(([drawn, bytes, atPs]) => drawn.map((each) => ({ ...each, bytes, atPs })));
  const drawnPosts = fc.oneof({ weight: 4, arbitrary: single }, { weight: 1, arbitrary: burst });
  return fc.tuple(drawnPosts, sometimes(70, host)).map(([drawn, busiest]) =>
    drawn.map(({ from, distance, bytes, atPs, afterPs, before }, transfer) => {
      const isToBusiest = busiest !== undefined && busiest !== from;
      return {
        transfer,
        source: ids[from],
        destination: ids[isToBusiest ? busiest : (from + distance) % ids.length],
        bytes,
        ...(afterPs === undefined || transfer === 0 ? { atPs } : { atPs: afterPs, after: before % transfer }),
      };
    }),
  );
}

/**
 * What would go on for ever is left out: without a window to hold them back, what is left of trimmed packets can take a whole link, and
 * no data gets through.
 */
function bounded(overrides: SettingsOverrides): SettingsOverrides {
  const { switches: drawnSwitches, nscc: drawnNscc } = overrides;
  return { ...overrides, nscc: { ...drawnNscc, enabled: drawnNscc!.enabled! || drawnSwitches!.trimming! } };
}

/** Over links of a millisecond timers that expire before any answer would keep a run going for long. */
function patient(overrides: SettingsOverrides, { links }: Topology): SettingsOverrides {
  if (links.every(({ delayPs }) => delayPs < VERY_FAR_PS)) return overrides;
  const long = 12 * VERY_FAR_PS;
  return {
    ...overrides,
    roce: { ...overrides.roce, retransmitTimeoutPs: long },
    uet: { ...overrides.uet, timeoutPs: long },
    mrc: { ...overrides.mrc, probeIntervalPs: long },
  };
}

/** Go-back-N sends nearly all of a long message again and again where switches spray its packets. */
function withoutStorms(run: RandomPacketRun): RandomPacketRun {
  if (run.nic !== 'roce' || run.overrides.routing!.mode === 'flow') return run;
  return { ...run, posts: run.posts.map((post) => ({ ...post, bytes: post.bytes % 16_000 })) };
}

/** @param nic only runs of this transport */
export function randomPacketRun(nic?: NicKind): fc.Arbitrary<RandomPacketRun> {
  // Without a bias to small values, which would leave most networks idle.
  return fc.noBias(anyPacketRun(nic));
}

function anyPacketRun(nic?: NicKind): fc.Arbitrary<RandomPacketRun> {
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
                hostsForward: needsForwarding(topology)
                  ? fc.constant(true)
                  : fc.integer({ min: 0, max: 7 }).map((drawn) => drawn === 0),
              }),
              switches: switches(kind, topology),
              hosts,
              roce,
              uet,
              nscc,
              mrc,
            })
            .map((overrides) => patient(bounded(overrides), topology)),
          posts: posts(topology),
        })
        .map(withoutStorms),
    );
}
