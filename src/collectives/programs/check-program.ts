import { finding, type FindingCode } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import { countFindings, type Finding } from '../../base/finding.js';
import { CollectiveType } from '../../trace/collective-type.js';
import { ChunkLayout, isParted } from './chunk-layout.js';
import { executeProgram } from './execute-program.js';
import type { ChunkPlace, ChunkProgram, ProgramRank, ThreadBlock } from './program.js';
import { limitFindings } from './program-limits.js';
import { ProgramSteps } from './program-steps.js';
import { STEP_ACTIONS } from './step-kinds.js';

/** A program that was looked at. */
export interface CheckedProgram {
  readonly program: ChunkProgram;
  readonly steps: ProgramSteps;
  /** All steps, each after those it waits for; empty where an error was found before. */
  readonly order: Int32Array;
  /** As {@link Execution.chunksSent}; empty where an error was found before. */
  readonly chunksSent: readonly (Int32Array | undefined)[];
  readonly findings: readonly Finding[];
}

/**
 * Whether a program is sound, and does what its collective has to (exchange-formats 4.1 and 4.3). Where its parts do not fit
 * together, it is not executed.
 * @param subject what messages call it: its file
 */
export function checkProgram(program: ChunkProgram, subject: string): CheckedProgram {
  const steps = new ProgramSteps(program);
  const check = new Checking(program, steps, subject);
  check.buffers();
  check.threadBlocks();
  check.operands();
  check.dependencies();
  if (!check.failed) check.messages();
  const stopped = (): CheckedProgram => ({
    program,
    steps,
    order: new Int32Array(0),
    chunksSent: [],
    findings: check.findings,
  });
  if (check.failed) return stopped();
  const order = steps.order();
  check.cycles(order);
  if (check.failed) return stopped();
  const owner = program.type === CollectiveType.allGather ? check.owners() : undefined;
  const layout = new ChunkLayout(program, owner);
  check.assumed(layout);
  const { chunksSent, findings } = executeProgram(program, steps, layout, order, subject);
  return {
    program,
    steps,
    order,
    chunksSent,
    findings: [...check.findings, ...findings, ...limitFindings(program, subject)],
  };
}

class Checking {
  readonly findings: Finding[] = [];
  readonly #program: ChunkProgram;
  readonly #steps: ProgramSteps;
  readonly #subject: string;

  constructor(program: ChunkProgram, steps: ProgramSteps, subject: string) {
    this.#program = program;
    this.#steps = steps;
    this.#subject = subject;
  }

  get failed(): boolean {
    return countFindings(this.findings).errors > 0;
  }

