import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copySamples, newFolder } from '../support/folders.js';
import { runIn } from '../support/in-process.js';
import { REPOSITORY } from '../support/repository.js';
import { xmlElements } from '../support/graphs.js';

/** The picture that docs/visualize.md shows; UPDATE_EXAMPLES=1 draws it anew, to be looked at before it is committed. */
const PICTURE = join(REPOSITORY, 'docs', 'traces.svg');

test('the picture in the docs is what the command beside it draws', async () => {
  const folder = newFolder();
  copySamples(join(REPOSITORY, 'samples'), join(folder, 'samples'));
  const { status } = await runIn(folder, ['visualize', 'samples/traces', '--rank', '0,3', '-o', 'job.svg']);
  expect(status).toBe(0);
  const drawn = readFileSync(join(folder, 'job.svg'), 'utf8');
  if (process.env.UPDATE_EXAMPLES === '1') writeFileSync(PICTURE, drawn);
  expect(drawn).toBe(readFileSync(PICTURE, 'utf8'));
  // 14 nodes a rank, each with its facts; 13 dependencies a rank and the message.
  const elements = xmlElements(drawn);
  const facts = elements.filter(({ name, text }) => name === 'title' && /\nrank \d+, node \d+, /.test(text));
  expect(facts).toHaveLength(28);
  const heads = elements.filter(({ name, attributes }) => name === 'path' && attributes['marker-end'] !== undefined);
  expect(heads.filter(({ attributes }) => attributes.class === 'edge data')).toHaveLength(26 + 1); // and the legend
  expect(heads.filter(({ attributes }) => attributes.class === 'edge msg')).toHaveLength(1 + 1);
});
