import yargs, { type Argv } from 'yargs';
import { CATALOGUE, type FindingCode } from '../base/catalogue.js';
import { EXIT, PrepError, requestError, type ExitStatus } from '../base/errors.js';
import { countFindings } from '../base/finding.js';
import { packageFacts } from '../base/package.js';
import { DEFAULT_MAX_WARNINGS } from '../config/run-options.js';
import type { Call, Command, Flags } from './command.js';
import { COMMANDS } from './commands.js';
import { LOG_LEVELS, Printer, type Io, type LogLevel } from './io.js';
import { COMMON_OPTIONS, EVERYWHERE } from './options.js';
import { printFindings } from './print-findings.js';

/** What the parser of the command line says, in the words of the other messages. */
const PARSER_MESSAGES = {
  'Unknown argument: %s': { one: 'unknown option: %s', other: 'unknown options: %s' },
  'Not enough arguments following: %s': 'option %s needs a value',
  'Invalid values:': 'wrong value:',
  'Argument: %s, Given: %s, Choices: %s': 'option %s is %s, expected one of %s',
};

const PARSING = {
  'camel-case-expansion': false,
  'duplicate-arguments-array': true, // all of an option that is a list; of any other the last one counts
  'greedy-arrays': false,
  'parse-positional-numbers': false,
};

/**
 * The command line as a function.
 * @param argv words after the program's name
 * @returns the exit status of design section 2
 */
export async function main(argv: readonly string[], io: Io): Promise<ExitStatus> {
  let printer = new Printer(io, 'note', true);
  let json = argv.includes('--json');
  // Run after parsing: where a handler is asynchronous the parser formats the whole help text, for messages of its own.
  let run: (() => Promise<ExitStatus>) | undefined;
  try {
    demandKnownCommand(argv);
    const parser = commandLine(argv);
    for (const command of COMMANDS) {
      // The words behind the name are not declared to the parser: it keeps only the last of several, and no `-`.
      parser.command(
        command.name,
        command.summary,
        (known) => describe(known, command),
        (parsed) => {
          run = async () => {
            const { words, given } = await wordsAndFlags(parsed, command);
            const { flags, findings } = await withConfig(lastGiven(given, command));
            json = flags.json === true;
            printer = new Printer(io, logLevel(flags), flags.color !== false, maxWarnings(flags));
            return command.run({ inputs: demandWords(words, command), flags, findings, io, printer });
          };
        },
      );
    }
    let output = '';
    await parser.parseAsync([...argv], {}, (_error: unknown, _argv: unknown, text: string) => {
      output = text;
    });
    if (output !== '') io.stdout.write(`${output}\n`);
    else if (run === undefined) throw noCommand();
    return (await run?.()) ?? EXIT.done;
  } catch (error) {
    return report(error, printer, json);
  }
}

function commandLine(argv: readonly string[]): Argv {
  const [word] = argv;
  const help = COMMANDS.some(({ name }) => name === word) ? `chakra-prep ${word} --help` : 'chakra-prep --help';
  return yargs([...argv])
    .scriptName('chakra-prep')
    .usage('$0 <command>\n\nPrepares Chakra execution traces for simulation, checks them, and replays them.')
    .epilogue('chakra-prep <command> --help tells what a command reads, writes and can be told.')
    .version(packageFacts().version)
    .options(COMMON_OPTIONS)
    .group(['help', 'version'], EVERYWHERE)
    .strictOptions()
    .wrap(110)
    .help()
    .locale('en')
    .updateStrings(PARSER_MESSAGES as unknown as Record<string, string>)
    .parserConfiguration(PARSING)
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message: string, error: Error | undefined) => {
      // The parser throws its own error for an option without a value, and calls back for the rest.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw requestError('USAGE', oneLine(error?.message ?? message), `${help} lists the options`);
    });
}

function describe(parser: Argv, { name, usage, help, options, examples }: Command): Argv {
  const input = usage.startsWith('<in..>')
    ? '\n\n<in..> is a folder, a glob, a prefix (path/job for path/job.0.et, path/job.1.et …), a list of files, or - for ' +
      'one rank on stdin.'
    : '';
  // Their heading comes first when they are named first.
  const own = Object.keys(options).filter((option) => options[option].group === undefined);
  const lines = examples.flatMap(([words, does]) => [`  # ${does}`, `  chakra-prep ${words}`]);
  return parser
    .usage(`chakra-prep ${name} ${usage}\n\n${oneLine(help)}${input}`)
    .group(own, 'Options:')
    .options(options)
    .epilogue(['Examples:', ...lines].join('\n'));
}

