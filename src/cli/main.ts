import { readFileSync } from 'node:fs';
import yargs from 'yargs';
import { EXIT, PrepError, requestError, type ExitStatus } from '../base/errors.js';
import type { Command, Flags } from './command.js';
import { COMMANDS } from './commands.js';
import { LOG_LEVELS, Printer, type Io, type LogLevel } from './io.js';
import { COMMON_OPTIONS } from './options.js';
import { printFindings } from './print-findings.js';

const PACKAGE = new URL('../../../package.json', import.meta.url);

/**
 * The command line as a function.
 * @param argv words after the program's name
 * @returns the exit status of design section 2
 */
export async function main(argv: readonly string[], io: Io): Promise<ExitStatus> {
  let printer = new Printer(io, 'note', true);
  let status: ExitStatus = EXIT.done;
  try {
    demandKnownCommand(argv);
    const parser = yargs([...argv])
      .scriptName('chakra-prep')
      .usage('$0 <command>\n\nPrepares Chakra execution traces for simulation, checks them, and replays them.')
      .version((JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version)
      .strict()
      .demandCommand(1, 'no command given')
      .options(COMMON_OPTIONS)
      .wrap(110)
      .help()
      .parserConfiguration({ 'duplicate-arguments-array': false, 'parse-positional-numbers': false })
      .exitProcess(false)
      .showHelpOnFail(false)
      .fail((message: string, error: Error | undefined) => {
        throw (
          error ??
          requestError(
            'USAGE',
            message,
            'chakra-prep --help lists the commands, chakra-prep <command> --help its options',
          )
        );
      });
    for (const command of COMMANDS) {
      parser.command(
        `${command.name} ${/<[a-z.]+>/.exec(command.usage)?.[0] ?? ''}`,
        command.summary,
        (known) => describe(known, command),
        async (parsed) => {
          const flags = await withConfig(parsed);
          printer = new Printer(io, logLevel(flags), flags.color !== false);
          const inputs = ((flags.in ?? []) as (string | number)[]).map(String);
          status = await command.run({ inputs, flags, io, printer });
        },
      );
    }
    let output = '';
    await parser.parseAsync([...argv], {}, (_error: unknown, _argv: unknown, text: string) => {
      output = text;
    });
    if (output !== '') io.stdout.write(`${output}\n`);
    return status;
  } catch (error) {
    return report(error, printer);
  }
}

function describe(parser: ReturnType<typeof yargs>, command: Command): ReturnType<typeof yargs> {
  const described = parser
    .usage(`chakra-prep ${command.name} ${command.usage}\n\n${command.help}`)
    .options(command.options);
  if (command.usage.includes('<in..>')) {
    described.positional('in', {
      type: 'string',
      array: true,
      describe: 'folder, glob, prefix, list of files, or - for one rank on stdin',
    });
  }
  for (const [words, does] of command.examples) described.example(`chakra-prep ${words}`, does);
  return described as ReturnType<typeof yargs>;
}

function demandKnownCommand([word]: readonly string[]): void {
  if (word === undefined || word.startsWith('-') || COMMANDS.some(({ name }) => name === word)) return;
  throw requestError(
    'COMMAND_UNKNOWN',
    `unknown command: ${word} (known: ${COMMANDS.map(({ name }) => name).join(', ')})`,
  );
}

/** Flags of the command line over those of `--config`; a negated or camel-case spelling is the same flag. */
async function withConfig(parsed: Record<string, unknown>): Promise<Flags> {
  const given = Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined));
  if (typeof given.config !== 'string') return given;
  const { readRunConfig } = await import('../config/run-config.js');
  return { ...readRunConfig(given.config), ...given };
}

function logLevel(flags: Flags): LogLevel {
  if (flags.quiet === true) return 'error';
  const level = (flags.logLevel ?? 'note') as LogLevel;
  return LOG_LEVELS.includes(level) ? level : 'note';
}

function report(error: unknown, printer: Printer): ExitStatus {
  if (error instanceof PrepError) {
    printFindings(error.findings, printer);
    printer.say(`${printer.severity('error')} ${error.code}: ${error.message}`, 'error');
    if (error.advice) printer.say(`  advice: ${error.advice}`, 'error');
    return error.exitStatus;
  }
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  printer.say(`${printer.severity('error')} INTERNAL: a fault of chakra-prep, not of the traces: ${fault}`, 'error');
  return EXIT.ourFault;
}
