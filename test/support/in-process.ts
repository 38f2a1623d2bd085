import { PassThrough, Readable } from 'node:stream';
import { main } from '../../src/cli/main.js';
import type { Io } from '../../src/cli/io.js';
import { shell, type Ran } from './command-line.js';

/** What a test lends a command run in this process. */
export interface Lent {
  readonly stdin?: Uint8Array;
  /** Whether stderr is a terminal. */
  readonly terminal?: boolean;
  /** Whether stdout is. */
  readonly stdoutTerminal?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether stderr is what stdout is, as with `2>&1` in a shell. */
  readonly together?: boolean;
}

export interface RanHere extends Ran {
  readonly bytes: Buffer;
}

/** Runs the command line in this process, which is quicker than starting the program. */
export async function runHere(
  words: readonly string[],
  { stdin, terminal = false, stdoutTerminal = false, env = {}, together = false }: Lent = {},
): Promise<RanHere> {
  const stdout = collected();
  const stderr = together ? stdout : collected();
  const io: Io = {
    stdin: Readable.from(stdin === undefined ? [] : [stdin]),
    stdout: Object.assign(stdout.stream, { isTTY: stdoutTerminal }),
    stderr: together ? stdout.stream : Object.assign(stderr.stream, { isTTY: terminal }),
    env,
  };
  const status = await main(words, io);
  const bytes = stdout.bytes();
  return { status, bytes, stdout: bytes.toString('utf8'), stderr: stderr.bytes().toString('utf8') };
}

/** The same in `folder`. */
export async function runIn(folder: string, words: readonly string[], lent: Lent = {}): Promise<RanHere> {
  const home = process.cwd();
  process.chdir(folder);
  try {
    return await runHere(words, lent);
  } finally {
    process.chdir(home);
  }
}

/** Runs a command line in `folder`, in this process where it needs no shell. */
export function runLine(line: string, folder: string): Promise<Ran> | Ran {
  const words = wordsWithoutShell(line);
  return words === undefined ? shell(line, folder) : runIn(folder, words);
}

/** The words of a command line of the program where it means the same without a shell; `undefined` for any other line. */
export function wordsWithoutShell(line: string): readonly string[] | undefined {
  const [program, ...words] = line.split(' ');
  return program === 'chakra-prep' && words.every((word) => /^[\w./:,=@%+-]+$/.test(word)) ? words : undefined;
}

function collected(): { stream: PassThrough; bytes: () => Buffer } {
  const chunks: Buffer[] = [];
  const stream = new PassThrough();
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return { stream, bytes: () => Buffer.concat(chunks) };
}