/** The words behind the command and the flags that are given. */
async function wordsAndFlags(
  parsed: Record<string, unknown>,
  command: Command,
): Promise<{ words: readonly string[]; given: Flags }> {
  const words = (parsed._ as (string | number)[]).slice(1).map(String);
  const given = Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined));
  return command.sortWords === undefined ? { words, given } : command.sortWords(words, given);
}

/** The words, as many as the usage has places for; any number where it says that they may be left out. */
function demandWords(words: readonly string[], { name, usage }: Command): readonly string[] {
  if (usage.startsWith('[')) return words;
  const [places] = /^<[^>]*>(?: <[^>]*>)*/.exec(usage)!;
  const wanted = places.split(/(?<=>) /);
  if (words.length < wanted.length) {
    const missing = wanted[words.length];
    throw requestError('USAGE', `${name}: ${missing} is missing`, `chakra-prep ${name} --help says what it stands for`);
  }
  if (words.length > wanted.length && !places.includes('..')) {
    throw requestError(
      'USAGE',
      `${name}: ${words.length} words, expected ${wanted.length === 1 ? 'one ' : ''}${places}`,
    );
  }
  return words;
}

function demandKnownCommand([word]: readonly string[]): void {
  if (word === undefined || word.startsWith('-') || COMMANDS.some(({ name }) => name === word)) return;
  throw requestError('COMMAND_UNKNOWN', `unknown command: ${word}, expected one of ${commandNames()}`);
}

function noCommand(): PrepError {
  return requestError('USAGE', `no command, expected one of ${commandNames()}`, 'chakra-prep --help says what they do');
}

function commandNames(): string {
  return COMMANDS.map(({ name }) => name).join(', ');
}

/** What was given more than once counts once, the last, unless the option is a list. */
function lastGiven(parsed: Flags, { options }: Command): Flags {
  const entries = Object.entries(parsed).map(([name, value]) => {
    const single = name !== '_' && options[name]?.type !== 'array' && Array.isArray(value);
    return [name, single ? (value as unknown[]).at(-1) : value] as const;
  });
  return Object.fromEntries(entries);
}

/** Flags of the command line over those of `--config` and `--set`. */
async function withConfig({ set, ...given }: Flags): Promise<Pick<Call, 'flags' | 'findings'>> {
  if (typeof given.config !== 'string' && set === undefined) return { flags: given, findings: [] };
  const { readRunConfig } = await import('../config/run-config.js');
  const words = [set ?? []].flat().map(String);
  const { flags, findings } = readRunConfig(given.config as string | undefined, { words, given });
  // Assumptions of the file come first; of what contradicts, the last counts.
  const assume = [flags.assume, given.assume].flat().filter((value) => value !== undefined);
  return { flags: { ...flags, ...given, ...(assume.length === 0 ? {} : { assume }) }, findings };
}

function logLevel(flags: Flags): LogLevel {
  if (flags.quiet === true) return 'error';
  const level = (flags['log-level'] ?? 'note') as LogLevel;
  return LOG_LEVELS.includes(level) ? level : 'note';
}

/** Warnings logged at most. */
function maxWarnings(flags: Flags): number {
  return typeof flags.maxWarnings === 'number' ? flags.maxWarnings : DEFAULT_MAX_WARNINGS;
}

/** Says why a command stopped: to a person on stderr, and with `--json` as its one document on stdout. */
async function report(error: unknown, printer: Printer, json: boolean): Promise<ExitStatus> {
  const known = error instanceof PrepError;
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const stop = known
    ? error
    : new PrepError('INTERNAL', EXIT.ourFault, `a fault of chakra-prep, not of the traces: ${fault}`);
  const { code, exitStatus, message, findings } = stop;
  const said = findings.some((finding) => finding.code === code);
  // Where the code of a finding stops a command, its usual advice stands in for one that knows more.
  const advice = stop.advice ?? (said ? undefined : CATALOGUE[code as FindingCode]?.advice);
  printFindings(findings, printer);
  const [line, ...more] = known ? [message] : message.split('\n');
  printer.sayFound('error', `${code}: ${line}`);
  for (const further of more) printer.say(further, 'error');
  if (advice !== undefined) printer.say(`  advice: ${advice}`, 'error');
  if (json) {
    const { errors, warnings } = countFindings(findings);
    const document = { schema: 'chakra-prep/error/1', code, exitStatus, message, advice, errors, warnings, findings };
    await printer.data(`${JSON.stringify(document)}\n`);
  }
  return exitStatus;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}
