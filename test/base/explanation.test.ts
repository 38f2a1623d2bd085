import { explanationLines, explanationMarkdown, explanationOf, type Explanation } from '../../src/base/explanation.js';

const PAGE: Explanation = {
  code: 'CODE',
  severity: 'error',
  title: 'a thing',
  meaning: 'It is so.',
  consequence: 'It goes wrong.',
  remedy: ['Do one.', 'Name it `<prefix>.et`, not <name>.'],
  example: { finding: 'error CODE: rank 0: it', mended: 'Mend it.' },
  advice: 'do it',
};

test('the page as text', () => {
  expect(explanationLines(PAGE)).toEqual([
    'CODE (error): a thing',
    '',
    'What it means:',
    '  It is so.',
    '',
    'Why it matters:',
    '  It goes wrong.',
    '',
    'How to mend it:',
    '  1. Do one.',
    '  2. Name it `<prefix>.et`, not <name>.',
    '',
    'Example:',
    '  error CODE: rank 0: it',
    '  Mended: Mend it.',
    '',
    'Advice: do it.',
  ]);
});

test('the page of an error that stops a command has no severity, no consequence and no example', () => {
  const { code, title, meaning, advice } = PAGE;
  expect(explanationLines({ code, exitStatus: 2, title, meaning, remedy: ['Do one.'], advice })).toEqual([
    'CODE (exit status 2): a thing',
    '',
    'What it means:',
    '  It is so.',
    '',
    'How to mend it:',
    '  Do one.',
    '',
    'Advice: do it.',
  ]);
});

test('paragraphs are wrapped at 100 columns, the finding of the example is not', () => {
  const long = 'word '.repeat(30).trim();
  const lines = explanationLines({ ...PAGE, meaning: `${long}.`, example: { finding: long, mended: 'Mend it.' } });
  // 1 + 19 × 5 columns are 96; another word would be the 101st.
  expect(lines.slice(3, 5)).toEqual([`  ${'word '.repeat(19).trim()}`, `  ${'word '.repeat(11).trim()}.`]);
  expect(lines).toContain(`  ${long}`);
});

test('the page in Markdown; angle brackets outside of code are no tags', () => {
  expect(explanationMarkdown(PAGE).split('\n')).toEqual([
    'It is so.',
    '',
    '**Why it matters.** It goes wrong.',
    '',
    '**How to mend it.**',
    '',
    '1. Do one.',
    '2. Name it `<prefix>.et`, not \\<name>.',
    '',
    '**Example.**',
    '',
    '```',
    'error CODE: rank 0: it',
    '```',
    '',
    'Mended: Mend it.',
    '',
    'Advice: do it.',
  ]);
});

test('codes of findings and of stops have a page, others have none', () => {
  expect(explanationOf('CYCLE')).toMatchObject({ code: 'CYCLE', severity: 'error' });
  expect(explanationOf('RANK_COUNT')).toMatchObject({ code: 'RANK_COUNT', exitStatus: 2 });
  expect(explanationOf('NOT_THERE')).toBeUndefined();
  expect(explanationOf('toString')).toBeUndefined();
});
