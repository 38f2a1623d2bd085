import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { addedUp, contentsText, sameContents, SPOILED, type Contents } from './chunk-contents.js';
import type { ChunkLayout } from './chunk-layout.js';
import type { ChunkPlace, ChunkProgram } from './program.js';
import type { ProgramSteps } from './program-steps.js';
import { STEP_ACTIONS } from './step-kinds.js';
import { StepRaces } from './step-races.js';

/** What a symbolic execution shows. */
export interface Execution {
  readonly findings: readonly Finding[];
  /** [steps] of a step that sends: the chunk of the larger buffer that each of its chunks is a part of. */
  readonly chunksSent: readonly (Int32Array | undefined)[];
}

/**
 * Runs a program on contributions instead of numbers (exchange-formats 4.3): what each chunk holds is the set of input chunks that
 * were added up to it. Told are a step that uses what holds nothing, a contribution that would count twice, steps without an order
 * that touch one place, and at the end each chunk that is not what the collective has to give.
 *
 * @param order all steps, each after those it waits for
 * @param subject name of the program, for messages
 */
export function executeProgram(
  program: ChunkProgram,
  steps: ProgramSteps,
  layout: ChunkLayout,
  order: Int32Array,
  subject: string,
): Execution {
  return new Executing(program, steps, layout, order, subject).run();
}

class Executing {
  readonly #program: ChunkProgram;
  readonly #steps: ProgramSteps;
  readonly #layout: ChunkLayout;
  readonly #order: Int32Array;
  readonly #subject: string;
  readonly #memory: Contents[][]; // by rank and location
  readonly #writer: Int32Array[]; // by rank and location: step that wrote last, −1 for none
  readonly #messages: (readonly Contents[] | undefined)[]; // by sending step
  readonly #races: StepRaces;
  readonly #findings: Finding[] = [];
  /** Step whose contents were told to be wrong last: once a step is enough. */
  #told = -1;

  constructor(program: ChunkProgram, steps: ProgramSteps, layout: ChunkLayout, order: Int32Array, subject: string) {
    this.#program = program;
    this.#steps = steps;
    this.#layout = layout;
    this.#order = order;
    this.#subject = subject;
    const locations = program.ranks.map((_, rank) => layout.locations(rank));
    this.#memory = locations.map((count) => new Array<Contents>(count).fill(undefined));
    this.#writer = locations.map((count) => new Int32Array(count).fill(-1));
    this.#messages = new Array<undefined>(steps.count).fill(undefined);
    this.#races = new StepRaces(steps, locations, order);
    for (const [rank, memory] of this.#memory.entries()) {
      layout.initial(rank, (location, contribution) => {
        memory[location] = Int32Array.of(contribution);
      });
    }
  }

  run(): Execution {
    for (const at of this.#order) this.#execute(at);
    this.#tellRaces();
    const spoiled = this.#findings.length > 0;
    const chunksSent = this.#messages.map((message) => message && this.#chunksOf(message));
    this.#compare(spoiled);
    if (this.#program.type < 0) this.#tellCustom();
    return { findings: this.#findings, chunksSent };
  }

  #execute(at: number): void {
    const { step, rank, sentBy } = this.#steps;
    const { kind, source, destination, count } = step[at];
    const { receives, reads, reduces, writes, sends } = STEP_ACTIONS[kind];
    if (kind === 'nop') return;
    const memory = this.#memory[rank[at]];
    const message = receives ? this.#messages[sentBy[at]]! : undefined;
    const sent: Contents[] = [];
    // All is read before anything is written, as a step may move a row of chunks onto itself.
    const results: Contents[] = [];
    for (let chunk = 0; chunk < count; chunk++) {
      let value = message?.[chunk];
      if (reads) {
        const from = this.#location(at, source!, chunk);
        const read = this.#demandKnown(at, memory[from], from, sends && !reduces ? 'sends' : 'reads');
        this.#races.reads(at, from);
        if (!reduces) value = read;
        else if (kind !== 're') value = this.#sum(at, value!, read, from);
        else {
          const to = this.#location(at, destination!, chunk);
          this.#races.reads(at, to);
          value = this.#sum(at, this.#demandKnown(at, memory[to], to, 'adds to'), read, to);
        }
      }
      results.push(value);
      if (sends) sent.push(value);
    }
    if (writes) {
      for (let chunk = 0; chunk < count; chunk++) {
        const to = this.#location(at, destination!, chunk);
        this.#races.writes(at, to);
        memory[to] = results[chunk];
        this.#writer[rank[at]][to] = at;
      }
    }
    if (sends) this.#messages[at] = sent;
  }

  #location(at: number, place: ChunkPlace, chunk: number): number {
    return this.#layout.location(this.#steps.rank[at], place, chunk);
  }

  #demandKnown(at: number, contents: Contents, location: number, does: string): Int32Array {
    if (contents !== undefined) return contents;
    const name = this.#layout.locationName(location);
    this.#tellContents(at, `${does} ${name}, which holds nothing yet`);
    return SPOILED;
  }

