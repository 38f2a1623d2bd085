import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Finding } from '../../../../src/base/finding.js';
import type { Target } from '../../../../src/passes/validate/target.js';
import { validateTraceset } from '../../../../src/pipeline/validate-traceset.js';
import { quotedRows } from '../../../support/quoted-rows.js';
import { describeShared, hasShared, shared, sharedFiles } from '../../../support/shared.js';

async function findings(
  target: Target,
  inputs: string[],
  more: { groups?: string; deps?: 'data' } = {},
): Promise<readonly Finding[]> {
  const { deps = 'both', ...groups } = more;
  return (await validateTraceset({ inputs, deps, algorithms: {}, threads: 1, target, ...groups })).findings;
}

/** Codes with their severity that a verdict rests on, each once. */
function codes(found: readonly Finding[], prefix: string): string[] {
  const told = found.filter(({ code, severity }) => severity !== 'note' && code.startsWith(prefix));
  return [...new Set(told.map(({ code, severity }) => `${code} ${severity}`))];
}

function errors(found: readonly Finding[]): string[] {
  return [...new Set(found.filter(({ severity }) => severity === 'error').map(({ code }) => code))];
}

describeShared('feeder-behaviour.json, what the C++ feeders were measured to do', () => {
  type Behaviour = Record<string, { nodes?: number; v1: string; v3: string; 'python reader'?: string }>;
  const measured = (hasShared
    ? JSON.parse(readFileSync(shared('reference/chakra-tools/feeder-behaviour.json'), 'utf8'))
    : { 'edge-cases': {}, 'real traces': {} }) as unknown as Record<'edge-cases' | 'real traces', Behaviour>;
  const fatal = /stalls|refuses|garbage|vanish|wins silently|issued 0|^issued \d+, silently/;

  test.each(Object.entries(measured['edge-cases']))(
    'edge-cases/%s',
    async (name, { v1, v3, 'python reader': python }) => {
      const path = shared('traces/edge-cases', existsSync(shared('traces/edge-cases', name)) ? name : `${name}.gz`);
      const found = (await findings('feeder', [path])).filter(
        // star.et is shipped compressed, and was measured unpacked.
        ({ code }) => !(path.endsWith('.gz') && ['FEEDER_GZIP', 'FEEDER_FILE_NAME'].includes(code)),
      );
      expect(errors(found).length > 0).toBe(fatal.test(v1) || fatal.test(v3));
      const slow = found.some(({ code }) => code === 'FEEDER_FORWARD_REFERENCE');
      expect(slow).toBe(/quadratic/.test(v1));
      const ends = found.some(({ code }) => code === 'FEEDER_EMPTY_FRAME');
      expect(ends).toBe(/stops at the zero-length frame/.test(python ?? ''));
    },
  );

  const PLACES: Record<string, string> = {
    'mlcommons-chakra/chakra.0.et': 'traces/mlcommons-chakra/chakra.0.et.gz',
    'pytorch-converter/resnet_pair.0.et': 'reference/chakra-tools/pytorch-converter/resnet_pair.0.et.gz',
    'pytorch-converter/tutorial_host.0.et': 'reference/chakra-tools/pytorch-converter/tutorial_host.0.et.gz',
    'hybrid-parallelism-2groups/chakra_trace.0.et': 'traces/hybrid-parallelism-2groups/chakra_trace.0.et.gz',
    'stage/llama_dp2tp2pp2/workload.0.et': 'traces/stage/llama_dp2tp2pp2/workload.0.et.gz',
  };
  /** Codes for which nodes are not handed out; --deps data leaves data dependencies to the common rules. */
  const HELD_BACK = /DANGLING|CYCLE|NO_FREE_NODE|REPEATED_DEPENDENCY|DUPLICATE_ID|SELF_DATA/;

  test.each(Object.entries(measured['real traces']))(
    '%s hands out all nodes or is refused',
    async (name, { v1, v3 }) => {
      const found = await findings('feeder', [shared(PLACES[name])], { deps: 'data' });
      const held = errors(found).filter((code) => HELD_BACK.test(code));
      expect(held.length > 0).toBe(fatal.test(v1) || fatal.test(v3));
      if (/ctrl_dep graph/.test(v3)) expect(held).toContain('FEEDER_DEPENDENCY_DANGLING');
    },
  );

  test('WrapperNode: 6 of 7 and 15 of 3,664 nodes, because of joins', async () => {
    const small = await findings('feeder', [shared('traces/mlcommons-chakra/small_chakra.0.json')]);
    expect(small).toContainEqual(expect.objectContaining({ code: 'FEEDER_JSON_JOIN', severity: 'error' }));
    expect(small.filter(({ code }) => code === 'FEEDER_JSON_JOIN')[0].nodes).toHaveLength(1);
    const large = await findings('feeder', [shared('traces/mlcommons-chakra/chakra.0.json.gz')]);
    expect(errors(large)).toEqual(['FEEDER_GZIP', 'FEEDER_JSON_JOIN', 'FEEDER_JSON_KEY']);
    expect(codes(large, 'FEEDER_JSON_SIZE')).toEqual(['FEEDER_JSON_SIZE warning']); // 50 s of CPU to load
  });
});

