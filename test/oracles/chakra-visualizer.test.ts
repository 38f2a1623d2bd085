import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../support/folders.js';
import { readDot, readGraphMl, type ReadGraph } from '../support/graphs.js';
import { runIn } from '../support/in-process.js';
import { buildEt } from '../support/traces.js';
import { describeShared, shared, sharedFiles } from '../support/shared.js';

/** The pictures that chakra_visualizer made, each of a trace below the shared folder with the same file name. */
const PICTURES = sharedFiles(join('reference', 'chakra-tools', 'visualizer'), /\.(dot|graphml)$/);

const TWO_NODES = [
  { id: 50, name: 'COMP_NODE', type: 'COMP_NODE' },
  { id: 51, name: 'COMP_NODE', type: 'COMP_NODE', data_deps: [50] },
];

describeShared('pictures of the official chakra_visualizer', () => {
  test('are there', () => expect(PICTURES.length).toBeGreaterThan(3));

  test.each(PICTURES)('%s has our nodes, names and dependencies', async (picture) => {
    const [name] = picture.split('/').slice(-1);
    const form = name.endsWith('.dot') ? 'dot' : 'graphml';
    const trace = name.replace(/\.(dot|graphml)$/, '.et');
    const [path] = sharedFiles('traces', new RegExp(`(^|/)${trace.replaceAll('.', '\\.')}$`));
    const folder = newFolder();
    // A case of the official generator, which is not among the traces.
    if (path === undefined) writeFileSync(join(folder, trace), buildEt(TWO_NODES));
    const input = path === undefined ? trace : shared(path);
    const { status } = await runIn(folder, ['visualize', input, '-o', `ours.${form}`, '--limit', '100000']);
    expect(status).toBe(0);
    const read = form === 'dot' ? readDot : readGraphMl;
    const theirs = read(readFileSync(shared(picture), 'utf8'));
    const ours = read(readFileSync(join(folder, `ours.${form}`), 'utf8'));
    expect(namesOf(ours)).toEqual(namesOf(theirs));
    expect(edgesOf(ours)).toEqual(edgesOf(theirs));
  });
});

/** Names by id; the official label is the name alone, ours in DOT has a second line. */
function namesOf({ nodes }: ReadGraph): Record<string, string> {
  return Object.fromEntries([...nodes].map(([id, { label }]) => [id, label.replace(/\\n.*$/s, '')]));
}

/** The official picture keeps one edge of two nodes, the later; in DOT it tells them apart by the head of the arrow. */
function edgesOf({ edges }: ReadGraph): string[] {
  const kinds = new Map<string, string>();
  for (const { from, to, data } of edges) {
    kinds.set(`${from} ${to}`, data.dependency ?? (data.arrowhead === 'tee' ? 'control' : 'data'));
  }
  return [...kinds].map(([ends, kind]) => `${ends} ${kind}`).sort();
}
