import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMemoryFile } from '../../../src/config/astra-sim/memory-file.js';
import { knownKeys } from '../../../src/config/astra-sim/check-settings.js';
import { REPOSITORY } from '../../support/repository.js';
import { systemText } from '../../support/system-files.js';

/** First and third column of the tables of keys in docs/astra-sim.md below a heading. */
function defaultsBelow(heading: string): Map<string, string> {
  const page = readFileSync(join(REPOSITORY, 'docs', 'astra-sim.md'), 'utf8');
  const section = page.split(`\n## ${heading}\n`)[1].split('\n## ')[0];
  const rows = [...section.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \| [^|]*\|/gm)];
  return new Map(rows.map(([, key, , standard]) => [key, standard.replaceAll('`', '').trim()]));
}

/** `key value` of the note on defaults. */
function told(findings: readonly { code: string; message: string }[]): string[] {
  const { message } = findings.find(({ code }) => code === 'SYSTEM_DEFAULT')!;
  return message.slice(message.indexOf('count as ') + 9).split(', ');
}

describe('docs/astra-sim.md', () => {
  test.each([
    ['System file', 'astra-sim-system'],
    ['Remote memory file', 'astra-sim-memory'],
  ] as const)('%s: every key of the schema has a row', (heading, schema) => {
    const rows = [...defaultsBelow(heading).keys()];
    expect(knownKeys(schema).filter((key) => !rows.includes(key))).toEqual([]);
  });

  test('defaults are those that the reader tells of; those that ASTRA-sim lacks are "none" there', () => {
    const on = '"model-shared-bus": 1, "roofline-enabled": 1, "track-local-mem": 1';
    const system = told(systemText(`{"preferred-dataset-splits": 1, ${on}}`).findings);
    const rows = defaultsBelow('System file');
    const ours = ['scheduling-policy LIFO', 'collective-optimization localBWAware'];
    expect(system).toEqual(expect.arrayContaining(ours));
    const theirs = system.filter((line) => !ours.includes(line)).map((line) => line.split(' '));
    expect(theirs).toEqual(theirs.map(([key]) => [key, rows.get(key)]));
    expect(theirs).toHaveLength(10);

    const memory = told(parseMemoryFile('{"memory-type": "MEMORY_POOL", "remote-mem-bw": 1}', 'm.json').findings);
    expect(memory).toEqual([`remote-mem-latency ${defaultsBelow('Remote memory file').get('remote-mem-latency')}`]);
  });
});
