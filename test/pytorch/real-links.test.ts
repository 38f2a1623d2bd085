import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { openTraceSource } from '../../src/formats/open-source.js';
import { DeviceKind, type DeviceTrace } from '../../src/formats/pytorch/device-trace.js';
import type { HostTrace } from '../../src/formats/pytorch/host-trace.js';
import { readDeviceTrace } from '../../src/formats/pytorch/read-device-trace.js';
import { readHostTrace } from '../../src/formats/pytorch/read-host-trace.js';
import { linkRank, type RankLink } from '../../src/pytorch/link-rank.js';
import { hostTrace } from '../support/pytorch-columns.js';
import { describeShared, shared } from '../support/shared.js';

const host = (path: string): HostTrace => readHostTrace(openTraceSource(shared('traces', path)), 'host');
const device = (path: string): DeviceTrace => readDeviceTrace(openTraceSource(shared('traces', path)), 'device');
const pair = (hostPath: string, devicePath: string, force = false, rank = 0): RankLink =>
  linkRank(host(hostPath), device(devicePath), { rank, force });

const RESNET = ['resnet_pair/host_0.json.gz', 'resnet_pair/device_0.json.gz'] as const;

/** "baseTimeNanoseconds" of the device trace. */
const BASE_TIME_MICROS = 1_711_964_646_000_000;

/** A node of the official linker's output. */
interface OfficialNode {
  readonly id: number;
  readonly name: string;
  readonly cat?: string;
  readonly ts: number;
  readonly stream: number;
  readonly exclusive_dur?: number;
  readonly attrs: readonly { readonly name: string; readonly value: unknown }[];
}

const recordIdOf = ({ attrs }: OfficialNode): number => attrs.find(({ name }) => name === 'rf_id')!.value as number;

describeShared('resnet_pair', () => {
  let link: RankLink;
  let official: readonly OfficialNode[];
  beforeAll(() => {
    link = pair(...RESNET);
    const path = shared('reference', 'chakra-tools', 'trace-link', 'resnet_pair.linked.json.gz');
    official = (JSON.parse(gunzipSync(readFileSync(path)).toString()) as { nodes: OfficialNode[] }).nodes;
  });

  test('links completely: 14,388 of 14,388 ops and events, all kernels, copies, memsets and annotations', () => {
    expect(link.links.confidence).toBe(1);
    expect(link.account).toMatchObject({
      hostNodes: { total: 14391, linked: 14388, unlinked: { 'root of the process or of a thread': 3 } },
      hostEvents: { total: 14388, linked: 14388 },
      kernels: { total: 2700, linked: 2700 },
      copies: { total: 960, linked: 960 },
      sets: { total: 114, linked: 114 },
      annotations: { total: 30, linked: 30 },
      // The official converter's 306,684,384 bytes of all-reduces and 638,712 of broadcasts.
      collectiveBytes: { total: 307_323_096, linked: 307_323_096 },
    });
    expect(link.findings).toEqual([]);
  });

  test('3,639 of 3,660 device events hang where the official linker hangs them; 21 collectives one op further in', () => {
    const { host: trace, launcher } = link.links;
    const events = link.links.device!;
    const { deviceEvents, names } = events;
    // The official linker leaves "baseTimeNanoseconds" of the file out of its times.
    const baseMicros = events.baseMicros - BASE_TIME_MICROS;
    const keyOf = (ns: number, name: string, stream: number): string => `${ns} ${name} ${stream}`;
    const byKey = new Map<string, number>();
    for (let i = 0; i < deviceEvents.length; i++) {
      if (deviceEvents.kind[i] !== DeviceKind.kernel && deviceEvents.kind[i] !== DeviceKind.copy) continue;
      byKey.set(keyOf(deviceEvents.startNs[i], names[deviceEvents.name[i]], deviceEvents.stream[i]), i);
    }
    const nodeOfRecord = new Map(Array.from(trace.recordId, (id, node) => [id, node]));
    const nodeOfId = new Map(Array.from(trace.id, (id, node) => [id, node]));
    let same = 0;
    const others = new Map<string, number>();
    for (const op of official) {
      if (op.cat === undefined) continue;
      const event = byKey.get(keyOf(Math.round((op.ts - baseMicros) * 1000), op.name, op.stream))!;
      const ours = launcher[event];
      const theirs = nodeOfRecord.get(recordIdOf(op))!;
      if (ours === theirs) {
        same++;
        continue;
      }
      // Ours is the annotation that the collective library's op opens inside its record; theirs is the record.
      expect(nodeOfId.get(trace.parent[ours])).toBe(theirs);
      const what = `${trace.names[trace.name[ours]]} in ${trace.names[trace.name[theirs]]}`;
      others.set(what, (others.get(what) ?? 0) + 1);
    }
    expect(same).toBe(3639);
    expect(Object.fromEntries(others)).toEqual({
      'nccl:broadcast in record_param_comms': 6,
      'nccl:all_reduce in record_param_comms': 15,
    });
  });

  test('own times are those of the official linker, which works in floating microseconds', () => {
    const { host: trace, exclusiveNs } = link.links;
    const microsOf = new Map(
      official.flatMap((op) =>
        op.cat === undefined && op.exclusive_dur !== undefined ? [[recordIdOf(op), op.exclusive_dur] as const] : [],
      ),
    );
    let compared = 0;
    const without = [];
    for (let node = 0; node < trace.length; node++) {
      if (!(trace.recordId[node] > 0)) continue;
      const micros = microsOf.get(trace.recordId[node]);
      if (micros === undefined) {
        without.push(trace.names[trace.name[node]]);
        continue;
      }
      compared++;
      // A sum of n children is off by up to n times the 0.5 ns that a double of 4e12 µs resolves.
      expect(Math.abs(exclusiveNs[node] - 1000 * micros)).toBeLessThan(100);
    }
    expect(compared).toBe(14385);
    expect(without.sort()).toEqual(['ProfilerStep#4', 'ProfilerStep#5', 'ProfilerStep#6']);
  });
});

