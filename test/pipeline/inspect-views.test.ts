import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { inspectFiles } from '../../src/pipeline/inspect-files.js';
import { newFolder, writeRanks } from '../support/folders.js';
import { describeShared, shared } from '../support/shared.js';
import { collective } from '../support/preparation.js';
import { buildEt, type NodeObject } from '../support/traces.js';
import { compute, receive, send } from '../support/validation.js';

test('views skip the facts, and nodes of chosen ranks read no other file', async () => {
  const folder = writeRanks(newFolder(), [[compute(1)], [compute(1)]]);
  writeFileSync(join(folder, 'job.1.et'), 'broken');
  const { files, traceset, nodes, findings } = await inspectFiles({
    inputs: [folder],
    deps: 'both',
    views: { nodes: { ranks: [0] } },
  });
  expect({ files, traceset, findings }).toEqual({ files: {}, traceset: undefined, findings: [] });
  expect(nodes).toMatchObject({ matched: 1, list: [{ rank: 0, id: 1 }] });
});

test('a rank that cannot be read is reported beside the others, as one without a trace', async () => {
  const folder = writeRanks(newFolder(), [[send(1, 1, 0)], [receive(1, 0, 0)]]);
  writeFileSync(join(folder, 'job.1.et'), Uint8Array.of(200, 1, 2));
  const { pairs, findings } = await inspectFiles({ inputs: [folder], deps: 'both', views: { pairs: true } });
  expect(findings).toEqual([expect.objectContaining({ severity: 'error', rank: 1 })]);
  expect(pairs).toMatchObject({ ranks: [0], list: [{ from: 0, to: 1, noTrace: true }] });
});

test('views are of one traceset', async () => {
  const folder = writeRanks(newFolder(), [[compute(1)]]);
  writeFileSync(join(folder, 'other.0.et'), buildEt([compute(1)]));
  const inputs = ['job', 'other'].map((name) => join(folder, `${name}.0.et`));
  await expect(inspectFiles({ inputs, deps: 'both', views: { pairs: true } })).rejects.toThrow(
    'more than one traceset',
  );
  expect(Object.keys((await inspectFiles({ inputs, deps: 'both' })).files)).toEqual(inputs);
});

test('the byte offset is that of the length before the node, in the unzipped file', async () => {
  const nodes = [compute(1), { ...compute(2), name: 'n'.repeat(300) }, compute(3)];
  const bytes = buildEt(nodes);
  // Each frame is a length and that many bytes: 0, then behind the metadata, …
  const starts: number[] = [];
  for (let at = 0; at < bytes.length;) {
    starts.push(at);
    const two = bytes[at] >= 128;
    at += two ? 2 + (bytes[at] & 127) + 128 * bytes[at + 1] : 1 + bytes[at];
  }
  const folder = newFolder();
  writeFileSync(join(folder, 'job.0.et'), gzipSync(bytes));
  const { nodes: found } = await inspectFiles({ inputs: [folder], deps: 'both', views: { nodes: {} } });
  expect(found!.list.map(({ byteOffset }) => byteOffset)).toEqual(starts.slice(1));
});

test('the same with one thread and with several', async () => {
  const ranks = [0, 1, 2].map((rank) => [
    send(1, (rank + 1) % 3, 0),
    receive(2, (rank + 2) % 3, 0),
    compute(3, [1, 2]),
  ]);
  const folder = writeRanks(newFolder(), ranks);
  const views = { groups: true, pairs: true, collectives: true, nodes: { name: /op/, ids: [{ from: 0n, to: 9n }] } };
  const [one, three] = await Promise.all(
    [1, 3].map((threads) => inspectFiles({ inputs: [folder], deps: 'both', threads, views })),
  );
  expect(three).toEqual(one);
  expect(one.nodes!.matched).toBe(3);
});

test('nodes are shown as they are assumed to be', async () => {
  const gather = collective(1, { type: 2, size: 4000 });
  const nodes: NodeObject[] = [{ ...gather, duration_micros: 2500 }, compute(2)];
  const folder = writeRanks(newFolder(), [nodes, nodes]);
  const { nodes: found } = await inspectFiles({
    inputs: [folder],
    deps: 'both',
    assume: ['allgather-size=total,duration-unit=ns'],
    views: { nodes: { ids: [{ from: 1n, to: 1n }], ranks: [1] } },
  });
  // 4,000 B over 2 ranks; 2,500 ns, halves up.
  expect(found!.list).toMatchObject([{ rank: 1, id: 1, durationMicros: 3 }]);
  expect(found!.list[0].attributes).toContainEqual({ name: 'comm_size', arm: 'int64_val', value: 2000 });
});

