import { readFileSync } from 'node:fs';
import { countFindings, type Finding } from '../../../src/base/finding.js';
import { readChakraEt } from '../../../src/formats/et/decode.js';
import { openTraceSource } from '../../../src/formats/open-source.js';
import { describeShared, shared, sharedFiles } from '../../support/shared.js';
import { codes, only, validateRead, type ValidationOptions } from '../../support/validation.js';

function validateFiles(paths: readonly string[], options: ValidationOptions = {}): Finding[] {
  const read = paths.map((path, rank) => readChakraEt(openTraceSource(shared(path)), { rank, file: path }));
  return validateRead(read, options);
}

describeShared('the awkward files of edge-cases have their verdicts', () => {
  const file = (name: string): string => `traces/edge-cases/${name}`;

  test.each([
    ['allcycle.et', ['NO_INITIAL_NODE error', 'CYCLE error']],
    ['cycle.et', ['NODES_NEVER_START error', 'CYCLE error']],
    ['dangling.et', ['DANGLING_DATA error']],
    ['danglingctrl.et', ['DANGLING_CONTROL warning']],
    ['dup.et', ['DUPLICATE_ID error']],
    ['gz.et', ['DUPLICATE_ID error']],
    ['emptymeta.et', []],
    ['repeated.et', []],
    ['star.et.gz', []],
    ['zeronode.et', ['NODE_TYPE_INVALID warning']],
  ])('%s: %j', (name, expected) => {
    expect(codes(validateFiles([file(name)]))).toEqual(expected);
  });

  test('trunc.et is refused by the reader, with frame and offset', () => {
    expect(() => validateFiles([file('trunc.et')])).toThrow(
      expect.objectContaining({ code: 'FRAME_TRUNCATED', exitStatus: 3 }) as Error,
    );
  });
});

describeShared('mlcommons-chakra/chakra.0.et.gz, the official feeder test', () => {
  const path = 'traces/mlcommons-chakra/chakra.0.et.gz';

  test('1,277 dangling control dependencies on 210 ids, 383 nodes of their own, 428 control components', () => {
    const findings = validateFiles([path]);
    const [dangling] = only(findings, 'DANGLING_CONTROL');
    expect(dangling).toMatchObject({ severity: 'warning', count: 1277, missingIds: 210 });
    expect(dangling.message).toContain('1,277 control dependencies on 210 ids that no node has');
    expect(only(findings, 'SELF_CONTROL')).toEqual([expect.objectContaining({ severity: 'warning', count: 383 })]);
    const control = only(findings, 'CYCLE').filter(({ kind }) => kind === 'control');
    expect(control.every(({ severity }) => severity === 'error')).toBe(true);
    expect(control.every(({ components, componentNodes }) => components === 428 && componentNodes === 473)).toBe(true);
    expect(control.every(({ advice }) => advice!.includes('--deps data'))).toBe(true);
    expect(control[control.length - 1].message).toContain('428 cyclic components over 473 nodes');
    expect(only(findings, 'DANGLING_DATA')).toEqual([]);
    expect(only(findings, 'CYCLE').some(({ kind }) => kind === 'data')).toBe(false);
  });

  test('with --deps data it has no error', () => {
    const findings = validateFiles([path], { deps: 'data' });
    expect(countFindings(findings).errors).toBe(0);
    expect(only(findings, 'COMM_TYPE_MISSING')).toEqual([expect.objectContaining({ count: 14 })]);
  });
});

describeShared('tracesets that other simulators run have no error', () => {
  const groupsOf = (path: string) => JSON.parse(readFileSync(shared(path), 'utf8')) as Record<string, number[]>;
  const inOrder = (paths: string[]): string[] => {
    const rankOf = (path: string): number => Number(/\.(\d+)\.\w+(\.gz)?$/.exec(path)![1]);
    return paths.sort((left, right) => rankOf(left) - rankOf(right));
  };

  test.each([
    ['astra-sim-examples/all_reduce_4npus_1MB', undefined],
    ['astra-sim-examples/reduce_scatter_16npus_1MB', undefined],
    ['astra-sim-examples/custom_ring_allreduce_8npus_1MB', undefined],
    ['astra-sim-tutorials/MLP_ModelParallel', undefined],
    ['astra-sim-artifacts/T1D-analytical', 'comm_group.json'],
    ['astra-sim-artifacts/T3D-analytical', 'comm_group.json'],
    ['hybrid-parallelism-2groups', 'comm_group.json'],
    ['stage/llama_dp2tp2pp2', 'workload.json'],
    ['stage/moe_dp2tp2ep2', 'workload.json'],
    ['stage/llama_legacy_tp4', 'workload.json'],
  ])('%s', (folder, groupFile) => {
    const files = inOrder(sharedFiles(`traces/${folder}`, /\.et(\.gz)?$/));
    const groups = groupFile === undefined ? {} : groupsOf(`traces/${folder}/${groupFile}`);
    const errors = validateFiles(files, { groups }).filter(({ severity }) => severity === 'error');
    expect(errors).toEqual([]);
  });

  test('astra-sim-artifacts/T2D-analytical names groups "0.0" that no file declares', () => {
    const folder = 'traces/astra-sim-artifacts/T2D-analytical';
    const groups = groupsOf(`${folder}/comm_group.json`);
    const findings = validateFiles(inOrder(sharedFiles(folder, /\.et$/)), { groups });
    const errors = findings.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code, group }) => `${code} ${group}`)).toEqual([
      'GROUP_UNDECLARED 0.0',
      'GROUP_UNDECLARED 1.0',
      'GROUP_UNDECLARED 2.0',
      'GROUP_UNDECLARED 3.0',
    ]);
  });
});
