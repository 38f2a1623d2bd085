import { finding } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import type {
  ChunkPlace,
  ChunkProgram,
  ProgramRank,
  ProgramStep,
  StepKind,
  ThreadBlock,
} from '../../collectives/programs/program.js';
import { STEP_ACTIONS, STEP_KINDS } from '../../collectives/programs/step-kinds.js';
import { CollectiveType, isRooted } from '../../trace/collective-type.js';
import { COLLECTIVES } from './collective-names.js';
import { parseElements, type MscclElement } from './msccl-elements.js';

/** A program that was read, and what was taken for what its file leaves out. */
export interface ReadProgram {
  readonly program: ChunkProgram;
  readonly findings: readonly Finding[];
}

/** Attributes of `algo` that are read; all others are kept as they are. */
const READ = new Set(['name', 'proto', 'nchannels', 'nchunksperloop', 'ngpus', 'coll', 'inplace', 'root']);

/**
 * Reads an MSCCL XML program (exchange-formats 4.1): with `step` and `s`, two buffers a step and all attributes, or with `op` and
 * `step`, one buffer a step and defaults left out. Whether the program is sound is for `checkProgram`.
 *
 * @param file for messages
 * @throws PrepError `MSCCL_MALFORMED` with file, line and column
 */
export function readMsccl(text: string, file: string): ReadProgram {
  const algo = parseElements(text, file);
  if (algo.name !== 'algo') throw algo.error(`<${algo.name}>, expected <algo>`);
  algo.demandChildren('gpu');
  const findings: Finding[] = [];
  const collective = algo.demandText('coll');
  const type = Object.hasOwn(COLLECTIVES, collective) ? COLLECTIVES[collective] : undefined;
  if (type === undefined) {
    throw algo.error(`coll="${collective}", expected one of ${Object.keys(COLLECTIVES).join(', ')}`);
  }
  const ranks = readRanks(algo);
  const channels = Math.max(0, ...ranks.flatMap(({ threadBlocks }) => threadBlocks.map(({ channel }) => channel + 1)));
  const program: ChunkProgram = {
    name: algo.text('name') ?? '',
    type,
    collective,
    protocol: algo.text('proto') ?? 'Simple',
    channels: algo.integer('nchannels', 0, channels),
    chunks: algo.integer('nchunksperloop', 1, chunksOf(algo, ranks, findings)),
    inPlace: algo.integer('inplace', 0, 0) !== 0,
    root: 0,
    others: new Map(Object.entries(algo.attributes).filter(([name]) => !READ.has(name))),
    ranks,
  };
  return { program: { ...program, root: rootOf(algo, program, findings) }, findings };
}

function readRanks(algo: MscclElement): ProgramRank[] {
  const count = algo.integer('ngpus', 1, algo.children.length);
  const ranks: (ProgramRank | undefined)[] = new Array<undefined>(count).fill(undefined);
  for (const gpu of algo.children) {
    gpu.demandChildren('tb');
    const id = gpu.integer('id', 0);
    if (id >= count) throw gpu.error(`<gpu> has id="${id}", expected 0 to ${count - 1} as ngpus says`);
    if (ranks[id] !== undefined) throw gpu.error(`<gpu> id="${id}" is there twice`);
    ranks[id] = {
      inputChunks: gpu.integer('i_chunks', 0, 0),
      outputChunks: gpu.integer('o_chunks', 0, 0),
      scratchChunks: gpu.integer('s_chunks', 0, 0),
      threadBlocks: gpu.children.map(readThreadBlock),
    };
  }
  const missing = ranks.indexOf(undefined);
  if (missing < 0) return ranks as ProgramRank[];
  throw algo.error(`<gpu> id="${missing}" is missing, expected ids 0 to ${count - 1} as ngpus says`);
}

function readThreadBlock(tb: MscclElement): ThreadBlock {
  tb.demandChildren('step', 'op');
  return {
    id: tb.integer('id', 0),
    send: tb.integer('send', -1, -1),
    receive: tb.integer('recv', -1, -1),
    channel: tb.integer('chan', 0, 0),
    steps: tb.children.map(readStep),
  };
}

