import { readFileSync } from 'node:fs';
import { MemorySource } from '../../src/base/byte-source.js';
import { openTraceSource } from '../../src/formats/open-source.js';
import { readDeviceTrace } from '../../src/formats/pytorch/read-device-trace.js';
import { readHostTrace } from '../../src/formats/pytorch/read-host-trace.js';
import { inOrder, type CommunicationTally, type RankCommunications } from '../../src/pytorch/communication.js';
import { communicationsOf } from '../../src/pytorch/communications-of.js';
import { settleCommunications } from '../../src/pytorch/settle-communications.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { linkedFiles } from '../support/communications.js';
import { describeShared, hasShared, shared } from '../support/shared.js';

/** What another program counted in each file: records by the name they have, and their bytes. */
interface Facts {
  readonly record_param_comms: Record<string, { count: number; input_bytes: number }>;
}

const facts = hasShared
  ? (JSON.parse(readFileSync(shared('reference', 'trace-facts.json'), 'utf8')) as { files: Record<string, Facts> })
      .files
  : {};

const { allReduce, allGather, broadcast, allToAll } = CollectiveType;

function counted(tallies: readonly CommunicationTally[]): Record<number, [number, number]> {
  return Object.fromEntries(tallies.map(({ type, count, bytes }) => [type, [count, bytes]]));
}

/** Count and bytes of names that stand for one type. */
function expected(file: string, ...names: string[]): [number, number] {
  const records = names.map((name) => facts[file].record_param_comms[name]);
  return [
    records.reduce((sum, { count }) => sum + count, 0),
    records.reduce((sum, { input_bytes }) => sum + input_bytes, 0),
  ];
}

function codes({ findings }: { findings: RankCommunications['findings'] }): string[] {
  return findings.map(({ code }) => code);
}

describeShared('communication of real traces', () => {
  test('ResNet pair: 15 all-reduces and 6 broadcasts, all in group "0" of ranks 0 and 1, by kernel arguments', async () => {
    const rank = communicationsOf(await linkedFiles(0, 'resnet_pair/host_0.json.gz', 'resnet_pair/device_0.json.gz'));
    // Bytes of the official converter (chakra-tools section 2).
    expect(counted(rank.tallies)).toEqual({ [allReduce]: [15, 306684384], [broadcast]: [6, 638712] });
    const all = inOrder(rank);
    expect(all.map(({ group }) => group)).toEqual(new Array(21).fill('0'));
    expect(rank.onHost.size).toBe(0);
    expect(rank.groups.get('0')).toEqual([0, 1]);
    expect(all.filter(({ type }) => type === broadcast).map(({ root }) => root)).toEqual([0, 0, 0, 0, 0, 0]);
    // The host trace is of a run with one rank (PROVENANCE).
    expect(codes(rank)).toEqual(['COMMUNICATION_GROUP_DIFFERS']);
    // One broadcast pair in front of five all-reduces, in each of three steps.
    const inOrderOfIssue = all.toSorted((left, right) => left.order - right.order).map(({ type }) => type);
    const step = [broadcast, broadcast, allReduce, allReduce, allReduce, allReduce, allReduce];
    expect(inOrderOfIssue).toEqual([...step, ...step, ...step]);
    expect(codes(settleCommunications([rank]))).toEqual(['COMMUNICATION_MEMBERS_MISSING']);
  });

  test('DLRM: all-to-alls that are SendRecv kernels, on 4 of 8 ranks without group names', async () => {
    const ranks: RankCommunications[] = [];
    for (const rank of [0, 1, 2, 3]) {
      const host = `param/dlrm_8gpu/dlrm_eg_${rank}.json.gz`;
      const found = communicationsOf(await linkedFiles(rank, host, `param/dlrm_8gpu/worker${rank}.pt.trace.json.gz`));
      expect(counted(found.tallies)).toEqual({
        [allReduce]: expected(host, 'allreduce'),
        [allToAll]: expected(host, 'all_to_all', 'all_to_allv'),
      });
      expect(found.onDevice.size).toBe(8);
      expect(found.onHost.size).toBe(0);
      expect(found.worldSize).toBe(8);
      expect(codes(found)).toEqual(['COMMUNICATION_GROUP_ADDRESS']);
      ranks.push(found);
    }
    expect(codes(settleCommunications(ranks))).toEqual(['GROUP_WORLD']);
  });

  test.each([
    ['param/resnet_2gpu_1.1.0/rank1_et.json.gz', 1, [0, 1]],
    ['param/resnet_1gpu_1.1.1/resnet_1gpu_et.json.gz', 0, [0]],
    ['astra-sim-tutorials/host_json/pytorch_et_0.json.gz', 0, [0, 1]],
    ['astra-sim-tutorials/host_json/pytorch_et_1.json.gz', 1, [0, 1]],
  ])('%s: host alone, marked on the records', async (file, rank, members) => {
    const found = communicationsOf(await linkedFiles(rank, file));
    expect(counted(found.tallies)).toEqual({
      [allReduce]: expected(file, 'allreduce'),
      [broadcast]: expected(file, 'broadcast'),
    });
    expect([...found.groups]).toEqual([['0', members]]);
    expect(found.findings).toEqual([]);
  });

  test('the first form of records: all-gathers whose group is an address that process_group:init names', async () => {
    const file = 'mlcommons-chakra/1.0.2-chakra.0.0.4.json.gz';
    const found = communicationsOf(await linkedFiles(0, file));
    expect(counted(found.tallies)).toEqual({ [allGather]: expected(file, 'all_gather') });
    expect([...found.groups]).toEqual([['0', [0, 1]]]);
    expect(inOrder(found).map(({ group, order }) => `${group} ${order}`)).toEqual(
      Array.from({ length: 10 }, (_, order) => `0 ${order}`),
    );
    expect(found.findings).toEqual([]);
  });

  test('both ranks of the tutorial agree', async () => {
    const ranks = [];
    for (const rank of [0, 1]) {
      ranks.push(communicationsOf(await linkedFiles(rank, `astra-sim-tutorials/host_json/pytorch_et_${rank}.json.gz`)));
    }
    const { groups, findings } = settleCommunications(ranks);
    expect([...groups]).toEqual([['0', [0, 1]]]);
    expect(findings).toEqual([]);
  });
});