describeShared('astra-sim-analytical.csv, what the binaries did with each workload', () => {
  const folder = 'reference/astra-sim-inputs';
  // With statsfix two throws were taken out of the program; that is not what a user has.
  const rows = hasShared
    ? quotedRows(readFileSync(shared('reference/astra-sim-analytical.csv'), 'utf8')).filter(
        ({ backend, workload }) => !backend.includes('statsfix') && existsSync(shared(folder, dirname(workload))),
      )
    : [];
  const outcomes = new Map<string, Set<string>>();
  for (const { workload, comm_group_json: groups, status } of rows) {
    const key = `${workload} ${groups}`.trim();
    outcomes.set(key, (outcomes.get(key) ?? new Set()).add(status));
  }
  const validated = async (key: string): Promise<readonly Finding[]> => {
    const [workload, groups] = key.split(' ');
    return findings(
      'astra-sim',
      [shared(folder, workload)],
      groups === undefined ? {} : { groups: shared(folder, groups) },
    );
  };
  const completes = (statuses: Set<string>): boolean => statuses.has('ok') || statuses.has('ok-no-stats');
  /** What no trace shows: it depends on the system file. */
  const BY_SETTINGS = ['roofline_tiny_op_0ns_4npus', 'ar_8npus_1B', 'ag_8npus_1B'];
  const settled = [...outcomes].filter(
    ([key]) => !BY_SETTINGS.some((name) => key.startsWith(`workload/generated/${name}/`)),
  );

  test('all rows were found', () => {
    expect(outcomes.size).toBeGreaterThan(90);
  });

  test.each(settled.filter(([, statuses]) => completes(statuses)))('%s runs: no error', async (key) => {
    expect(errors(await validated(key))).toEqual([]);
  });

  test.each(settled.filter(([, statuses]) => !completes(statuses)))('%s does not run: an error', async (key) => {
    expect(errors(await validated(key))).not.toEqual([]);
  });

  test.each(settled.filter(([, statuses]) => completes(statuses)))(
    '%s: whether its statistics are whole',
    async (key, statuses) => {
      const partly = (await validated(key)).some(({ code }) => code === 'ASTRA_STATISTICS');
      expect(partly).toBe(statuses.has('ok-no-stats'));
    },
  );

  test.each([
    ['coll_missing_size_4npus', 'ASTRA_ATTRIBUTE_MISSING'],
    ['reduce_4npus', 'ASTRA_COLLECTIVE_TYPE'],
    ['barrier_4npus', 'ASTRA_COLLECTIVE_TYPE'],
    ['metadata_root_4npus', 'ASTRA_METADATA_NODE'],
    ['metadata_process_groups_4npus', 'ASTRA_METADATA_NODE'],
    ['empty_trace_4npus', 'ASTRA_NO_FREE_NODE'],
    ['p2p_size_mismatch_4npus', 'ASTRA_TRANSFER_SIZE'],
    ['involved_none_ar_1MiB_8npus', 'ASTRA_DIMENSIONS'],
    ['dangling_parent_4npus', 'DANGLING_DATA'],
    ['cycle_4npus', 'NO_INITIAL_NODE'],
    ['p2p_unmatched_recv_4npus', 'RECEIVE_UNMATCHED'],
  ])('%s fails by %s', async (name, code) => {
    expect(errors(await validated(`workload/generated/${name}/${name}`))).toContain(code);
  });

  test('ag_8npus_1B loops for ever with 16 splits, and runs with 1: a warning', async () => {
    const name = 'workload/generated/ag_8npus_1B/ag_8npus_1B';
    expect(codes(await validated(name), 'ASTRA')).toEqual(['ASTRA_GATHER_SMALL warning']);
  });
});