function readStep(element: MscclElement, place: number): ProgramStep {
  element.demandChildren();
  const name = element.name === 'step' ? 's' : 'step';
  const s = element.integer(name, 0);
  if (s !== place)
    throw element.error(`<${element.name}> has ${name}="${s}", expected ${place}: steps count from 0 without gaps`);
  const stated = element.demandText('type');
  const kind = STEP_KINDS.find((known) => known === stated);
  if (kind === undefined) throw element.error(`type="${stated}", expected one of ${STEP_KINDS.join(', ')}`);
  const threadBlock = element.integer('depid', -1, -1);
  const step = element.integer('deps', -1, -1);
  if (threadBlock < 0 !== step < 0) {
    throw element.error(
      `depid="${threadBlock}" and deps="${step}", expected a thread block and a step, or -1 for both`,
    );
  }
  return {
    kind,
    ...readOperands(element, kind),
    count: element.integer('cnt', 0, kind === 'nop' ? 0 : 1),
    after: threadBlock < 0 ? undefined : { threadBlock, step },
    hasDependent: element.integer('hasdep', 0, 0) !== 0,
    line: element.place.line,
  };
}

/** With one buffer a step it is what the step reads or writes here; with two, one of them may be that of another rank. */
function readOperands(element: MscclElement, kind: StepKind): Pick<ProgramStep, 'source' | 'destination'> {
  const { receives, reads, writes } = STEP_ACTIONS[kind];
  if (kind === 'nop') return { source: undefined, destination: undefined };
  const one = readPlace(element, 'buf', 'off');
  if (one !== undefined) {
    if (reads && writes && !receives) {
      throw element.error(`a step of type ${kind} has buf and off alone, expected a source and a destination`);
    }
    return { source: reads ? one : undefined, destination: writes ? one : undefined };
  }
  const source = readPlace(element, 'srcbuf', 'srcoff');
  const destination = readPlace(element, 'dstbuf', 'dstoff');
  // A step that adds what it receives usually writes where it reads, and may name the place once.
  const other = receives && reads && writes ? (source ?? destination) : undefined;
  const operands = { source: source ?? other, destination: destination ?? other };
  if (reads && operands.source === undefined) throw element.error(`a step of type ${kind} names no source`);
  if (writes && operands.destination === undefined) throw element.error(`a step of type ${kind} names no destination`);
  return operands;
}

function readPlace(element: MscclElement, buffer: string, offset: string): ChunkPlace | undefined {
  const name = element.text(buffer);
  const at = element.integer(offset, -1, -1);
  if (name === undefined || at < 0) return undefined;
  if (name === 'i' || name === 'o' || name === 's') return { buffer: name, offset: at };
  throw element.error(`${buffer}="${name}", expected i, o or s`);
}

/** Chunks of the larger user buffer, for a file that leaves them out. */
function chunksOf(algo: MscclElement, ranks: readonly ProgramRank[], findings: Finding[]): number {
  const largest = Math.max(1, ...ranks.map(({ inputChunks, outputChunks }) => Math.max(inputChunks, outputChunks)));
  if (algo.text('nchunksperloop') === undefined) {
    findings.push(assumed(algo, `no nchunksperloop; ${largest}, the chunks of the largest buffer, is taken`));
  }
  return largest;
}

/** The root that the file states, or that the steps show: who sends and never receives, or receives and never sends. */
function rootOf(algo: MscclElement, { type, ranks }: ChunkProgram, findings: Finding[]): number {
  if (type < 0 || !isRooted(type)) return 0;
  const stated = algo.integer('root', 0, -1);
  if (stated >= ranks.length) throw algo.error(`root="${stated}", expected 0 to ${ranks.length - 1}`);
  if (stated >= 0) return stated;
  const isSource = type === CollectiveType.broadcast || type === CollectiveType.scatter;
  const does = ({ threadBlocks }: ProgramRank, what: 'sends' | 'receives'): boolean =>
    threadBlocks.some(({ steps }) => steps.some(({ kind }) => STEP_ACTIONS[kind][what]));
  const candidates = ranks
    .map((rank, at) => ({ rank, at }))
    .filter(({ rank }) => !does(rank, isSource ? 'receives' : 'sends') && does(rank, isSource ? 'sends' : 'receives'))
    .map(({ at }) => at);
  const root = candidates.length === 1 ? candidates[0] : 0;
  const why =
    candidates.length === 1
      ? `gpu ${root}, which ${isSource ? 'sends and never receives' : 'receives and never sends'}, is taken`
      : 'gpu 0 is taken';
  findings.push(assumed(algo, `no root is stated; ${why}`));
  return root;
}

function assumed({ file, place }: MscclElement, message: string): Finding {
  return finding('PROGRAM_ASSUMED', `${file}:${place.line}: ${message}`);
}