  buffers(): void {
    const { type, collective, chunks, ranks } = this.#program;
    if (isParted(type) && chunks % ranks.length !== 0) {
      this.#add(
        'PROGRAM_BUFFERS',
        `${counted(chunks, 'chunk')} cannot be divided among ${counted(ranks.length, 'gpu')}, as ${collective} has to`,
      );
      return;
    }
    for (const [rank, { inputChunks, outputChunks }] of ranks.entries()) {
      this.#buffer(rank, 'i_chunks', inputChunks, expectedChunks(this.#program, 'i'));
      this.#buffer(rank, 'o_chunks', outputChunks, expectedChunks(this.#program, 'o'));
    }
  }

  #buffer(rank: number, name: string, count: number, expected: readonly number[]): void {
    const { collective, chunks } = this.#program;
    if (count === 0 || expected.includes(count)) return;
    const others = expected.length === 0 ? `at most ${chunks}` : expected.join(' or ');
    if (expected.length === 0 && count <= chunks) return;
    this.#add('PROGRAM_BUFFERS', `gpu ${rank} has ${name}="${count}", expected ${others} or 0 for ${collective}`, rank);
  }

  threadBlocks(): void {
    const { ranks, channels } = this.#program;
    for (const [rank, { threadBlocks }] of ranks.entries()) {
      const ids = new Set<number>();
      const peers = new Map<string, number>();
      for (const block of threadBlocks) {
        const name = `gpu ${rank} thread block ${block.id}`;
        if (ids.has(block.id)) this.#add('PROGRAM_PEER', `${name} is there twice, expected ids that differ`, rank);
        ids.add(block.id);
        if (!(block.channel >= 0 && block.channel < channels)) {
          this.#add(
            'PROGRAM_PEER',
            `${name} has chan="${block.channel}", expected 0 to ${channels - 1} as nchannels says`,
            rank,
          );
        }
        for (const end of ['send', 'recv'] as const) this.#peer(rank, block, end, peers);
      }
    }
  }

  #peer(rank: number, block: ThreadBlock, end: 'send' | 'recv', peers: Map<string, number>): void {
    const size = this.#program.ranks.length;
    const peer = end === 'send' ? block.send : block.receive;
    const name = `gpu ${rank} thread block ${block.id}`;
    if (peer === -1) return;
    if (!(peer >= 0 && peer < size) || peer === rank) {
      this.#add(
        'PROGRAM_PEER',
        `${name} has ${end}="${peer}", expected another of the ${counted(size, 'gpu')}, or -1`,
        rank,
      );
      return;
    }
    const key = `${end} ${peer} ${block.channel}`;
    const other = peers.get(key);
    peers.set(key, block.id);
    if (other === undefined) return;
    const does = end === 'send' ? 'send to' : 'receive from';
    this.#add(
      'PROGRAM_PEER',
      `gpu ${rank} thread blocks ${other} and ${block.id} both ${does} gpu ${peer} on channel ${block.channel}; expected one`,
      rank,
    );
  }

  operands(): void {
    const { step, rank, block, blocks, count } = this.#steps;
    for (let at = 0; at < count; at++) {
      const { kind, source, destination, count: cnt } = step[at];
      const { sends, receives, reads, writes } = STEP_ACTIONS[kind];
      const { send, receive } = blocks[block[at]];
      if (sends && send === -1) this.#tell(at, 'PROGRAM_PEER', 'sends, and its thread block has send="-1"');
      if (receives && receive === -1) this.#tell(at, 'PROGRAM_PEER', 'receives, and its thread block has recv="-1"');
      if (kind === 'nop') continue;
      if (!(cnt >= 1)) this.#tell(at, 'PROGRAM_OFFSET', `has cnt="${cnt}", expected 1 or more`);
      const own = this.#program.ranks[rank[at]];
      if (reads) this.#operand(at, source, 'source', cnt, own);
      if (writes) this.#operand(at, destination, 'destination', cnt, own);
    }
  }

  #operand(at: number, place: ChunkPlace | undefined, name: string, cnt: number, own: ProgramRank): void {
    if (place === undefined) {
      this.#tell(at, 'PROGRAM_OFFSET', `names no ${name}`);
      return;
    }
    const { buffer, offset } = place;
    const size = { i: own.inputChunks, o: own.outputChunks, s: own.scratchChunks }[buffer];
    if (offset >= 0 && offset + cnt <= size) return;
    const named = { i: 'input', o: 'output', s: 'scratch' }[buffer];
    const range = cnt === 1 ? `chunk ${offset}` : `chunks ${offset} to ${offset + cnt - 1}`;
    const has = size === 0 ? 'which has none' : `which has chunks 0 to ${size - 1}`;
    this.#tell(at, 'PROGRAM_OFFSET', `has as its ${name} ${range} of the ${named} buffer, ${has}`);
  }

  dependencies(): void {
    const { step, after, count } = this.#steps;
    for (let at = 0; at < count; at++) {
      const stated = step[at].after;
      if (stated === undefined) continue;
      if (after[at] < 0) {
        const { threadBlock, step: other } = stated;
        this.#tell(
          at,
          'PROGRAM_DEPENDENCY',
          `waits for thread block ${threadBlock} step ${other}, which its gpu does not have`,
        );
      } else if (!step[after[at]].hasDependent) {
        this.#tell(
          at,
          'PROGRAM_DEPENDENCY',
          `waits for ${this.#steps.label(after[at])}, which has hasdep="0" and tells nobody`,
        );
      }
    }
  }

  messages(): void {
    const { step } = this.#steps;
    for (const { from, to, channel, sends, receives } of this.#steps.connections()) {
      const name = `gpu ${from} to gpu ${to} on channel ${channel}`;
      if (sends.length !== receives.length) {
        const more = sends.length > receives.length ? sends : receives;
        const first = more[Math.min(sends.length, receives.length)];
        this.#add(
          'PROGRAM_UNMATCHED',
          `${name}: ${counted(sends.length, 'send')} and ${counted(receives.length, 'receive')}, expected as many; ` +
            `the first without the other is ${this.#steps.label(first)}`,
          this.#steps.rank[first],
        );
      }
      const k = sends.findIndex(
        (at, place) => place < receives.length && step[at].count !== step[receives[place]].count,
      );
      if (k < 0) continue;
      const [send, receive] = [sends[k], receives[k]];
      this.#add(
        'PROGRAM_UNMATCHED',
        `${name}: ${this.#steps.label(send)} sends ${counted(step[send].count, 'chunk')}, ` +
          `${this.#steps.label(receive)} receives ${step[receive].count}`,
        to,
      );
    }
  }

  cycles(order: Int32Array): void {
    if (order.length === this.#steps.count) return;
    const cycle = this.#steps.cycle(order);
    const shown = cycle.slice(0, 6).map((at) => this.#steps.label(at));
    const more = cycle.length > 6 ? [`${cycle.length - 6} more`] : [];
    this.#add(
      'PROGRAM_CYCLE',
      `${counted(this.#steps.count - order.length, 'step')} never run: these wait for each other in a circle: ${[...shown, ...more].join(', ')}`,
      this.#steps.rank[cycle[0]],
    );
  }

  /**
   * [chunks] who has each chunk of an all-gather at first: its part, but without input buffers (exchange-formats 6.1, 6.2) whoever
   * sends it and never receives it. Undefined where that is not one rank each, as many chunks for all.
   */
  owners(): Int32Array | undefined {
    const { ranks, chunks } = this.#program;
    if (ranks.some(({ inputChunks }) => inputChunks > 0)) return undefined;
    const { step, rank, count } = this.#steps;
    const sends = new Uint8Array(chunks * ranks.length);
    const receives = new Uint8Array(chunks * ranks.length);
    for (let at = 0; at < count; at++) {
      const { kind, source, destination, count: cnt } = step[at];
      const { reads, writes } = STEP_ACTIONS[kind];
      for (let further = 0; further < cnt; further++) {
        if (reads && source!.buffer === 'o') sends[(source!.offset + further) * ranks.length + rank[at]] = 1;
        if (writes && destination!.buffer === 'o')
          receives[(destination!.offset + further) * ranks.length + rank[at]] = 1;
      }
    }
    const owner = new Int32Array(chunks);
    const owned = new Int32Array(ranks.length);
    for (let chunk = 0; chunk < chunks; chunk++) {
      const first = chunk * ranks.length;
      const candidates = ranks.map((_, at) => at).filter((at) => sends[first + at] === 1 && receives[first + at] === 0);
      if (candidates.length !== 1) return undefined;
      owner[chunk] = candidates[0];
      owned[candidates[0]]++;
    }
    return owned.every((has) => has === chunks / ranks.length) ? owner : undefined;
  }

  assumed(layout: ChunkLayout): void {
    const { inPlace, ranks, type } = this.#program;
    const first = Array.from({ length: layout.chunks }, (_, chunk) => Math.floor(chunk / layout.part));
    if (type === CollectiveType.allGather && layout.owner.some((owner, chunk) => owner !== first[chunk])) {
      this.#add(
        'PROGRAM_ASSUMED',
        'chunks are not dealt out in blocks: each is taken to begin on the gpu that sends it and never receives it',
      );
    }
    if (inPlace || !layout.inPlace) return;
    const only = ranks.some(({ inputChunks }) => inputChunks > 0) ? 'input' : 'output';
    this.#add('PROGRAM_ASSUMED', `inplace="0", and all gpus have only an ${only} buffer: it is taken for both`);
  }

  #tell(at: number, code: FindingCode, message: string): void {
    this.#add(code, `${this.#steps.label(at)} ${message}`, this.#steps.rank[at]);
  }

  #add(code: FindingCode, message: string, rank?: number): void {
    this.findings.push(finding(code, `${this.#subject}: ${message}`, rank === undefined ? {} : { gpu: rank }));
  }
}

/** Chunks that a user buffer may have beside none; empty where nothing is stated. */
function expectedChunks({ type, chunks, ranks }: ChunkProgram, buffer: 'i' | 'o'): readonly number[] {
  const part = chunks / ranks.length;
  if (type < 0) return [];
  if (type === CollectiveType.allGather) return [buffer === 'i' ? part : chunks];
  if (type === CollectiveType.reduceScatter) return [buffer === 'i' ? chunks : part];
  if (type === CollectiveType.gather && buffer === 'i') return [part, chunks];
  if (type === CollectiveType.scatter && buffer === 'o') return [part, chunks];
  return [chunks];
}
