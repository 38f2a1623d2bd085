import { CATALOGUE, type CatalogueEntry } from '../../src/base/catalogue.js';
import { explanationMarkdown, explanationOf } from '../../src/base/explanation.js';
import { STOP_CODES, type StopEntry } from '../../src/base/stop-codes.js';

const INTRODUCTION = `# Codes

Every message has a code; \`chakra-prep explain CODE\` prints its page. Codes are stable: they may be counted in scripts and
searched for. A finding is one of many things about a trace; \`validate\` exits with status 1 when any is an error. The other
codes stop a command at once. This page is made from the catalogue of the program.

## Exit statuses

| status | means |
| --- | --- |
| 0 | done |
| 1 | the traces have problems |
| 2 | the request is wrong |
| 3 | the input cannot be read |
| 4 | the replay stalled or hit its limit |
| 70 | a fault of chakra-prep |
`;

const FINDINGS = `## Findings

The severity is the usual one; a message may say more or less where it knows more, such as control dependencies under
\`--deps data\`, which are notes.
`;

const STOPS = `## Errors that stop a command

A code of a finding can stop a command as well: \`FRAME_TRUNCATED\` stops \`expand\`, and is a finding of \`validate\` as long as
other ranks can be read. \`INTERNAL\` (exit status 70) is a fault of this program.
`;

/** The text of docs/errors.md: an index of all codes, and a section for each under its own name. */
export function errorsPage(): string {
  const findings = Object.entries<CatalogueEntry>(CATALOGUE);
  const stops = Object.entries<StopEntry>(STOP_CODES);
  return [
    INTRODUCTION,
    FINDINGS,
    index(
      'severity',
      findings.map(([code, { severity, title }]) => [code, severity, title]),
    ),
    STOPS,
    index(
      'exit status',
      stops.map(([code, { exitStatus, title }]) => [code, String(exitStatus), title]),
    ),
    '## What the codes of findings mean\n',
    ...findings.map(([code, { severity }]) => page(code, severity)),
    '## When the other errors come\n',
    ...stops.map(([code, { exitStatus }]) => page(code, `exit status ${exitStatus}`)),
  ].join('\n');
}

function index(second: string, rows: readonly (readonly [code: string, second: string, title: string])[]): string {
  const lines = rows.map(([code, value, title]) => `| [\`${code}\`](#${code.toLowerCase()}) | ${value} | ${title} |`);
  return [`| code | ${second} | what |`, '| --- | --- | --- |', ...lines, ''].join('\n');
}

/** The heading is the bare code, so that its anchor is the code in small letters. */
function page(code: string, kind: string): string {
  const explanation = explanationOf(code)!;
  return `### ${code}\n\n_${kind}_: **${explanation.title}**\n\n${explanationMarkdown(explanation)}\n`;
}
