import { finding } from '../../base/catalogue.js';
import { counted, grouped } from '../../base/counts.js';
import { requestError } from '../../base/errors.js';
import type { Finding, Severity } from '../../base/finding.js';
import type { ConversionOptions } from '../../formats/conversion.js';
import {
  isTransformer,
  type HeaderKey,
  type TextWorkload,
  type WorkloadMode,
} from '../../formats/text-workload/text-workload.js';
import { malformed } from '../../formats/text-workload/words.js';
import { modeOf } from './layer-scopes.js';
import { listedBlocks } from './legs.js';
import type { Dimensions } from './rank-layout.js';
import type { WorkloadPlan } from './workload-plan.js';

/** Keys that only files of SimAI have; their times are ns. */
const KEYS_OF_SIMAI: readonly HeaderKey[] = ['ep', 'pp', 'vpp', 'ga', 'all_gpus', 'pp_comm'];
/** Nodes of a rank, passes and micro-batches beyond which a slip in a number is more likely than the wish. */
const MOST_NODES = 50_000_000;
/** Nodes that a layer may become in a micro-batch. */
const NODES_OF_LAYER = 6;

/**
 * Decides how a workload is run, from its header and the options of the conversion.
 * @param findings takes what was decided without being asked: `WORKLOAD_HEADER_OVERRIDDEN`, `WORKLOAD_HEADER_UNUSED`,
 *   `WORKLOAD_MICRO_BATCHES_LISTED`
 * @throws PrepError `OPTION_MISSING`, `WORKLOAD_RANKS`, `WORKLOAD_UNSUPPORTED`, `WORKLOAD_MALFORMED`
 */
export function planWorkload(workload: TextWorkload, options: ConversionOptions, findings: Finding[]): WorkloadPlan {
  const { header, layers, mode } = workload;
  const passes = options.passes ?? 1;
  checkDlrm(workload);
  checkCheckpoints(workload);
  const dimensions = dimensionsOf(workload, options, findings);
  const transformer = isTransformer(mode);
  const stageBytes = transformer ? bytesBetweenStages(workload, dimensions) : 0;
  const announced = transformer ? (header.get('ga')?.value ?? 1) : 1;
  const listed = listedBlocks(
    layers.map(({ name }) => name),
    announced,
  );
  if (listed !== undefined) {
    const { count, length, first } = listed;
    const message = `${header.get('ga')!.place}: the lines list the ${count} micro-batches of ga: ${count} times ${counted(length, 'layer')} from line ${layers[first].line}; each is run once, all forward, then all backward`;
    findings.push(finding('WORKLOAD_MICRO_BATCHES_LISTED', message, { file: workload.file, count }));
  }
  const microBatches = listed === undefined ? announced : 1;
  const nodes = NODES_OF_LAYER * layers.length * microBatches * passes;
  if (nodes > MOST_NODES) {
    const times = `${counted(layers.length, 'layer')}, ${counted(microBatches, 'micro-batch', 'micro-batches')} and ${counted(passes, 'pass', 'passes')}`;
    const message = `${workload.file}: ${times} make up to ${grouped(nodes)} nodes a rank, expected at most ${grouped(MOST_NODES)}`;
    throw requestError('WORKLOAD_UNSUPPORTED', message, 'correct ga or --passes');
  }
  sayUnusedKeys(workload, dimensions, findings);
  const nanoseconds = KEYS_OF_SIMAI.some((key) => header.has(key));
  return { workload, passes, dimensions, microBatches, listed, stageBytes, nanoseconds };
}

function dimensionsOf(workload: TextWorkload, options: ConversionOptions, findings: Finding[]): Dimensions {
  const { file, mode, header } = workload;
  const ranks = chosen(workload, 'all_gpus', '--ranks', options.ranks, findings);
  if (ranks === undefined) {
    const message = `${file}: line 1 does not say how many ranks run the workload (all_gpus): --ranks is missing`;
    throw requestError('OPTION_MISSING', message, 'add --ranks, as in --ranks 8');
  }
  if (!hasModelGroups(workload)) return { model: 1, data: ranks, stages: 1, experts: 1 };
  const model = chosen(workload, 'model_parallel_NPU_group', '--model-parallel', options.modelParallel, findings);
  if (model === undefined) {
    const message = `${file}: mode ${mode} runs collectives over groups of model-parallel ranks, and line 1 does not say how many ranks a group has (model_parallel_NPU_group): --model-parallel is missing`;
    throw requestError('OPTION_MISSING', message, 'add --model-parallel, as in --model-parallel 4');
  }
  const transformer = isTransformer(mode);
  const stages = transformer ? (header.get('pp')?.value ?? 1) : 1;
  const experts = transformer ? (header.get('ep')?.value ?? 1) : 1;
  const data = ranks / (model * stages);
  if (!Number.isInteger(data)) {
    const each = stages === 1 ? `${model} model-parallel ranks` : `${model} model-parallel ranks × ${stages} stages`;
    throw requestError('WORKLOAD_RANKS', `${file}: ${counted(ranks, 'rank')}: expected a multiple of ${each}`);
  }
  if (data % experts !== 0) {
    const message = `${header.get('ep')!.place}: ep: ${experts}: expected a divisor of the ${counted(data, 'data-parallel rank')} (${counted(ranks, 'rank')} by ${model} model-parallel ranks${stages === 1 ? '' : ` and ${stages} stages`})`;
    throw requestError('WORKLOAD_RANKS', message);
  }
  return { model, data, stages, experts };
}