describeShared('the real sets', () => {
  const GZIP = ['ASTRA_FILE_NAME error', 'ASTRA_GZIP error'];
  const PACKED = ['FEEDER_FILE_NAME warning', 'FEEDER_GZIP error'];
  const SIDE = 'FEEDER_SIDE_ABSENT warning';

  test.each([
    ['astra-sim-examples/all_gather_8npus_1MB', [], []],
    ['astra-sim-examples/all_reduce_4npus_1MB', [], []],
    ['astra-sim-examples/all_to_all_4npus_1MB', [], []],
    ['astra-sim-examples/reduce_scatter_16npus_1MB', [], []],
    ['astra-sim-examples/custom_ring_allreduce_8npus_1MB', [], [SIDE]], // MSCCL writes no is_cpu_op
    ['astra-sim-tutorials/MLP_ModelParallel', [], [SIDE]], // nor does the text converter
    ['astra-sim-tutorials/allreduce_involved_dim2', [], []],
    ['astra-sim-artifacts/T1D-analytical', [], []],
    ['astra-sim-artifacts/T2D-analytical', [], []], // groups "0.0": the common GROUP_UNDECLARED
    ['astra-sim-artifacts/T3D-analytical', ['ASTRA_GROUP_ZERO error'], []], // chakra-format section 8
    ['hybrid-parallelism-2groups', [...GZIP, 'ASTRA_STATISTICS warning'], PACKED],
    ['stage/llama_dp2tp2pp2', GZIP, [...PACKED, SIDE]],
    ['stage/moe_dp2tp2ep2', GZIP, [...PACKED, SIDE]],
    ['stage/llama_legacy_tp4', ['ASTRA_GROUP_UNREAD error'], [SIDE, 'FEEDER_GROUP_UNREAD error']],
    [
      'mlcommons-chakra/chakra.0.et.gz',
      [
        ...GZIP,
        ...[
          'ASTRA_DEPENDENCY_DANGLING error',
          'ASTRA_CYCLE error',
          'ASTRA_STATISTICS warning',
          'ASTRA_COMM_ON_CPU error',
        ],
        ...['ASTRA_BROADCAST warning', 'ASTRA_ATTRIBUTE_MISSING error', 'ASTRA_ALONE warning'],
      ],
      [...PACKED, 'FEEDER_DEPENDENCY_DANGLING error', 'FEEDER_CYCLE error', 'FEEDER_ATTRIBUTE_ABSENT error'],
    ],
    [
      'mlcommons-chakra-old',
      ['ASTRA_FILE_NAME error', 'ASTRA_SCHEMA error', 'ASTRA_ALONE warning'],
      ['FEEDER_FORMAT error', 'FEEDER_FILE_NAME warning', SIDE],
    ],
    ['schema-history/resnet50_dp.schema-0.0.4.0.et', ['ASTRA_ALONE warning'], [SIDE]],
    ['schema-history/resnet50_dp.schema-0.0.4-uint64size.0.et', ['ASTRA_ALONE warning'], ['FEEDER_ARM error', SIDE]],
    [
      'schema-history/resnet50_dp.schema-0.0.2.0.et',
      ['ASTRA_SCHEMA error', 'ASTRA_ALONE warning'],
      ['FEEDER_FORMAT error', SIDE],
    ],
  ])('%s', async (folder, astra, feeder) => {
    const order = (list: readonly string[]): string[] => [...list].sort();
    const path = shared('traces', folder);
    expect(order(codes(await findings('astra-sim', [path]), 'ASTRA'))).toEqual(order(astra));
    const found = codes(await findings('feeder', [path]), 'FEEDER_').filter((line) => !line.startsWith('FEEDER_KEY'));
    expect(order(found)).toEqual(order(feeder));
  });

  test('uint64 sizes: 54 all-reduces that feeder v1 reads as 0 bytes (trace-facts.json)', async () => {
    const path = 'traces/schema-history/resnet50_dp.schema-0.0.4-uint64size.0.et';
    const facts = JSON.parse(readFileSync(shared('reference/trace-facts.json'), 'utf8')) as {
      files: Record<string, { attrs: Record<string, Record<string, number>> }>;
    };
    const count = facts.files[`schema-history/${basename(path)}`].attrs.comm_size.uint64_val;
    const arm = (await findings('feeder', [shared(path)])).filter(({ code }) => code === 'FEEDER_ARM');
    expect(arm.map(({ attribute, count: found }) => [attribute, found])).toEqual([['comm_size', count]]);
  });

  test('every file of edge-cases was looked at', () => {
    expect(sharedFiles('traces/edge-cases', /\.et(\.gz)?$/)).toHaveLength(11);
  });
});
