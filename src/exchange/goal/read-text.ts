import type { ByteSource } from '../../base/byte-source.js';
import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { GoalLexer, type TextPlace } from './goal-lexer.js';
import { ANY, GoalKind, GoalRankBuilder, MOST_INDICES, type GoalRank, type GoalSchedule } from './schedule.js';

const words = (text: string): Uint8Array => new TextEncoder().encode(text);
const NUM_RANKS = words('num_ranks');
const RANK = words('rank');
const SEND = words('send');
const RECV = words('recv');
const CALC = words('calc');
const REQUIRES = words('requires');
const IREQUIRES = words('irequires');
const BYTES = words('b');
const TO = words('to');
const FROM = words('from');
const TAG = words('tag');
const CPU = words('cpu');
const NIC = words('nic');
const OPEN = 123;
const CLOSE = 125;
const COLON = 58;
/** Partner ranks are int32 in a Chakra trace. */
const MOST_RANKS = 2 ** 31 - 1;

/** Operations of a rank that the text repeated labels for, told once. */
interface Repeated {
  count: number;
  first: string;
  line: number;
}

/**
 * Reads a schedule in GOAL text (exchange-formats 1.1 and 1.2). All of it is read once, so that what is wrong is known; a rank
 * is read again when somebody asks for it, and none is kept. Blanks, comments, `\r\n` and blank lines may stand where
 * the grammar has them, and comments behind an operation too.
 * @param findings takes GOAL_LABEL_REPEATED and GOAL_TRAILING
 * @throws PrepError `GOAL_MALFORMED` with line and column
 */
export function readGoalText(source: ByteSource, findings: Finding[]): GoalSchedule {
  const lexer = new GoalLexer(source);
  lexer.peekPastLines();
  lexer.keyword(NUM_RANKS);
  const rankCount = lexer.integer('the number of ranks', MOST_RANKS);
  if (rankCount === 0) throw lexer.malformed('the schedule has no rank');
  const places: TextPlace[] = [];
  for (let rank = 0; rank < rankCount; rank++) {
    lexer.peekPastLines();
    places.push(lexer.place);
    readRank(lexer, rank, rankCount, (repeated) => findings.push(repeatedLabels(source.name, rank, repeated)));
  }
  if (lexer.peekPastLines() !== -1) {
    const message = `${source.name}: what follows rank ${rankCount - 1}, the last one, is not read: line ${lexer.line} and on`;
    findings.push(finding('GOAL_TRAILING', message, { file: source.name, line: lexer.line }));
  }
  return {
    rankCount,
    rank: (rank) => {
      lexer.goTo(places[rank]);
      return readRank(lexer, rank, rankCount, () => {});
    },
  };
}

function repeatedLabels(file: string, rank: number, { count, first, line }: Repeated): Finding {
  const what = `${counted(count, 'operation')} of rank ${rank} ${count === 1 ? 'has a label' : 'have labels'} that an earlier one has`;
  const rest = 'dependencies on it mean the earlier one';
  return finding('GOAL_LABEL_REPEATED', `${what}, first ${first} in line ${line}; ${rest}`, {
    rank,
    file,
    count,
    line,
  });
}

/** Reads `rank r { … }`. */
function readRank(
  lexer: GoalLexer,
  rank: number,
  rankCount: number,
  onRepeated: (repeated: Repeated) => void,
): GoalRank {
  lexer.peekPastLines();
  lexer.keyword(RANK);
  const number = lexer.integer('the number of the rank', MOST_RANKS);
  if (number !== rank) throw lexer.malformed(`rank ${number} comes where rank ${rank} is expected`);
  lexer.peekPastLines();
  lexer.sign(OPEN);
  const block = new RankBlock(lexer, rank, rankCount);
  while (lexer.peekPastLines() !== CLOSE) block.line();
  lexer.sign(CLOSE);
  if (block.repeated.count > 0) onRepeated(block.repeated);
  return block.builder.finish();
}

class RankBlock {
  readonly builder = new GoalRankBuilder();
  readonly repeated: Repeated = { count: 0, first: '', line: 0 };
  /** Operation of each label; of `l<number>` by its number. */
  readonly #labels = new Map<number | string, number>();
  readonly #lexer: GoalLexer;
  readonly #rank: number;
  readonly #rankCount: number;