test('a group that an assumption needs and nobody declares is said, once', async () => {
  const nodes = [collective(1, { type: 2, size: 4000, group: 'x' })];
  const folder = writeRanks(newFolder(), [nodes, nodes]);
  writeFileSync(join(folder, 'comm_group.json'), '{"y": [0, 1]}');
  for (const views of [{}, { views: { groups: true } }]) {
    const request = { inputs: [folder], deps: 'both' as const, assume: ['allgather-size=total'], ...views };
    const { findings } = await inspectFiles(request);
    expect(findings.filter(({ severity }) => severity === 'error').map(({ code, group }) => [code, group])).toEqual([
      ['GROUP_UNDECLARED', 'x'],
    ]);
  }
});

test('groups and attributes may be called constructor or __proto__', async () => {
  const names = ['constructor', '__proto__', 'toString'];
  const nodes = names.map((group, at) => collective(at + 1, { type: 0, size: 8, group }));
  const folder = writeRanks(newFolder(), [nodes, nodes]);
  const { files, traceset } = await inspectFiles({ inputs: [folder], deps: 'both' });
  const [facts] = Object.values(files) as { process_groups_used: Record<string, number> }[];
  expect(Object.entries(facts.process_groups_used).sort()).toEqual(names.sort().map((name) => [name, 1]));
  expect(Object.keys(traceset!.groups).sort()).toEqual(names);
});

describeShared('public traces', () => {
  const inspect = (folder: string, views: Parameters<typeof inspectFiles>[0]['views']) =>
    inspectFiles({ inputs: [shared('traces', folder)], deps: 'both', ...(views === undefined ? {} : { views }) });

  test('stage/llama_dp2tp2pp2: pipeline stages exchange 4 × 256 KiB, each rank with the one 4 away', async () => {
    // trace-facts.json: 32 sends and 32 receives with 8,388,608 bytes, all matched.
    const { pairs } = await inspect('stage/llama_dp2tp2pp2', { pairs: true });
    expect(pairs).toMatchObject({ sends: 32, receives: 32, bytes: 8_388_608, rawCollectives: 720 });
    expect(pairs!.list.map(({ from, to, sends, bytes }) => [from, to, sends, bytes])).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((rank) => [rank, (rank + 4) % 8, 4, 1_048_576]),
    );
  });

  test('stage/llama_dp2tp2pp2: eight of the sixteen groups of its file are in use, with 9 and 81 collectives', async () => {
    const { groups } = await inspect('stage/llama_dp2tp2pp2', { groups: true });
    expect(groups).toMatchObject({ declared: 16, used: 8 });
    const used = groups!.list.filter(({ users }) => users.length > 0);
    expect(used.map(({ collectivesPerRank }) => collectivesPerRank)).toEqual([9, 9, 9, 9, 81, 81, 81, 81]);
    expect(used.flatMap(({ departures }) => departures)).toEqual([]);
  });

  test('astra-sim-artifacts/T2D-analytical: "0.0" is nowhere declared and read as "0"', async () => {
    const { groups } = await inspect('astra-sim-artifacts/T2D-analytical', { groups: true });
    expect(groups!.list.find(({ name }) => name === '0.0')).toMatchObject({
      origin: 'use',
      declaredIn: [],
      members: [0, 1, 2, 3],
      reason: 'it is read as the declared group "0"',
    });
  });

  test('mlcommons-chakra: 21 collectives of one rank, 14 of them without a type', async () => {
    // trace-facts.json: 5 ALL_REDUCE of 102,228,128 bytes, 2 BROADCAST of 212,904, 14 without comm_type.
    const { collectives } = await inspect('mlcommons-chakra/chakra.0.et.gz', { collectives: true });
    const sums = collectives!.summary.map(({ type, collectives: count, bytes }) => [type, count, bytes]);
    expect(sums.sort()).toEqual([
      ['AllReduce', 5, 102_228_128],
      ['Broadcast', 2, 212_904],
      ['no comm_type', 14, 0],
    ]);
  });
});