describeShared('resnet_pair without its ids', () => {
  /** The device trace without ids of host events, and without every nth of them. */
  function idless(trace: DeviceTrace, nth = Infinity): { trace: DeviceTrace; places: readonly number[] } {
    const { hostEvents } = trace;
    const places = Array.from({ length: hostEvents.length }, (_, i) => i).filter((i) => i % nth !== nth - 1);
    const numbers = (column: Float64Array): Float64Array => Float64Array.from(places, (i) => column[i]);
    const none = new Float64Array(places.length).fill(NaN);
    return {
      places,
      trace: {
        ...trace,
        hostEvents: {
          length: places.length,
          name: Int32Array.from(places, (i) => hostEvents.name[i]),
          annotation: Uint8Array.from(places, (i) => hostEvents.annotation[i]),
          startNs: numbers(hostEvents.startNs),
          durationNs: numbers(hostEvents.durationNs),
          thread: numbers(hostEvents.thread),
          ...{ externalId: none, recordId: none },
        },
      },
    };
  }

  test('names and order find all 14,388 events that the ids name', () => {
    const trace = device(RESNET[1]);
    const byId = linkRank(host(RESNET[0]), trace, { rank: 0 }).links;
    const { links } = linkRank(host(RESNET[0]), idless(trace).trace, { rank: 0 });
    expect(links).toMatchObject({ method: 'name-and-order', confidence: 1 });
    expect(links.hostEvent).toEqual(byId.hostEvent);
  });

  test('with every hundredth event gone, ops in a row of equal ones may take a neighbour, and none is 10 ms off in a step of hundreds', () => {
    const trace = device(RESNET[1]);
    const byId = linkRank(host(RESNET[0]), trace, { rank: 0 }).links;
    const { trace: thinned, places } = idless(trace, 100);
    const { links } = linkRank(host(RESNET[0]), thinned, { rank: 0 });
    let right = 0;
    let farthestNs = 0;
    links.hostEvent.forEach((event, node) => {
      if (event < 0) return;
      const [found, meant] = [places[event], byId.hostEvent[node]];
      if (found === meant) right++;
      const offNs = Math.abs(trace.hostEvents.startNs[found] - trace.hostEvents.startNs[meant]);
      farthestNs = Math.max(farthestNs, offNs);
    });
    expect(right).toBeGreaterThan(0.85 * places.length);
    expect(farthestNs).toBeLessThan(10e6);
    expect(links.confidence).toBeGreaterThan(0.99);
  });
});

