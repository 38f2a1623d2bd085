import { readFileSync } from 'node:fs';

import { parseCommGroup } from '../../src/formats/comm-group.js';
import { discoverTraceset } from '../../src/formats/discover.js';
import { openTraceSource } from '../../src/formats/open-source.js';
import { groupsDeclaredIn } from '../../src/formats/process-group-init.js';
import { readTrace } from '../../src/formats/read-trace.js';
import { joinDeclarations, type GroupDeclaration } from '../../src/trace/group-declarations.js';
import { groupUse, resolveGroups, type GroupUse, type ResolvedGroups } from '../../src/trace/group-use.js';
import { WORLD } from '../../src/trace/process-group.js';
import { describeShared, hasShared, shared } from '../support/shared.js';

/** From the reference: per folder the group names in use ("<none>" for none) and the ranks that use each. */
type SetFacts = Record<string, { groups: Record<string, { ranks: number[] | number }> }>;

const sets: SetFacts = hasShared
  ? (JSON.parse(readFileSync(shared('reference', 'trace-facts.json'), 'utf8')) as { sets: SetFacts }).sets
  : {};

async function groupsOf(inputs: string[]): Promise<ResolvedGroups> {
  const { files, groupFile } = await discoverTraceset(inputs);
  const declarations: GroupDeclaration[] = [];
  if (groupFile !== undefined) declarations.push(...parseCommGroup(readFileSync(groupFile), groupFile).declarations);
  const uses: GroupUse[] = [];
  for (const { rank, path } of files) {
    const source = openTraceSource(path);
    const { trace } = readTrace(source, { rank, file: path });
    const declared = groupsDeclaredIn(trace);
    expect(declared.findings).toEqual([]);
    declarations.push(...declared.declarations);
    uses.push(groupUse(trace));
    source.close();
  }
  const joined = joinDeclarations(declarations, files.length);
  const ranks = files.map(({ rank }) => rank);
  const resolved = resolveGroups(joined.groups, uses, { ranks, strict: false });
  return { ...resolved, findings: [...joined.findings, ...resolved.findings] };
}

describeShared('groups of the public tracesets', () => {
  for (const [folder, { groups }] of Object.entries(sets)) {
    test(folder, async () => {
      const resolved = await groupsOf([shared('traces', folder)]);
      expect(resolved.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      for (const [name, { ranks }] of Object.entries(groups)) {
        const members = resolved.groups.get(name === '<none>' ? WORLD : name)?.ranks ?? [];
        // The reference lists the ranks that use a name; in these sets every member does.
        const users = typeof ranks === 'number' ? Array.from({ length: ranks }, (_, rank) => rank) : ranks;
        expect([...members].sort((left, right) => left - right)).toEqual(
          [...users].sort((left, right) => left - right),
        );
      }
    });
  }

  test('names such as "0.0" are read as the declared "0"; the rest is declared', async () => {
    const { findings } = await groupsOf([shared('traces/astra-sim-artifacts/T2D-analytical')]);
    expect(findings.map(({ code, group }) => `${code} ${group}`)).toEqual([
      'GROUP_INFERRED 0.0',
      'GROUP_INFERRED 1.0',
      'GROUP_INFERRED 2.0',
      'GROUP_INFERRED 3.0',
    ]);
  });

  test('nothing declared: "0" is the world, "1" and "2" are the ranks that use them', async () => {
    const { findings, groups } = await groupsOf([shared('traces/jinsun-yoo-astra-sim/pernode_validate')]);
    expect(findings.map(({ code, group }) => `${code} ${group}`).sort()).toEqual([
      'GROUP_INFERRED 0',
      'GROUP_INFERRED 1',
      'GROUP_INFERRED 2',
      'GROUP_WORLD world',
    ]);
    expect(groups.get('2')?.ranks).toEqual([4, 5, 6, 7]);
  });

  test('process_group:init of a converted PyTorch trace: "ranks": [] with a size of 2', () => {
    for (const [path, rank] of [
      ['host_1.0.2.0.et.gz', 0],
      ['resnet_2gpu_1.1.0.1.et.gz', 1],
    ] as const) {
      // process_group_init_nodes of chakra-tools/index.json.
      const node = rank === 0 ? 3 : 4;
      const file = shared('reference/chakra-tools/pytorch-converter', path);
      const { trace } = readTrace(openTraceSource(file), { rank, file });
      const { declarations, findings } = groupsDeclaredIn(trace);
      expect(findings).toEqual([]);
      expect(declarations).toEqual([{ name: '0', ranks: [0, 1], origin: 'process_group:init', rank, file, node }]);
    }
  });
});
