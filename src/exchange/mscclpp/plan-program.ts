import { finding } from '../../base/catalogue.js';
import { requestError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import { checkProgram, type CheckedProgram } from '../../collectives/programs/check-program.js';
import { largerBuffer } from '../../collectives/programs/program-algorithm.js';
import type { ChunkProgram, ProgramRank } from '../../collectives/programs/program.js';
import { STEP_ACTIONS } from '../../collectives/programs/step-kinds.js';
import { CollectiveType, isRooted } from '../../trace/collective-type.js';
import { threadBlocks, type LooseBlock } from '../msccl/loose-steps.js';
import { COLLECTIVES } from '../msccl/collective-names.js';
import type { Plan } from './plan.js';
import { runPlan, type PlanMessage, type PlanRun } from './run-plan.js';
import { MOST_PIECES, unrollPlan, type UnrolledPlan } from './unroll.js';

/** Names of collectives as plans write them, beside those of MSCCL. */
const TYPES: Readonly<Record<string, number>> = { ...COLLECTIVES, reducescatter: CollectiveType.reduceScatter };

/**
 * A plan as a program of chunks, checked like one of MSCCL: every put, packet and read is a send and a receive.
 *
 * Chunks are cut into pieces where loops or groups of thread blocks work on parts of them. Every pair of thread blocks that exchange
 * messages has channels of its own, on which messages are received in the order in which they are sent; these are thread blocks of the
 * program, numbered behind those of the plan.
 *
 * @param size `comm_size` of the collective, bytes; undefined where it is not known: then each loop has one turn
 * @throws PrepError `PLAN_UNSUPPORTED` where a chunk would have too many pieces
 */
export function planProgram(plan: Plan, file: string, size: number | undefined): CheckedProgram {
  const type = Object.hasOwn(TYPES, plan.collective) ? TYPES[plan.collective] : -1;
  const chunks = Math.max(1, ...plan.gpus.map(({ inputChunks, outputChunks }) => Math.max(inputChunks, outputChunks)));
  const shape = { groupSize: plan.gpus.length, bytes: size ?? 0, root: 0 };
  const unrolled = unrollPlan(plan, size === undefined ? undefined : largerBuffer(type, shape) / chunks);
  if (unrolled === undefined) {
    throw requestError(
      'PLAN_UNSUPPORTED',
      `${file}: loops of the plan cut its chunks into more than ${MOST_PIECES} pieces at ${size ?? 0} bytes`,
      'state a smaller size, or a larger unit_size in the plan',
    );
  }
  const run = runPlan(plan, unrolled);
  const findings = [...assumedFindings(plan, type, unrolled, size), ...run.findings].map((told) => ({
    ...told,
    message: `${file}: ${told.message}`,
  }));
  const ranks = programRanks(plan, unrolled.pieces, run);
  const program = {
    ...{ name: plan.name, type, collective: plan.collective, protocol: plan.protocol, inPlace: plan.inPlace, ranks },
    channels: Math.max(1, ...ranks.flatMap((rank) => rank.threadBlocks.map(({ channel }) => channel + 1))),
    chunks: chunks * unrolled.pieces,
    root: 0,
    others: sizes(plan),
  };
  // What never ends, or was never received, would be told again as other errors.
  if (findings.some(({ severity }) => severity === 'error')) {
    const { steps } = checkProgram({ ...program, ranks: ranks.map((rank) => ({ ...rank, threadBlocks: [] })) }, file);
    return { program, steps, order: new Int32Array(0), chunksSent: [], findings };
  }
  const [root, assumed] = rootOf(program);
  if (assumed !== undefined) findings.push({ ...assumed, message: `${file}: ${assumed.message}` });
  const checked = checkProgram({ ...program, root }, file);
  // Limits are those of the runtimes of MSCCL.
  const further = checked.findings.filter(({ code }) => code !== 'PROGRAM_LIMIT');
  return { ...checked, findings: [...findings, ...further] };
}

function assumedFindings(
  { unknownKeys, collective }: Plan,
  type: number,
  { loops, turns }: UnrolledPlan,
  size: number | undefined,
): Finding[] {
  const findings: Finding[] = [];
  const add = (message: string): void => void findings.push(finding('PROGRAM_ASSUMED', message));
  if (unknownKeys.length > 0) add(`keys that are not known are not used: ${unknownKeys.join(', ')}`);
  if (type < 0 && collective !== 'custom') {
    add(`collective "${collective}" is none that is known; it is taken for custom, of which no result is checked`);
  }
  if (loops > 0 && size === undefined) add('as no size is stated, each loop has one turn over all its chunks');
  else if (turns > 1) add(`loops have up to ${turns} turns, on equal parts of their chunks`);
  return findings;
}

/** minBytes and maxBytes as MSCCL has them. */
function sizes({ leastBytes, mostBytes }: Plan): ReadonlyMap<string, string> {
  const others = new Map<string, string>();
  if (leastBytes !== undefined) others.set('minBytes', String(leastBytes));
  if (mostBytes !== undefined) others.set('maxBytes', String(mostBytes));
  return others;
}

function programRanks({ gpus }: Plan, pieces: number, { local, messages }: PlanRun): ProgramRank[] {
  const blocks = gpus.map((gpu, rank) =>
    gpu.threadBlocks.flatMap(({ id }, at): LooseBlock[] =>
      local[rank][at].length === 0 ? [] : [{ id, send: -1, receive: -1, channel: 0, steps: local[rank][at] }],
    ),
  );
  const next = gpus.map((gpu) => Math.max(-1, ...gpu.threadBlocks.map(({ id }) => id)) + 1);
  const channels = new Map<string, number>(); // by sender and receiver
  for (const lane of lanes(messages)) {
    const { from, to } = lane[0];
    const channel = channels.get(`${from} ${to}`) ?? 0;
    channels.set(`${from} ${to}`, channel + 1);
    blocks[from].push({ id: next[from]++, send: to, receive: -1, channel, steps: lane.map(({ send }) => send) });
    blocks[to].push({ id: next[to]++, send: -1, receive: from, channel, steps: lane.map(({ receive }) => receive) });
  }
  return gpus.map(({ inputChunks, outputChunks, scratchChunks }, rank) => ({
    inputChunks: inputChunks * pieces,
    outputChunks: outputChunks * pieces,
    scratchChunks: scratchChunks * pieces,
    threadBlocks: threadBlocks(blocks[rank]),
  }));
}

/** Messages between two thread blocks in rows that are sent and received in one order: each goes to the first row that it fits. */
function lanes(messages: readonly PlanMessage[]): PlanMessage[][] {
  const rows = new Map<string, PlanMessage[][]>();
  const received = new Map(messages.map((message, at) => [message, at]));
  for (const message of [...messages].sort((a, b) => a.sendOrder - b.sendOrder)) {
    const key = `${message.sender} ${message.from} ${message.receiver}`;
    const known = rows.get(key) ?? [];
    rows.set(key, known);
    const row = known.find((one) => received.get(one.at(-1)!)! < received.get(message)!);
    if (row === undefined) known.push([message]);
    else row.push(message);
  }
  return [...rows.values()].flat();
}

/** The root of a rooted collective, as its steps show it: who sends and never receives, or receives and never sends. */
function rootOf({ type, ranks }: ChunkProgram): [root: number, assumed: Finding | undefined] {
  if (type < 0 || !isRooted(type)) return [0, undefined];
  const isSource = type === CollectiveType.broadcast || type === CollectiveType.scatter;
  const does = ({ threadBlocks: blocks }: ProgramRank, what: 'sends' | 'receives'): boolean =>
    blocks.some(({ steps }) => steps.some(({ kind }) => STEP_ACTIONS[kind][what]));
  const [mustNot, must] = isSource ? (['receives', 'sends'] as const) : (['sends', 'receives'] as const);
  const root = ranks.findIndex((rank) => does(rank, must) && !does(rank, mustNot));
  const why = root < 0 ? 'gpu 0 is taken' : `gpu ${root}, which ${must} and never ${mustNot}, is taken`;
  return [Math.max(0, root), finding('PROGRAM_ASSUMED', `no root is stated; ${why}`)];
}