describeShared('device traces of real ranks whose host trace is missing', () => {
  async function deviceAlone(file: string): Promise<RankCommunications> {
    const device = readDeviceTrace(await openTraceSource(shared('traces', file)));
    const empty = '{"schema": "1.1.1", "pid": 1, "time": "", "start_ts": 1, "nodes": [], "finish_ts": 1}';
    const calls = new Map([...device.calls.correlation].map((correlation, call) => [correlation, call]));
    const { correlation, length } = device.deviceEvents;
    return communicationsOf({
      ...{ rank: device.distributed!.rank!, device, method: undefined, confidence: 0 },
      host: readHostTrace(new MemorySource(Buffer.from(empty), 'host.json')),
      ...{ hostEvent: new Int32Array(0), exclusiveNs: new Float64Array(0), caller: new Int32Array(0) },
      launcher: new Int32Array(length).fill(-1),
      call: Int32Array.from(correlation, (id) => calls.get(id) ?? -1),
    });
  }

  test('gloo: ten numbered process groups and one named by a hash, of 300 ranks each', async () => {
    const rank = await deviceAlone('hta/kineto/cpu_only_rank34_gloo.json.gz');
    const names = [...Array.from({ length: 10 }, (_, place) => String(place)), 'c180dae7743d700d8e30df1902fc6b1e_0'];
    expect([...rank.groups.keys()]).toEqual(names);
    expect([...rank.groups.values()].map(({ length }) => length)).toEqual(new Array(11).fill(300));
    expect(rank.worldSize).toBe(300);
  });

  // Every kernel has the one name ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t; the annotations around the launches tell 4, 2 and 4.
  test.each([0, 1])(
    'rank %d of 128: the annotations around the launches tell what SendRecv kernels are',
    async (rank) => {
      const found = await deviceAlone(`hta/kineto_2_of_128_ranks/rank-${rank}.json.gz`);
      expect(found.tallies.map(({ type, count, typeFrom }) => [type, count, typeFrom.launcher])).toEqual([
        [allReduce, 4, 4],
        [allGather, 2, 2],
        [allToAll, 4, 4],
      ]);
      expect(found.worldSize).toBe(128);
      expect(codes(found)).toEqual(['COMMUNICATION_BYTES_UNKNOWN']);
    },
  );
});
