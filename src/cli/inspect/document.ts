import type { Inspection } from '../../pipeline/inspect-files.js';

/** Characters that are collected before they are written. */
const WRITTEN_AT_ONCE = 1 << 16;

/** The document of `inspect --json` in pieces: a list of a view may be longer than a text can be. */
export function* inspectionDocument(report: Inspection, withFacts: boolean): Generator<string> {
  const { files, traceset, groups, pairs, collectives, nodes } = report;
  const facts = withFacts ? { files, traceset } : {};
  let text = JSON.stringify({ schema: 'chakra-prep/inspect/1', ...facts }, null, 1).slice(0, -2);
  for (const [name, view] of Object.entries({ groups, pairs, collectives, nodes })) {
    if (view === undefined) continue;
    const { list, ...totals } = view;
    text += `,\n ${JSON.stringify(name)}: {`;
    for (const [key, value] of Object.entries(totals)) text += `\n  ${JSON.stringify(key)}: ${JSON.stringify(value)},`;
    text += '\n  "list": [';
    let first = true;
    for (const entry of list) {
      text += `${first ? '' : ','}\n   ${JSON.stringify(entry)}`;
      first = false;
      if (text.length < WRITTEN_AT_ONCE) continue;
      yield text;
      text = '';
    }
    text += `${first ? '' : '\n  '}]\n }`;
  }
  yield `${text}\n}\n`;
}