/** Whether some collective may run over a model-parallel group and its counterpart. */
function hasModelGroups({ mode, layers }: TextWorkload): boolean {
  const hybrid = (one: WorkloadMode): boolean => one === 'HYBRID_DATA_MODEL' || one === 'HYBRID_MODEL_DATA';
  return isTransformer(mode) || layers.some((layer) => hybrid(modeOf(mode, layer)));
}

/** The value of an option, or of the header without it; a finding where the option says other than the header. */
function chosen(
  { file, header }: TextWorkload,
  key: HeaderKey,
  option: string,
  given: number | undefined,
  findings: Finding[],
): number | undefined {
  const said = header.get(key);
  if (given === undefined || said === undefined || said.value === given) return given ?? said?.value;
  const message = `${said.place}: ${key}: ${grouped(said.value)} is overridden by ${option} ${grouped(given)}; times and bytes of the lines stay as they are`;
  findings.push(finding('WORKLOAD_HEADER_OVERRIDDEN', message, { file }));
  return given;
}

function bytesBetweenStages({ header }: TextWorkload, { stages }: Dimensions): number {
  if (stages === 1) return 0;
  const interleaved = header.get('vpp');
  if (interleaved !== undefined && interleaved.value > 1) {
    throw requestError(
      'WORKLOAD_UNSUPPORTED',
      `${interleaved.place}: vpp: ${interleaved.value}: interleaved stages cannot be expanded, as the file does not say which of its layers form a chunk`,
      'write vpp: 1, so that each stage runs its layers as one chunk',
    );
  }
  const bytes = header.get('pp_comm');
  if (bytes !== undefined) return bytes.value;
  const pipeline = header.get('pp')!;
  throw malformed(
    pipeline.place,
    `pp: ${pipeline.value} needs pp_comm, the bytes that a stage hands to the next for a micro-batch`,
    'add pp_comm: BYTES to line 1',
  );
}

function checkDlrm({ lastBottomLayer, layers, mode }: TextWorkload): void {
  if (lastBottomLayer === undefined || lastBottomLayer.value < layers.length - 1) return;
  const { value, place } = lastBottomLayer;
  const expected =
    layers.length === 1 ? 'expected two layers at least' : `expected a layer from 0 to ${layers.length - 2}`;
  throw malformed(
    place,
    `${mode} ${value}: the last bottom layer has a layer behind it, of ${counted(layers.length, 'layer')}: ${expected}`,
  );
}

function checkCheckpoints({ layerLists }: TextWorkload): void {
  const checkpoints = layerLists.get('checkpoints')?.value ?? [];
  const initiates = layerLists.get('checkpoint_initiates');
  for (const layer of initiates?.value ?? []) {
    if (checkpoints.some((checkpoint) => checkpoint <= layer)) continue;
    const message = `checkpoint_initiates: layer ${layer} has no checkpoint at or before it from which its forward pass could be done again`;
    throw malformed(initiates!.place, message, 'add a layer to checkpoints');
  }
}

/** Keys of line 1 that change nothing in this mode. */
function sayUnusedKeys({ mode, header, layerLists, file }: TextWorkload, { stages }: Dimensions, findings: Finding[]) {
  const unused = (place: string, text: string, why: string, severity: Severity = 'warning'): void => {
    findings.push(finding('WORKLOAD_HEADER_UNUSED', `${place}: ${text} is not used: ${why}`, { file, severity }));
  };
  const transformer = isTransformer(mode);
  for (const [key, { value, place }] of header) {
    if (transformer || key === 'all_gpus' || value <= 1) continue;
    if (key === 'model_parallel_NPU_group' && mode !== 'DATA' && mode !== 'MICRO' && mode !== 'MODEL') continue;
    unused(place, `${key}: ${grouped(value)}`, `mode ${mode} has no such groups, stages or micro-batches`);
  }
  const interleaved = header.get('vpp');
  if (transformer && stages === 1 && interleaved !== undefined && interleaved.value > 1) {
    // AICB writes its default of vpp into every file.
    unused(interleaved.place, `vpp: ${interleaved.value}`, 'there is one pipeline stage', 'note');
  }
  for (const [key, { value, place }] of layerLists) {
    if (value.length === 0 || mode === 'HYBRID_TRANSFORMER_FWD_IN_BCKWD') continue;
    unused(place, key, `the forward pass is done again in mode HYBRID_TRANSFORMER_FWD_IN_BCKWD only, this is ${mode}`);
  }
}
