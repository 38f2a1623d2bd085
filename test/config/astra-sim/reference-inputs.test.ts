import { readFileSync } from 'node:fs';
import type { Implementation } from '../../../src/astra-sim/system-configuration.js';
import { readMemoryFile } from '../../../src/config/astra-sim/memory-file.js';
import { readSystemFile } from '../../../src/config/astra-sim/system-file.js';
import { quotedRows } from '../../support/quoted-rows.js';
import { describeShared, hasShared, shared, sharedFiles } from '../../support/shared.js';
import { told } from '../../support/system-files.js';

const INPUTS = 'reference/astra-sim-inputs';
const PLAIN = { injectionScale: 1, extensions: false };

/** `ring;direct4` of the table. */
function column(list: readonly Implementation[] | undefined): string {
  return (list ?? [])
    .map(({ algorithm, window = '', whole }) => {
      const name = `${algorithm}${window}`;
      return whole ? `one${name[0].toUpperCase()}${name.slice(1)}` : name;
    })
    .join(';');
}

describeShared('files of the reference runs', () => {
  const home = process.cwd();
  // Paths in them are relative to it.
  beforeAll(() => process.chdir(shared(INPUTS)));
  afterAll(() => process.chdir(home));

  const names = (folder: string): string[] =>
    sharedFiles(`${INPUTS}/${folder}`, /\.json$/).map((path) => path.slice(INPUTS.length + 1));

  test.each(names('system'))('%s is read with nothing to tell but defaults', (path) => {
    const read = readSystemFile(path, PLAIN);
    const defaults = path.endsWith('epNone.json') ? 'endpoint-delay 10' : 'local-mem-bw 0';
    // Of the second of the shared-bus files, which leaves it out.
    const bus = /model_shared_bus/.test(path) && !/local_reduction/.test(path) ? 'local-reduction-delay 1' : '';
    const expected = /None|memnone/.test(path) ? defaults : bus;
    expect(told(read)).toEqual(
      expected === '' ? [] : [`note SYSTEM_DEFAULT: ${path}: keys that are not given count as ${expected}`],
    );
  });

  test.each(names('memory'))('%s is read with nothing to tell', (path) => {
    expect(readMemoryFile(path).findings).toEqual([]);
  });

  test('memory files say what they say (rows memory of the table)', () => {
    expect(readMemoryFile('memory/per_node_2x2_100ns_50Bpns.json').configuration).toMatchObject({
      kind: 'PER_NODE_MEMORY_EXPANSION',
      latencyNs: 100,
      bytesPerNs: 50,
      ranksPerNode: 2,
    });
    expect(readMemoryFile('memory/pool_250ns_37Bpns.json').configuration).toMatchObject({
      kind: 'MEMORY_POOL',
      latencyNs: 250,
      bytesPerNs: 37,
    });
  });

  const rows = hasShared ? quotedRows(readFileSync(shared('reference/astra-sim-analytical.csv'), 'utf8')) : [];
  const bySystem = new Map(rows.map((row) => [row.system_json, row]));
  test.each([...bySystem])('%s is what the columns of the table say', (path, row) => {
    const { configuration } = readSystemFile(path, PLAIN);
    const other = JSON.parse(row.other_system_json === '' ? '{}' : row.other_system_json) as Record<string, unknown>;
    const custom = (key: string): unknown => (other[key] as string[] | undefined)?.[0];
    expect({
      policy: configuration.schedulingPolicy,
      delay: configuration.endpointDelayNs,
      active: configuration.activeChunksPerDimension,
      splits: configuration.datasetSplits,
      implementations: [
        column(configuration.implementations.allReduce),
        column(configuration.implementations.allGather),
        column(configuration.implementations.reduceScatter),
        column(configuration.implementations.allToAll),
      ],
      optimization: configuration.collectiveOptimization,
      bandwidth: configuration.localMemoryGBps,
      roofline: configuration.roofline,
      peak: configuration.peakTflops,
      bus: configuration.sharedBus?.latencyNs,
      tracked: configuration.localMemoryTrace,
      customs: [configuration.customImplementations.allReduce, configuration.customImplementations.allToAll],
    }).toEqual({
      policy: row.scheduling_policy,
      delay: row.endpoint_delay_ns === '' ? 10 : Number(row.endpoint_delay_ns),
      active: Number(row.active_chunks_per_dimension),
      splits: Number(row.preferred_dataset_splits),
      implementations: [row.all_reduce_impl, row.all_gather_impl, row.reduce_scatter_impl, row.all_to_all_impl],
      optimization: row.collective_optimization,
      bandwidth: Number(row.local_mem_bw_GBps),
      roofline: other['roofline-enabled'] === 1,
      peak: other['peak-perf'] ?? 0,
      bus: other.L,
      tracked: other['local-mem-trace-filename'],
      customs: [custom('all-reduce-implementation-custom'), custom('all-to-all-implementation-custom')],
    });
  });

  test('the files of custom implementations by node', () => {
    const byNode = (name: string): unknown =>
      readSystemFile(`system/ring_s4_c2_per_node_custom_implementation-${name}.yml.json`, PLAIN).configuration
        .customByNode;
    const star = 'custom/star_ar_4npus/star_ar_4npus';
    expect(byNode('per_node_star')).toEqual(
      new Map([
        [0n, star],
        [2n, star],
      ]),
    );
    expect(byNode('per_node_7_star')).toEqual(new Map([[7n, star]]));
  });
});

describeShared('from another working directory', () => {
  test('the traces of a custom implementation are found above the system file', () => {
    const name = 'ring_s1_c1_FIFO_mem50_all_to_all_implementation_custom-pairwise_a2a_8npus.json';
    const { configuration, findings } = readSystemFile(shared(INPUTS, 'system', name), PLAIN);
    expect(configuration.customImplementations.allToAll).toBe(
      shared(INPUTS, 'custom/pairwise_a2a_8npus/pairwise_a2a_8npus'),
    );
    expect(findings.map(({ code }) => code)).toEqual(['SYSTEM_PATH_FOUND']);
  });
});
