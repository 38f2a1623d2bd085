import type { ByteSource } from '../../base/byte-source.js';
import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { grown } from '../../base/grown.js';
import { GoalLexer, keyword, type Keyword, type TextPlace } from './goal-lexer.js';
import { ANY, GoalKind, GoalRankBuilder, MOST_INDICES, type GoalRank, type GoalSchedule } from './schedule.js';

const NUM_RANKS = keyword('num_ranks');
const RANK = keyword('rank');
const SEND = keyword('send');
const RECV = keyword('recv');
const CALC = keyword('calc');
const REQUIRES = keyword('requires');
const IREQUIRES = keyword('irequires');
const BYTES = keyword('b');
const TO = keyword('to');
const FROM = keyword('from');
const TAG = keyword('tag');
const CPU = keyword('cpu');
const NIC = keyword('nic');
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
  readonly #labels = new Labels();
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
    const { token } = lexer;
    const kind = this.#kind();
    const label = this.#label();
    // What the word is shows in what is behind it: a colon or a word follow a label, everything else an operation.
    const next = lexer.peek();
    if (next === COLON) this.#labelled(label);
    else if (kind === 0 || lexer.isAtWord()) this.#dependency(label, token);
    else this.#operation(kind);
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
    if (this.#labels.define(label, operation)) return;
    if (this.repeated.count++ === 0) {
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
  #index(name: Keyword): number {
    return this.#has(name) ? this.#lexer.integer('an index', MOST_INDICES - 1) : 0;
  }

  /** Takes this word where it is the next one. The words begin with different letters. */
  #has(name: Keyword): boolean {
    if (this.#lexer.peek() !== name.bytes[0]) return false;
    this.#lexer.keyword(name);
    return true;
  }

  #dependency(label: number | string, token: number): void {
    const lexer = this.#lexer;
    const expected = '":", requires or irequires';
    lexer.word(expected);
    const starts = lexer.isWord(IREQUIRES);
    if (!starts && !lexer.isWord(REQUIRES)) throw lexer.malformed(`expected ${expected}, found "${lexer.wordText()}"`);
    const operation = this.#operationOf(label, token);
    lexer.word('a label');
    const other = this.#operationOf(this.#label());
    if (starts) this.builder.irequire(operation, other);
    else this.builder.require(operation, other);
  }

  #operationOf(label: number | string, token = this.#lexer.token): number {
    const operation = this.#labels.operation(label);
    if (operation >= 0) return operation;
    const message = `no operation of rank ${this.#rank} above this line has the label ${labelText(label)}`;
    throw this.#lexer.malformed(message, token);
  }
}

/** Numbers of labels that have a place in a table: so many times the labels, and some. */
const TABLE_PER_LABEL = 8;
const TABLE_LEAST = 1 << 12;

/** Operations by label; of `l<number>` by the number, in a table where these are close together. */
class Labels {
  #count = 0;
  #table = new Int32Array(TABLE_LEAST); // by number: operation + 1, 0 for none
  readonly #others = new Map<number | string, number>();

  /** Whether the label is new; then it is the operation's. */
  define(label: number | string, operation: number): boolean {
    if (this.operation(label) >= 0) return false;
    this.#count++;
    if (typeof label === 'number' && label < TABLE_LEAST + TABLE_PER_LABEL * this.#count) {
      if (label >= this.#table.length) this.#table = grown(this.#table, 2 * label);
      this.#table[label] = operation + 1;
    } else this.#others.set(label, operation);
    return true;
  }

  /** −1 where there is none. */
  operation(label: number | string): number {
    const known = typeof label === 'number' && label < this.#table.length ? this.#table[label] - 1 : -1;
    return known >= 0 || this.#others.size === 0 ? known : (this.#others.get(label) ?? -1);
  }
}

function labelText(label: number | string): string {
  return typeof label === 'number' ? `l${label}` : label;
}