describeShared('traces that do not belong together', () => {
  test('a host trace whose rf_ids are off by one is refused with figures and the shift', () => {
    expect(() => pair('param/resnet_2gpu_1.1.0/rank1_et.json.gz', RESNET[1])).toThrow(
      'host and device do not belong together: of 14,388 host nodes whose rf_id is in both, 3,658 have the name of their ' +
        'event (2 is ## process_group:init ## and Optimizer.zero_grad#SGD.zero_grad, 3 is ' +
        'Optimizer.zero_grad#SGD.zero_grad and ## forward ##, 112 is aten::view and aten::cat); with 1 taken from every ' +
        'rf_id, 14,387 of 14,388 names agree, as in two runs of one program',
    );
  });

  test('forced, it is linked by the shifted ids: the node that is too many has no time', () => {
    const { links, account, findings } = pair('param/resnet_2gpu_1.1.0/rank1_et.json.gz', RESNET[1], true);
    expect(account?.hostNodes.linked).toBe(14388);
    expect(links.confidence).toBeCloseTo(14387 / 14388, 12);
    expect(findings.map(({ code }) => code)).toEqual(['LINK_FORCED', 'LINK_NODES_WITHOUT_TIME']);
  });

  test.each([
    ['param/dlrm_8gpu/dlrm_eg_0.json.gz', 'param/linear_1gpu/linear_kineto.json.gz'],
    ['param/linear_1gpu/linear_et.json.gz', 'param/dlrm_8gpu/worker0.pt.trace.json.gz'],
    ['param/linear_1gpu/linear_et.json.gz', 'hta/kineto_2_of_128_ranks/rank-0.json.gz'],
  ])('%s with %s: other programs without ids', (hostPath, devicePath) => {
    expect(() => pair(hostPath, devicePath)).toThrow('they share no ids');
  });
});

describeShared('traces without record-function ids', () => {
  test('hta/simple_add: External ids equal rf_ids, 36 of 36', () => {
    const { links, account } = pair('hta/simple_add/host_0.json.gz', 'hta/simple_add/device_0.json.gz');
    expect(links).toMatchObject({ method: 'external-id', confidence: 1 });
    expect(account).toMatchObject({ hostEvents: { total: 36, linked: 36 }, kernels: { total: 4, linked: 4 } });
  });

  // Kernels and copies counted in the files; 64 kernels of odd ranks have no launch record (chakra-format section 13).
  test.each([
    [0, { kernels: 245, copies: 16, sets: 0, alone: 0 }],
    [1, { kernels: 310, copies: 16, sets: 0, alone: 64 }],
    [2, { kernels: 246, copies: 16, sets: 0, alone: 0 }],
    [3, { kernels: 315, copies: 16, sets: 6, alone: 64 }],
  ])('DLRM rank %i: all 1,672 ops by name and order, though starts fall into the same microsecond', (rank, counts) => {
    const { links, account } = pair(
      `param/dlrm_8gpu/dlrm_eg_${rank}.json.gz`,
      `param/dlrm_8gpu/worker${rank}.pt.trace.json.gz`,
      false,
      rank,
    );
    expect(links).toMatchObject({ method: 'name-and-order', confidence: 1 });
    expect(account).toMatchObject({
      hostNodes: { total: 1675, linked: 1672 },
      // The one event more is ProfilerStep#10.
      hostEvents: { total: 1673, linked: 1672 },
      kernels: {
        total: counts.kernels,
        linked: counts.kernels - counts.alone,
        unlinked: counts.alone === 0 ? {} : { 'no launching call in the device trace': 64 },
      },
      copies: { total: counts.copies, linked: counts.copies },
      sets: { total: counts.sets, linked: counts.sets },
    });
  });

  // By comparing lists of names in Python: the two threads' names occur 39 times, first behind 227 and 659 events; 220 kernels and
  // 41 memsets have their call in those events.
  test('linear: the host trace is found in the second of 40 iterations, which 38 later ones equal', () => {
    const { links, account, findings } = pair(
      'param/linear_1gpu/linear_et.json.gz',
      'param/linear_1gpu/linear_kineto.json.gz',
    );
    expect(links).toMatchObject({ method: 'name-and-order', confidence: 1 });
    expect(account?.hostNodes).toMatchObject({ total: 931, linked: 928 });
    expect(account?.kernels.linked).toBe(220);
    expect(account?.sets.linked).toBe(41);
    expect(findings.find(({ code }) => code === 'LINK_ALIKE_ITERATIONS')?.count).toBe(39);
  });
});

describeShared('device traces of two ranks of 128, without host traces', () => {
  test.each([
    ['rank-0', 1204],
    ['rank-1', 1154],
  ])('%s: every device event has its call and an op around it, whatever host trace is missing', (name, events) => {
    const trace = device(`hta/kineto_2_of_128_ranks/${name}.json.gz`);
    expect(() => linkRank(hostTrace([]), trace, { rank: 0 })).toThrow('the host trace has no ops');
    // Forced, nothing is linked: all device events were launched by ops without nodes.
    const { links, account } = linkRank(hostTrace([]), trace, { rank: 0, force: true });
    expect(links.call.length).toBe(events);
    expect(links.call.every((call) => call >= 0)).toBe(true);
    expect(account?.calls).toEqual({ total: events, linked: 0, unlinked: { 'no host node around the call': events } });
  });
});
