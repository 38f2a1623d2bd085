import type { ChunkPlace, ChunkProgram, ProgramStep, ThreadBlock } from '../../collectives/programs/program.js';
import { ProgramSteps } from '../../collectives/programs/program-steps.js';
import { STEP_ACTIONS } from '../../collectives/programs/step-kinds.js';
import { isRooted } from '../../trace/collective-type.js';

/**
 * An MSCCL XML program with all attributes (exchange-formats 4.1), one element a line. The remote place of a plain send or receive
 * is that of the step at the other end. Read again it is the same program.
 */
export function writeMsccl(program: ChunkProgram): string {
  const { name, protocol, channels, chunks, ranks, collective, inPlace, root, type, others } = program;
  const steps = new ProgramSteps(program);
  steps.connections();
  const attributes: readonly (readonly [string, string | number])[] = [
    ['name', name],
    ['proto', protocol],
    ['nchannels', channels],
    ['nchunksperloop', chunks],
    ['ngpus', ranks.length],
    ['coll', collective],
    ['inplace', Number(inPlace)],
    ...(type >= 0 && isRooted(type) ? [['root', root] as const] : []),
    ...others,
  ];
  const lines = [`<algo${text(attributes)}>`];
  for (const [rank, { inputChunks, outputChunks, scratchChunks, threadBlocks }] of ranks.entries()) {
    const buffers = [
      ['i_chunks', inputChunks],
      ['o_chunks', outputChunks],
      ['s_chunks', scratchChunks],
    ] as const;
    lines.push(`  <gpu${text([['id', rank], ...buffers])}>`);
    for (const [own, block] of threadBlocks.entries()) {
      lines.push(`    <tb${text(blockAttributes(block))}>`);
      const first = steps.blockStart[steps.rankStart[rank] + own];
      for (const [s, step] of block.steps.entries())
        lines.push(`      <step${text(stepAttributes(step, s, steps, first + s))}/>`);
      lines.push('    </tb>');
    }
    lines.push('  </gpu>');
  }
  lines.push('</algo>');
  return `${lines.join('\n')}\n`;
}

function blockAttributes({ id, send, receive, channel }: ThreadBlock): readonly (readonly [string, number])[] {
  return [
    ['id', id],
    ['send', send],
    ['recv', receive],
    ['chan', channel],
  ];
}

function stepAttributes(
  { kind, source, destination, count, after, hasDependent }: ProgramStep,
  s: number,
  steps: ProgramSteps,
  at: number,
): readonly (readonly [string, string | number])[] {
  const { reads, writes, sends, receives } = STEP_ACTIONS[kind];
  const sender = receives ? steps.step[steps.sentBy[at]] : undefined;
  const receiver = sends ? steps.step[steps.receivedBy[at]] : undefined;
  const local = { source: reads ? source : undefined, destination: writes ? destination : undefined };
  const from = local.source ?? (sender && placeOf(sender, 'reads')) ?? source ?? local.destination;
  const to = local.destination ?? (receiver && placeOf(receiver, 'writes')) ?? destination ?? local.source;
  const none: Partial<ChunkPlace> = { offset: -1 };
  const [src, dst] = kind === 'nop' ? [none, none] : [from ?? none, to ?? none];
  return [
    ['s', s],
    ['type', kind],
    ['srcbuf', src.buffer ?? 'i'],
    ['srcoff', src.offset ?? -1],
    ['dstbuf', dst.buffer ?? 'o'],
    ['dstoff', dst.offset ?? -1],
    ['cnt', count],
    ['depid', after?.threadBlock ?? -1],
    ['deps', after?.step ?? -1],
    ['hasdep', Number(hasDependent)],
  ];
}

/** What the other end of a message reads, or writes. */
function placeOf({ kind, source, destination }: ProgramStep, does: 'reads' | 'writes'): ChunkPlace | undefined {
  const action = STEP_ACTIONS[kind];
  if (does === 'reads') return action.reads ? source : destination;
  return action.writes ? destination : source;
}

function text(attributes: readonly (readonly [string, string | number])[]): string {
  return attributes.map(([name, value]) => ` ${name}="${escaped(String(value))}"`).join('');
}

function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;');
}