  #sum(at: number, left: Int32Array, right: Int32Array, location: number): Int32Array {
    if (left === SPOILED || right === SPOILED) return SPOILED;
    const sum = addedUp(left, right);
    if (sum instanceof Int32Array) return sum;
    const { chunks } = this.#layout;
    const twice = contentsText(Int32Array.of(sum.twice), chunks);
    const name = this.#layout.locationName(location);
    this.#tellContents(
      at,
      `adds ${contentsText(left, chunks)} and ${contentsText(right, chunks)} at ${name}; ${twice} would count twice`,
    );
    return SPOILED;
  }

  #tellContents(at: number, message: string): void {
    if (this.#told === at) return;
    this.#told = at;
    this.#add('PROGRAM_CONTENT', `${this.#steps.label(at)} ${message}`, { gpu: this.#steps.rank[at] });
  }

  #tellRaces(): void {
    const { found } = this.#races;
    if (found.length === 0) return;
    const [{ first, second, location, firstWrites, secondWrites }] = found;
    const rank = this.#steps.rank[first];
    const does = (writes: boolean): string => (writes ? 'writes' : 'reads');
    const more = found.length === 1 ? '' : ` (and ${counted(found.length - 1, 'more pair')})`;
    this.#add(
      'PROGRAM_RACE',
      `${this.#steps.label(first)} ${does(firstWrites)} ${this.#layout.locationName(location)} and ` +
        `${this.#steps.label(second)} ${does(secondWrites)} it, and neither waits for the other${more}`,
      { gpu: rank, ...(found.length > 1 && { count: found.length }) },
    );
  }

  /** Told once: the first chunk that is wrong, and how many are. */
  #compare(spoiled: boolean): void {
    const { chunks } = this.#layout;
    let first: { message: string; rank: number } | undefined;
    let wrong = 0;
    for (let rank = 0; rank < this.#program.ranks.length; rank++) {
      this.#layout.expected(rank, (location, expected) => {
        const holds = this.#memory[rank][location];
        if (sameContents(holds, expected) || (spoiled && holds === SPOILED)) return;
        wrong++;
        if (first !== undefined) return;
        const writer = this.#writer[rank][location];
        const by = writer < 0 ? 'no step writes it' : `written last by ${this.#steps.label(writer)}`;
        const message =
          `gpu ${rank} ${this.#layout.locationName(location)} ends with ${contentsText(holds, chunks)}, ` +
          `expected ${contentsText(expected, chunks)}; ${by}`;
        first = { message, rank };
      });
    }
    if (first === undefined) return;
    const more = wrong === 1 ? '' : ` (and ${counted(wrong - 1, 'more chunk')})`;
    const { message, rank } = first as { message: string; rank: number };
    this.#add('PROGRAM_RESULT', message + more, { gpu: rank, ...(wrong > 1 && { count: wrong }) });
  }

  #tellCustom(): void {
    this.#add(
      'PROGRAM_CUSTOM',
      `coll="${this.#program.collective}" states no result; only that chunks are there when they are used, and counted once, is checked`,
      {},
    );
  }

  #chunksOf(message: readonly Contents[]): Int32Array {
    return Int32Array.from(message, (contents) =>
      contents === undefined || contents.length === 0 ? 0 : contents[0] % this.#layout.chunks,
    );
  }

  #add(
    code: 'PROGRAM_CONTENT' | 'PROGRAM_RACE' | 'PROGRAM_RESULT' | 'PROGRAM_CUSTOM',
    message: string,
    facts: Partial<Finding>,
  ): void {
    this.#findings.push(finding(code, `${this.#subject}: ${message}`, facts));
  }
}