  constructor(lexer: GoalLexer, rank: number, rankCount: number) {
    this.#lexer = lexer;
    this.#rank = rank;
    this.#rankCount = rankCount;
  }

  /** Reads an operation or a dependency. */
  line(): void {
    const lexer = this.#lexer;
    lexer.word('an operation, a label or "}"');
    // What the word is shows in the byte behind it: a number follows an operation.
    const kind = this.#kind();
    const next = lexer.peek();
    if (kind !== 0 && next >= 48 && next <= 57) this.#operation(kind);
    else {
      const label = this.#label();
      if (next === COLON) this.#labelled(label);
      else this.#dependency(label);
    }
    lexer.endOfLine();
  }

  #label(): number | string {
    const lexer = this.#lexer;
    return lexer.labelNumber >= 0 ? lexer.labelNumber : lexer.wordText();
  }

  #kind(): number {
    const lexer = this.#lexer;
    if (lexer.isWord(SEND)) return GoalKind.send;
    if (lexer.isWord(RECV)) return GoalKind.receive;
    return lexer.isWord(CALC) ? GoalKind.calc : 0;
  }

  #labelled(label: number | string): void {
    const lexer = this.#lexer;
    const { line } = lexer;
    lexer.sign(COLON);
    lexer.word('send, recv or calc');
    const kind = this.#kind();
    if (kind === 0) throw lexer.malformed(`expected send, recv or calc, found "${lexer.wordText()}"`);
    const operation = this.#operation(kind);
    if (!this.#labels.has(label)) this.#labels.set(label, operation);
    else if (this.repeated.count++ === 0) {
      this.repeated.first = labelText(label);
      this.repeated.line = line;
    }
  }

  #operation(kind: number): number {
    const lexer = this.#lexer;
    if (kind === GoalKind.calc) {
      const nanoseconds = lexer.integer('a time');
      return this.builder.add(kind, 0, nanoseconds, 0, this.#index(CPU), 0);
    }
    const isReceive = kind === GoalKind.receive;
    const bytes = lexer.integer('a size');
    lexer.keyword(BYTES);
    lexer.keyword(isReceive ? FROM : TO);
    const peer = isReceive ? lexer.integerOrAny('a rank', MOST_RANKS, ANY) : lexer.integer('a rank', MOST_RANKS);
    if (peer !== ANY && peer >= this.#rankCount) {
      throw lexer.malformed(`there is no rank ${peer}: the schedule has ranks 0 to ${this.#rankCount - 1}`);
    }
    const tag = this.#has(TAG) ? lexer.integerOrAny('a tag', ANY, ANY) : 0;
    return this.builder.add(kind, peer, bytes, tag, this.#index(CPU), this.#index(NIC));
  }

  /** The number behind `cpu` or `nic`, 0 where it is left out. */
  #index(keyword: Uint8Array): number {
    return this.#has(keyword) ? this.#lexer.integer('an index', MOST_INDICES - 1) : 0;
  }

  /** Takes this word where it is the next one. The words begin with different letters. */
  #has(keyword: Uint8Array): boolean {
    if (this.#lexer.peek() !== keyword[0]) return false;
    this.#lexer.keyword(keyword);
    return true;
  }

  #dependency(label: number | string): void {
    const lexer = this.#lexer;
    const operation = this.#operationOf(label);
    lexer.peek();
    lexer.word('":", requires or irequires');
    const starts = lexer.isWord(IREQUIRES);
    if (!starts && !lexer.isWord(REQUIRES)) {
      throw lexer.malformed(`expected ":", requires or irequires, found "${lexer.wordText()}"`);
    }
    lexer.word('a label');
    const other = this.#operationOf(this.#label());
    if (starts) this.builder.irequire(operation, other);
    else this.builder.require(operation, other);
  }

  #operationOf(label: number | string): number {
    const operation = this.#labels.get(label);
    if (operation !== undefined) return operation;
    throw this.#lexer.malformed(`no operation of rank ${this.#rank} above this line has the label ${labelText(label)}`);
  }
}

function labelText(label: number | string): string {
  return typeof label === 'number' ? `l${label}` : label;
}
