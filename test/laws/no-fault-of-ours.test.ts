import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { filesBelow, newFolder, writeRanks } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { randomNode } from '../support/random-nodes.js';
import type { NodeObject } from '../support/traces.js';

/** Communication with odd values where a program may expect sane ones. */
const odd: fc.Arbitrary<NodeObject> = fc
  .record({
    id: fc.bigInt({ min: 0n, max: 6n }),
    type: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7, 8),
    duration_micros: fc.constantFrom(0, 1, 3, 2 ** 33, Number.MAX_SAFE_INTEGER),
    data_deps: fc.array(fc.bigInt({ min: 0n, max: 6n }), { maxLength: 2 }),
    peer: fc.constantFrom(-1, 0, 1, 2, 2 ** 31 - 1),
    size: fc.constantFrom(-1, 0, 1, 5000, 2 ** 40, Number.MAX_SAFE_INTEGER),
    tag: fc.constantFrom(-5, 0, 1, 2 ** 31 - 1),
    collective: fc.constantFrom(-1, 0, 1, 6, 7, 9, 99),
    group: fc.constantFrom('a', 'b', '', '1', '0'),
  })
  .map(({ peer, size, tag, collective, group, ...node }) => ({
    ...node,
    attr: {
      comm_src: { int32_val: peer },
      comm_dst: { int32_val: peer },
      comm_size: { int64_val: size },
      comm_tag: { int32_val: tag },
      comm_type: { int64_val: collective },
      pg_name: { string_val: group },
    },
  }));

const rank = fc.array(fc.oneof({ weight: 3, arbitrary: odd }, randomNode), { maxLength: 6 });

test('law: whatever the traces hold, simulate says what is wrong with them and leaves all records or none', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rank, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom([], ['--deps', 'data'], ['--drop-missing-deps'], ['--scale', '0.5'], ['--order', 'ids']),
      async (ranks, isMapped, hasGroups, more) => {
        const folder = writeRanks(newFolder(), ranks);
        if (hasGroups) writeFileSync(join(folder, 'comm_group.json'), JSON.stringify({ a: ranks.map((_, at) => at) }));
        const map = join(newFolder(), 'ranks.map');
        writeFileSync(map, [...ranks.map((_, at) => `${at} ${at} 0 ${at % 2}`), '@', '0 800 100 100', ''].join('\n'));
        const mapping = isMapped ? ['--mapping', map, '--scale-up-stats'] : [];
        const out = join(newFolder(), 'out');
        const words = ['--network', 'alpha-beta:latency=1us,bandwidth=1GB/s', '--until', '1ms', '-o', out];
        const { status, stdout, stderr } = await runHere(['simulate', folder, ...words, ...mapping, ...more, '--json']);
        expect([status, stderr]).not.toEqual([70, expect.anything()]);
        const document = JSON.parse(stdout) as { schema: string };
        const isDone = status === 0 || status === 4;
        expect(document.schema).toBe(isDone ? 'chakra-prep/simulate-result/1' : 'chakra-prep/error/1');
        if (isDone) expect(Object.keys(filesBelow(out)).length).toBeGreaterThanOrEqual(8 + ranks.length);
        else expect(() => filesBelow(out)).toThrow('ENOENT');
      },
    ),
    { numRuns: 40 },
  );
});
