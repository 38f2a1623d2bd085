import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../src/base/finding.js';
import { discoverTraceset } from '../../src/formats/discover.js';
import { runHere } from '../support/in-process.js';
import { describeShared, hasShared, shared } from '../support/shared.js';

/** What `validate` says of an input below shared/traces, and why that is right. */
interface Verdict {
  /** A folder stands for the traces in it and their group file. */
  readonly input: string;
  /** More options. */
  readonly options?: readonly string[];
  readonly exit: 0 | 1 | 3;
  /** `severity CODE`, each once, errors first, then in the order of the alphabet. */
  readonly codes: readonly string[];
  readonly why: string;
}

/** Tracesets, and traces that stand alone. */
const TRACES: readonly Verdict[] = [];

/** Files that are no traces: exit 3, `WRONG_KIND`, and the kind that is named. */
const OTHER_KINDS: readonly (readonly [kind: string, files: readonly string[]])[] = [
  ['is of no known format', ['PROVENANCE.md']],
  [
    'is a process group file',
    [
      'astra-sim-artifacts/T1D-analytical/comm_group.json',
      'astra-sim-artifacts/T2D-analytical/comm_group.json',
      'astra-sim-artifacts/T3D-analytical/comm_group.json',
      'hybrid-parallelism-2groups/comm_group.json',
      'stage/llama_dp2tp2pp2/workload.json',
      'stage/llama_json_pp2dp2/workload.json',
      'stage/llama_json_real/workload.json',
      'stage/llama_legacy_tp4/workload.json',
      'stage/moe_dp2tp2ep2/workload.json',
    ],
  ],
  [
    'is a text workload (ASTRA-sim 1.0, SimAI)',
    [
      'astra-sim-text/DLRM_HybridParallel.txt',
      'astra-sim-text/MLP_HybridParallel_Data_Model.txt',
      'astra-sim-text/MLP_ModelParallel.txt',
      'astra-sim-text/Resnet50_DataParallel.txt',
      'astra-sim-text/Transformer_HybridParallel.txt',
      'astra-sim-text/microAllReduce.txt',
      'simai-text/microAllReduce.txt',
      'simai-text/workload_analytical.txt.gz',
    ],
  ],
  [
    'is a PyTorch host execution trace',
    [
      'astra-sim-tutorials/host_json/pytorch_et_0.json.gz',
      'astra-sim-tutorials/host_json/pytorch_et_1.json.gz',
      'hta/simple_add/host_0.json.gz',
      'mlcommons-chakra/1.0.2-chakra.0.0.4.json.gz',
      'param/dlrm_8gpu/dlrm_eg_0.json.gz',
      'param/dlrm_8gpu/dlrm_eg_1.json.gz',
      'param/dlrm_8gpu/dlrm_eg_2.json.gz',
      'param/dlrm_8gpu/dlrm_eg_3.json.gz',
      'param/linear_1gpu/linear_et.json.gz',
      'param/pt2_1.1.1/pt2_et.json',
      'param/resnet_1gpu_1.1.1/resnet_1gpu_et.json.gz',
      'param/resnet_2gpu_1.1.0/rank1_et.json.gz',
      'resnet_pair/host_0.json.gz',
    ],
  ],
  [
    'is a Kineto device trace (Chrome trace events)',
    [
      'hta/kineto/cpu_only_rank34_gloo.json.gz',
      'hta/kineto/event_sync.json.gz',
      'hta/kineto/mi250.json.gz',
      'hta/kineto_2_of_128_ranks/rank-0.json.gz',
      'hta/kineto_2_of_128_ranks/rank-1.json.gz',
      'hta/simple_add/device_0.json.gz',
      'param/dlrm_8gpu/worker0.pt.trace.json.gz',
      'param/dlrm_8gpu/worker1.pt.trace.json.gz',
      'param/dlrm_8gpu/worker2.pt.trace.json.gz',
      'param/dlrm_8gpu/worker3.pt.trace.json.gz',
      'param/linear_1gpu/linear_kineto.json.gz',
      'resnet_pair/device_0.json.gz',
    ],
  ],
  ['is a STAGE JSON trace', [0, 1, 2, 3].map((rank) => `stage/llama_json_real/workload.${rank}.json`)],
];

interface Document {
  readonly findings: readonly Finding[];
}

async function validated(...words: string[]): Promise<Document & { status: number | null }> {
  const { status, stdout } = await runHere(['validate', ...words, '--json']);
  return { status, ...(JSON.parse(stdout) as Document) };
}

const WORST_FIRST = ['error', 'warning', 'note'];

function codesOf({ findings }: Document): string[] {
  const codes = [...new Set(findings.map(({ severity, code }) => `${severity} ${code}`))];
  const place = (code: string): string => `${WORST_FIRST.indexOf(code.split(' ')[0])}${code}`;
  return codes.sort((left, right) => (place(left) < place(right) ? -1 : 1));
}

describeShared('every file of shared/traces has its verdict', () => {
  test.each(TRACES)('$input: exit $exit, $codes: $why', async ({ input, options = [], exit, codes }) => {
    const verdict = await validated(shared('traces', input), ...options);
    expect({ codes: codesOf(verdict), exit: verdict.status }).toEqual({ codes: [...codes], exit });
  });

  test.each(OTHER_KINDS.flatMap(([kind, files]) => files.map((file) => [file, kind])))('%s %s', async (file, kind) => {
    const { status, findings } = await validated(shared('traces', file));
    expect({ status, codes: findings.map(({ code }) => code) }).toEqual({ status: 3, codes: ['WRONG_KIND'] });
    expect(findings[0].message).toContain(` ${kind}, expected `);
  });

  test('no file is left out', async () => {
    const covered = new Set(OTHER_KINDS.flatMap(([, files]) => files).map((file) => shared('traces', file)));
    for (const { input } of TRACES) {
      const { files, groupFile } = await discoverTraceset([shared('traces', input)]);
      for (const { path } of files) covered.add(path);
      if (groupFile !== undefined) covered.add(groupFile);
    }
    const all = hasShared ? readdirSync(shared('traces'), { recursive: true, withFileTypes: true }) : [];
    const paths = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    expect(paths.filter((path) => !covered.has(path))).toEqual([]);
  });
});
