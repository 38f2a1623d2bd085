import { requestError, type PrepError } from '../../base/errors.js';
import { formatId } from '../../base/ids.js';
import type { Losses } from '../../base/losses.js';
import type { ChunkPlace, ChunkProgram } from '../../collectives/programs/program.js';
import { STEP_KINDS } from '../../collectives/programs/step-kinds.js';
import type { ReadableJob } from '../../formats/conversion.js';
import { metadataText } from '../../formats/et/metadata.js';
import { indicesById } from '../../trace/id-order.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { threadBlocks, type LooseBlock, type LooseStep } from './loose-steps.js';
import { BUFFERS, MscclAttribute, PROGRAM_METADATA } from './msccl-attributes.js';
import { readMsccl } from './read-msccl.js';

/** Whether a trace keeps the program it was made of. */
export function keepsProgram(trace: RankTrace): boolean {
  return metadataText(trace.metadata, PROGRAM_METADATA) !== undefined;
}

/**
 * The program that traces were made of, from what their metadata and nodes keep of it: steps in their thread blocks in their order,
 * each waiting for what its nodes wait for.
 * @throws PrepError `MSCCL_UNDERIVED` where a rank does not keep it, or another one
 */
export function programOfAttributes(job: ReadableJob, losses: Losses): ChunkProgram {
  let header: string | undefined;
  let program: ChunkProgram | undefined;
  const blocksOf: LooseBlock[][] = [];
  for (let rank = 0; rank < job.rankCount; rank++) {
    job.withRank(rank, (trace) => {
      const own = metadataText(trace.metadata, PROGRAM_METADATA);
      if (own === undefined)
        throw underived(`rank ${rank} does not keep an MSCCL program in its metadata, as rank 0 does`);
      if (header !== undefined && own !== header)
        throw underived(`rank ${rank} keeps another MSCCL program than rank 0`);
      header = own;
      program ??= readMsccl(own, `${trace.file} (${PROGRAM_METADATA})`).program;
      blocksOf.push(blocksOfRank(trace, losses));
    });
  }
  if (program!.ranks.length !== job.rankCount) {
    throw underived(`the program is for ${program!.ranks.length} ranks, the traceset has ${job.rankCount}`);
  }
  const ranks = program!.ranks.map((buffers, rank) => ({ ...buffers, threadBlocks: threadBlocks(blocksOf[rank]) }));
  return { ...program!, ranks };
}

export function underived(message: string, advice?: string): PrepError {
  return requestError('MSCCL_UNDERIVED', message, advice);
}

type Numbers = Partial<Record<string, number>>;

function blocksOfRank(trace: RankTrace, losses: Losses): LooseBlock[] {
  const blocks = new Map<number, { block: LooseBlock; byStep: Map<number, LooseStep> }>();
  const stepOf = new Array<LooseStep | undefined>(trace.length).fill(undefined);
  const order = indicesById(trace);
  for (let at = 0; at < trace.length; at++) {
    const index = order === undefined ? at : order[at];
    const numbers = numbersOf(trace, index);
    const kind = STEP_KINDS[numbers[MscclAttribute.kind] ?? -1];
    if (kind === undefined) {
      losses.add(
        'nodes that are part of no step',
        `rank ${trace.rank} node ${formatId(trace.idLow[index], trace.idHigh[index])}`,
      );
      continue;
    }
    const of = (name: string, otherwise = -1): number => numbers[name] ?? otherwise;
    const id = of(MscclAttribute.threadBlock, 0);
    let known = blocks.get(id);
    if (known === undefined) {
      const peers = { send: of(MscclAttribute.send), receive: of(MscclAttribute.receive) };
      known = { block: { id, ...peers, channel: of(MscclAttribute.channel, 0), steps: [] }, byStep: new Map() };
      blocks.set(id, known);
    }
    const place = of(MscclAttribute.step, 0);
    let step = known.byStep.get(place);
    if (step === undefined) {
      const source = placeOf(numbers, MscclAttribute.sourceBuffer, MscclAttribute.sourceOffset);
      const destination = placeOf(numbers, MscclAttribute.destinationBuffer, MscclAttribute.destinationOffset);
      step = { kind, source, destination, count: of(MscclAttribute.count, 1), after: new Set() };
      known.byStep.set(place, step);
    }
    stepOf[index] = step;
  }
  link(trace, stepOf);
  return [...blocks.values()].map(({ block, byStep }) => ({
    ...block,
    steps: [...byStep].sort(([a], [b]) => a - b).map(([, step]) => step),
  }));
}

function link(
  { length, dataStart, dataTarget, controlStart, controlTarget }: RankTrace,
  stepOf: readonly (LooseStep | undefined)[],
): void {
  for (let index = 0; index < length; index++) {
    const step = stepOf[index];
    if (step === undefined) continue;
    for (const target of [
      ...dataTarget.subarray(dataStart[index], dataStart[index + 1]),
      ...controlTarget.subarray(controlStart[index], controlStart[index + 1]),
    ]) {
      const before = target < 0 ? undefined : stepOf[target];
      if (before !== undefined && before !== step) step.after.add(before);
    }
  }
}

function numbersOf({ kept, frameOffset, frameLength }: RankTrace, index: number): Numbers {
  const numbers: Numbers = {};
  if (frameOffset[index] < 0) return numbers;
  kept?.forEachAttribute(frameOffset[index], frameLength[index], (name, _arm, integer) => {
    if (integer !== undefined && name.startsWith('msccl_')) numbers[name] = integer;
  });
  return numbers;
}

function placeOf(numbers: Numbers, buffer: string, offset: string): ChunkPlace | undefined {
  const name = BUFFERS[numbers[buffer] ?? -1] as (typeof BUFFERS)[number] | undefined;
  return name === undefined ? undefined : { buffer: name, offset: numbers[offset] ?? 0 };
}
