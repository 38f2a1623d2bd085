import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { describeShared, shared } from '../support/shared.js';

/** Public raw traces, as they are and as `convert --for astra-sim` writes them, on ASTRA-sim's system layer. */

const SYSTEM = JSON.stringify({
  'scheduling-policy': 'LIFO',
  'endpoint-delay': 10,
  'active-chunks-per-dimension': 2,
  'local-mem-bw': 1600,
  'preferred-dataset-splits': 4,
  'all-reduce-implementation': ['ring'],
  'all-gather-implementation': ['ring'],
  'reduce-scatter-implementation': ['ring'],
  'all-to-all-implementation': ['direct'],
  'collective-optimization': 'localBWAware',
});

interface Ran {
  readonly status: string;
  readonly ends: number[];
  /** `group type` of each. */
  readonly collectives: string[];
}

const folder = newFolder();
const system = join(folder, 'system.json');
writeFileSync(system, SYSTEM);

async function ran(traces: string, ranks: number, backend: string, groupFile?: string): Promise<Ran> {
  const network = join(folder, `${ranks}.yml`);
  writeFileSync(network, `topology: [ Switch ]\nnpus_count: [ ${ranks} ]\nbandwidth: [ 50 ]\nlatency: [ 500 ]\n`);
  const words = ['simulate', traces, '--system', system, '--network', network, '--backend', backend, '--json'];
  const { stdout, stderr } = await runHere([...words, ...(groupFile === undefined ? [] : ['--groups', groupFile])]);
  if (stdout === '') throw new Error(stderr);
  const document = JSON.parse(stdout) as {
    status: string;
    ranks: { endNs: number }[];
    collectives: { group: string; type: string }[];
  };
  return {
    status: document.status,
    ends: document.ranks.map(({ endNs }) => endNs),
    collectives: document.collectives.map(({ group, type }) => `${group} ${type}`),
  };
}

async function mended(traces: string, groupFile?: string): Promise<string> {
  const out = join(newFolder(), 'mended');
  const groups = groupFile === undefined ? [] : ['--groups', groupFile];
  const { status, stderr } = await runHere(['convert', traces, '--for', 'astra-sim', '-o', out, ...groups]);
  if (status !== 0) throw new Error(stderr);
  return out;
}

/** Members of the groups that collectives ran in, by the group file beside the traces. */
function membersIn(traces: string, { collectives }: Ran): string[] {
  const groups = JSON.parse(readFileSync(join(traces, 'comm_group.json'), 'utf8')) as Record<string, number[]>;
  return collectives
    .map((line) => {
      const [group, ...what] = line.split(' ');
      return `${String(groups[group] ?? group)}: ${what.join(' ')}`;
    })
    .sort();
}

const HALVES = 'reference/astra-sim-inputs/groups/two_halves_8npus.json';

describeShared('what ran before ends at the same nanosecond on every rank', () => {
  test.each([
    { name: 'astra-sim-artifacts/T1D-analytical', ranks: 8 },
    { name: 'astra-sim-artifacts/T2D-analytical', ranks: 16 },
    { name: 'astra-sim-examples/all_gather_8npus_1MB', ranks: 8 },
    { name: 'astra-sim-examples/all_reduce_4npus_1MB', ranks: 4 },
    { name: 'astra-sim-examples/all_to_all_4npus_1MB', ranks: 4 },
    { name: 'astra-sim-examples/custom_ring_allreduce_8npus_1MB', ranks: 8 },
    { name: 'astra-sim-examples/reduce_scatter_16npus_1MB', ranks: 16 },
    { name: 'astra-sim-tutorials/allreduce_involved_dim2', ranks: 8 },
    { name: 'jinsun-yoo-astra-sim/pernode_validate', ranks: 8, groups: HALVES },
    { name: 'stage/llama_json_pp2dp2', ranks: 4, groups: 'traces/stage/llama_json_pp2dp2/workload.json' },
    { name: 'stage/llama_legacy_tp4', ranks: 4, groups: 'traces/stage/llama_legacy_tp4/workload.json' },
  ])('$name', async ({ name, ranks, groups }) => {
    const groupFile = groups === undefined ? undefined : shared(groups);
    const traces = shared('traces', name);
    const written = await mended(traces, groupFile);
    for (const backend of ['analytical-unaware', 'analytical-aware']) {
      const before = await ran(traces, ranks, backend, groupFile);
      const after = await ran(written, ranks, backend);
      expect(before.status).toBe('finished');
      expect({ ...after, collectives: [] }).toEqual({ ...before, collectives: [] });
    }
  });
});

describeShared('groups that get other numbers keep their ranks', () => {
  const reduced = (groups: readonly (readonly number[])[]): string[] =>
    groups.map((ranks) => `${String(ranks)}: AllReduce`).sort();

  test('T2D: "0.0" to "3.0" are rows of four ranks, "4" to "7" columns', async () => {
    const written = await mended(shared('traces/astra-sim-artifacts/T2D-analytical'));
    const places = [0, 1, 2, 3];
    expect(membersIn(written, await ran(written, 16, 'analytical-unaware'))).toEqual(
      reduced([
        ...places.map((row) => places.map((column) => 4 * row + column)),
        ...places.map((column) => places.map((row) => 4 * row + column)),
      ]),
    );
  });

  test('T3D: "0" of ranks 0 and 1 is another number, and runs over them only', async () => {
    const written = await mended(shared('traces/astra-sim-artifacts/T3D-analytical'));
    // Pairs of ranks that differ in one of three bits.
    const pairs = [1, 2, 4].flatMap((bit) =>
      [0, 1, 2, 3, 4, 5, 6, 7].filter((rank) => (rank & bit) === 0).map((rank) => [rank, rank | bit]),
    );
    expect(membersIn(written, await ran(written, 8, 'analytical-unaware'))).toEqual(reduced(pairs));
  });
});
