import { EXIT, requestError } from '../../base/errors.js';
import { countFindings } from '../../base/finding.js';
import { LINK_FORMS, type LinkForm } from '../../pipeline/link-forms.js';
import { choiceFlag, outputOf, warningRule, yesFlag, type Command, type Flags } from '../command.js';
import { READING_OPTIONS } from '../options.js';
import { printFindings } from '../print-findings.js';
import { withProgress } from '../progress.js';
import { threadsFlag } from '../reading.js';

export const link: Command = {
  name: 'link',
  usage: '[in..] [--host <in>..] [--device <in>..] -o <dir>',
  summary: 'PyTorch host traces and Kineto device traces become a traceset',
  help: `Reads the PyTorch host trace (ExecutionTraceObserver) and the Kineto device trace (profiler) of each rank, brings them together
and writes a Chakra trace a rank, with times, kernels, collectives, groups and dependencies, and comm_group.json. Each <in> is a
file, a folder, a glob or a prefix, gzip or not; ranks are read from the names. Without --host and --device the two kinds
are told apart by what the files hold. What could not be linked is counted, with the reason.`,
  options: {
    host: {
      type: 'array',
      string: true,
      requiresArg: true,
      describe: 'host traces; may be given again, and several words may follow',
    },
    device: {
      type: 'array',
      string: true,
      requiresArg: true,
      describe: 'device traces, likewise; ranks without one are written without times',
    },
    o: { alias: 'out', type: 'string', requiresArg: true, describe: 'output folder' },
    to: {
      choices: LINK_FORMS,
      requiresArg: true,
      describe: 'form of the output (default et); linked-json is what chakra_trace_link writes',
    },
    memsets: { type: 'boolean', describe: 'memsets become nodes too (default no)' },
    annotations: { type: 'boolean', describe: 'annotations of the device become nodes too, without time (default no)' },
    waits: {
      type: 'boolean',
      describe: 'durations of host ops hold the time in which they wait for the device or another thread (default yes)',
    },
    force: { type: 'boolean', describe: 'link traces whose ids and names disagree, with a warning' },
    threads: READING_OPTIONS.threads,
  },
  examples: [
    ['link pytorch -o linked', 'a folder with host and device traces of all ranks'],
    ['link --host pytorch/host_*.json --device pytorch/device_*.json -o linked', 'the two kinds by themselves'],
    [
      'link --host pytorch/host_0.json --device pytorch/device_0.json --to linked-json -o linked',
      'one rank, for chakra_converter',
    ],
  ],
  run: async ({ inputs, flags, findings, printer }) => {
    const out = outputOf(flags);
    if (out === undefined) throw requestError('OPTION_MISSING', 'no output named', '-o <dir> writes a folder');
    if (out === '-') {
      throw requestError('USAGE', 'link: -o - is not possible, as a job is a file a rank', 'name a folder with -o');
    }
    const hosts = wordsOf(flags, 'host');
    const devices = wordsOf(flags, 'device');
    if (inputs.length + hosts.length === 0) {
      throw requestError('USAGE', 'link: no host trace is named', 'name a folder, or traces with --host and --device');
    }
    const threads = threadsFlag(flags);
    const { linkTraceset } = await import('../../pipeline/link-traceset.js');
    const { linkLines } = await import('../link-lines.js');
    const report = await withProgress(printer, 'ranks', (onProgress) =>
      linkTraceset({
        inputs: { hosts, devices, mixed: inputs },
        folder: out,
        form: choiceFlag<LinkForm>(flags, 'to', 'et'),
        chosen: { sets: yesFlag(flags, 'memsets', false), annotations: yesFlag(flags, 'annotations', false) },
        force: yesFlag(flags, 'force', false),
        waitsLeftOut: !yesFlag(flags, 'waits', true),
        findings,
        ...warningRule(flags),
        ...(threads === undefined ? {} : { threads }),
        onProgress,
      }),
    );
    printFindings(report.findings, printer);
    for (const line of linkLines(report)) printer.say(line);
    printer.say(`${report.files.length === 1 ? '1 rank' : `${report.files.length} ranks`} written to ${out}`);
    if (flags.json === true) {
      const { linkDocument } = await import('../link-document.js');
      await printer.data(`${JSON.stringify({ ...linkDocument(report), ...countFindings(report.findings) })}\n`);
    }
    return EXIT.done;
  },
};

function wordsOf(flags: Flags, name: string): string[] {
  return [flags[name] ?? []].flat().map(String);
}
