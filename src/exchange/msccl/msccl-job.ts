import type { Finding } from '../../base/finding.js';
import type { CheckedProgram } from '../../collectives/programs/check-program.js';
import { chunkOffset, largerBuffer } from '../../collectives/programs/program-algorithm.js';
import type { ChunkProgram } from '../../collectives/programs/program.js';
import { STEP_ACTIONS, STEP_KINDS } from '../../collectives/programs/step-kinds.js';
import { Arm } from '../../formats/et/attribute-arms.js';
import { attributeHead, type EtWriter } from '../../formats/et/et-writer.js';
import { newMetadata } from '../../formats/et/metadata.js';
import type { MadeJob } from '../../formats/made-job.js';
import { OwnAttribute } from '../../trace/attribute-names.js';
import { NodeType } from '../../trace/node-type.js';
import { BUFFERS, MscclAttribute, PROGRAM_METADATA } from './msccl-attributes.js';
import { writeMsccl } from './write-msccl.js';

const CPU = attributeHead('is_cpu_op', Arm.bool);
const SIZE = attributeHead('comm_size', Arm.int64);
const TAG = attributeHead('comm_tag', Arm.int32);
const FROM = attributeHead('comm_src', Arm.int32);
const TO = attributeHead('comm_dst', Arm.int32);
const COLLECTIVE_SIZE = attributeHead(OwnAttribute.size, Arm.int64);
const STEP = {
  kind: attributeHead(MscclAttribute.kind, Arm.int32),
  threadBlock: attributeHead(MscclAttribute.threadBlock, Arm.int32),
  step: attributeHead(MscclAttribute.step, Arm.int32),
  channel: attributeHead(MscclAttribute.channel, Arm.int32),
  send: attributeHead(MscclAttribute.send, Arm.int32),
  receive: attributeHead(MscclAttribute.receive, Arm.int32),
  count: attributeHead(MscclAttribute.count, Arm.int32),
  sourceBuffer: attributeHead(MscclAttribute.sourceBuffer, Arm.int32),
  sourceOffset: attributeHead(MscclAttribute.sourceOffset, Arm.int32),
  destinationBuffer: attributeHead(MscclAttribute.destinationBuffer, Arm.int32),
  destinationOffset: attributeHead(MscclAttribute.destinationOffset, Arm.int32),
};

/** Messages of a connection with tags of their own: 2^20 × channel + place, where that stays below 2^31. */
const MESSAGES_PER_CHANNEL = 2 ** 20;
const CHANNELS = 2 ** 11;

/**
 * One collective that follows a program, as traces of sends, receives and reductions (exchange-formats 4.3): nodes in an order in which
 * each comes after those it waits for, ids from 1.
 *
 * @param size `comm_size` of the collective, bytes
 */
export function mscclJob(checked: CheckedProgram, size: number, prefix: string, findings: readonly Finding[]): MadeJob {
  const { program, steps, order } = checked;
  const byRank: number[][] = program.ranks.map(() => []);
  for (const at of order) byRank[steps.rank[at]].push(at);
  const bytes = largerBuffer(program.type, { groupSize: program.ranks.length, bytes: size, root: 0 });
  const header = withoutSteps(program);
  const writer = new StepWriter(checked, bytes, size);
  return {
    rankCount: program.ranks.length,
    prefix,
    groups: new Map(),
    findings,
    writeRank: (rank, out) => {
      const facts = { rank, worldSize: program.ranks.length };
      out.metadata(newMetadata(facts, { [PROGRAM_METADATA]: header }));
      writer.write(byRank[rank], out);
    },
  };
}

function withoutSteps(program: ChunkProgram): string {
  return writeMsccl({ ...program, ranks: program.ranks.map((rank) => ({ ...rank, threadBlocks: [] })) });
}

class StepWriter {
  readonly #checked: CheckedProgram;
  readonly #bytes: number;
  readonly #size: number;
  /** Whether tags name channel and place; otherwise messages of a pair are counted over all channels. */
  readonly #tagsByChannel: boolean;

  constructor(checked: CheckedProgram, bytes: number, size: number) {
    this.#checked = checked;
    const { channels } = checked.program;
    this.#tagsByChannel =
      channels <= CHANNELS && checked.steps.channelIndex.every((place) => place < MESSAGES_PER_CHANNEL);
    this.#bytes = bytes;
    this.#size = size;
  }

  /** @param own steps of the rank in order */
  write(own: readonly number[], out: EtWriter): void {
    const { steps } = this.#checked;
    const done = new Map<number, readonly number[]>(); // by step: nodes that are done when it is
    let id = 0;
    for (const at of own) {
      const { kind } = steps.step[at];
      const { receives, reduces, writes, reads, sends } = STEP_ACTIONS[kind];
      const before = new Set([...(done.get(steps.before(at)) ?? []), ...(done.get(steps.after[at]) ?? [])]);
      let waits: readonly number[] = [...before].sort((a, b) => a - b);
      const node = (part: string, type: number, fill: () => void): void => {
        out.begin(++id, part === kind ? kind : `${kind}.${part}`, type);
        out.data(waits);
        out.integer(CPU, 0);
        fill();
        this.#stepAttributes(at, out);
        out.end();
        waits = [id];
      };
      if (receives) {
        node(kind === 'r' ? kind : 'receive', NodeType.receive, () => this.#transfer(at, steps.sentBy[at], FROM, out));
      }
      if (reduces || (!receives && reads && writes)) {
        node(receives ? 'reduce' : kind, NodeType.compute, () => undefined);
      }
      if (sends) node(kind === 's' ? kind : 'send', NodeType.send, () => this.#transfer(at, at, TO, out));
      done.set(at, waits);
    }
  }

  #transfer(at: number, sender: number, peer: typeof FROM, out: EtWriter): void {
    const { steps, program, chunksSent } = this.#checked;
    const { send, receive, channel } = steps.blocks[steps.block[at]];
    let bytes = 0;
    for (const chunk of chunksSent[sender]!) {
      bytes += chunkOffset(chunk + 1, this.#bytes, program.chunks) - chunkOffset(chunk, this.#bytes, program.chunks);
    }
    out.integer(SIZE, bytes);
    out.integer(COLLECTIVE_SIZE, this.#size);
    out.integer(peer, peer === TO ? send : receive);
    const place = steps.channelIndex[sender];
    out.integer(TAG, this.#tagsByChannel ? channel * MESSAGES_PER_CHANNEL + place : steps.messageIndex[sender]);
  }

  #stepAttributes(at: number, out: EtWriter): void {
    const { steps } = this.#checked;
    const { kind, source, destination, count } = steps.step[at];
    const block = steps.blocks[steps.block[at]];
    out.integer(STEP.kind, STEP_KINDS.indexOf(kind));
    out.integer(STEP.threadBlock, block.id);
    out.integer(STEP.step, at - steps.blockStart[steps.block[at]]);
    out.integer(STEP.channel, block.channel);
    out.integer(STEP.send, block.send);
    out.integer(STEP.receive, block.receive);
    out.integer(STEP.count, count);
    if (source !== undefined) {
      out.integer(STEP.sourceBuffer, BUFFERS.indexOf(source.buffer));
      out.integer(STEP.sourceOffset, source.offset);
    }
    if (destination !== undefined) {
      out.integer(STEP.destinationBuffer, BUFFERS.indexOf(destination.buffer));
      out.integer(STEP.destinationOffset, destination.offset);
    }
  }
}
