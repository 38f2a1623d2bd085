import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobTarget } from '../../../src/formats/conversion.js';
import { STAGE_TARGET } from '../../../src/formats/stage/stage-target.js';
import { convertFilesToJob, convertFilesToRanks } from '../../../src/pipeline/conversion/convert-files.js';
import { filesBelow, newFolder, writeRanks } from '../../support/folders.js';
import { buildEt, type NodeObject } from '../../support/traces.js';

const work = (id: number): NodeObject => ({ id, name: 'w', type: 'COMP_NODE', attr: { num_ops: { int64_val: 9 } } });
const text = (id: number): string =>
  `{"id": ${id}, "name": "w", "node_type": "comp_node", "data_deps": [], "ctrl_deps": [], "num_ops": 9}`;

test('worker threads give what one gives', async () => {
  const ranks = Array.from({ length: 5 }, (_, rank) => [work(rank + 1), { ...work(10), duration_micros: rank }]);
  const folder = writeRanks(join(newFolder(), 'traces'), ranks);
  const outcomes = await Promise.all(
    [1, 3].map(async (threads) => {
      const out = join(newFolder(), 'out');
      const request = { inputs: [folder], deps: 'both' as const, to: 'stage', folder: out, options: {}, threads };
      const report = await convertFilesToRanks(request, STAGE_TARGET);
      return { files: filesBelow(out), report };
    }),
  );
  expect(outcomes[1]).toEqual(outcomes[0]);
  expect(outcomes[0].files['job.2.json'].toString()).toBe(`{"nodes": [${text(3)}, ${text(10)}]}`);
  // Rank 0 has a duration of 0, which is none.
  expect(outcomes[0].report.findings.map(({ message }) => message)).toEqual([
    'STAGE JSON cannot carry durations: 4 are left out, first rank 1 node 10; a reader has to work them out from num_ops',
  ]);
});

test('groups that traces declare lie beside them with those of the file', async () => {
  const folder = join(newFolder(), 'traces');
  mkdirSync(folder);
  const attr = { process_groups: { string_val: '{"dp":[0]}' } };
  writeFileSync(join(folder, 'job.0.et'), buildEt([work(1)], { version: '0.0.4', attr }));
  writeFileSync(join(folder, 'comm_group.json'), '{"tp": [0]}');
  const out = join(newFolder(), 'out');
  const request = { inputs: [folder], deps: 'both' as const, to: 'stage', folder: out, options: {} };
  await convertFilesToRanks(request, STAGE_TARGET);
  expect(filesBelow(out)['job.json'].toString()).toBe('{\n  "tp": [0],\n  "dp": [0]\n}\n');
});

describe('a form that holds a whole job', () => {
  const target: JobTarget = {
    name: 'count',
    title: 'a count',
    options: [],
    write(job, files) {
      const counts = Array.from({ length: job.rankCount }, (_, rank) => job.withRank(rank, ({ length }) => length));
      const groups = JSON.stringify([...job.groups]);
      files.file(`${job.prefix}.txt`, (write) => write(Buffer.from(`${counts.join(' ')} ${groups}`)));
      return [];
    },
  };

  test('reads the ranks of a traceset and its groups', async () => {
    const folder = writeRanks(join(newFolder(), 'traces'), [[work(1)], [work(1), work(2)]]);
    writeFileSync(join(folder, 'comm_group.json'), '{"tp": [1, 0]}');
    const out = join(newFolder(), 'out');
    const request = { inputs: [folder], deps: 'both' as const, to: 'count', folder: out, options: {} };
    const report = await convertFilesToJob(request, target);
    expect(filesBelow(out)).toEqual({ 'job.txt': Buffer.from('1 2 [["tp",[1,0]]]') });
    expect(report).toMatchObject({
      from: 'traceset',
      ranks: 2,
      kinds: { COMP_NODE: { nodes: 3 } },
      files: ['job.txt'],
    });
  });

  test('wants every rank', async () => {
    const folder = join(newFolder(), 'traces');
    mkdirSync(folder);
    writeFileSync(join(folder, 'job.1.et'), buildEt([work(1)]));
    const request = { inputs: [folder], deps: 'both' as const, to: 'count', folder: join(folder, 'out'), options: {} };
    await expect(convertFilesToJob(request, target)).rejects.toMatchObject({ code: 'TRACESET_INCOMPLETE' });
  });
});
