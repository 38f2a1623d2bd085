import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { timingDocument, type TimingDocument } from '../../src/records/timing/timing-document.js';
import { timingLines } from '../../src/records/timing/timing-lines.js';
import { timingOfRun } from '../../src/records/timing/timing-of-run.js';
import { replay } from '../../src/replay/replay.js';
import { runHere, type Lent } from '../support/in-process.js';
import { inOrder } from '../support/records.js';
import { REPOSITORY } from '../support/repository.js';
import { writeJob } from '../support/simulations.js';
import { alphaBeta, expanded, fabricOf, mappingFile, randomRun, routed, scaleUpGroups } from './random-run.js';

/** The timing report of random runs: its sums, and its executors from the transfers one by one. */

const schema = join(REPOSITORY, 'schemas', 'timing-report.schema.json');
const validate = new Ajv({ strict: true }).compile(JSON.parse(readFileSync(schema, 'utf8')) as object);
const BOXES = /[│─┬┴┼]/;
const COLOUR = new RegExp(String.raw`\u001b\[`);

function checked(document: TimingDocument): TimingDocument {
  const read = JSON.parse(JSON.stringify(document)) as TimingDocument;
  expect(validate(read) ? [] : validate.errors).toEqual([]);
  return read;
}

function sum<T>(items: readonly T[], value: (item: T) => number | null): number {
  return items.reduce((total, item) => total + (value(item) ?? 0), 0);
}

/** Length of the union of intervals. */
function union(intervals: readonly (readonly [from: number, to: number])[]): number {
  let length = 0;
  let covered = -Infinity;
  for (const [from, to] of [...intervals].sort((a, b) => a[0] - b[0])) {
    if (to > covered) length += to - Math.max(from, covered);
    covered = Math.max(covered, to);
  }
  return length;
}

test('law: sums, overhead and executors of a simulated run', () => {
  fc.assert(
    fc.property(
      randomRun(true),
      alphaBeta,
      scaleUpGroups,
      fc.boolean(),
      fc.constantFrom(0, 1, 4_000_000),
      fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 30_000_000 })),
      (run, spec, drawn, sync, startPs, length) => {
        const stopPs = startPs + length;
        const network = routed(spec, drawn, run.rankCount);
        const options = { network, recordTransfers: true, startPs, stopPs };
        const outcome = replay(expanded(run, sync), options);
        const { groups, groupOf, subgroupOf } = fabricOf(drawn, run.rankCount);
        const report = timingOfRun(outcome, { ...inOrder(run.rankCount), groups, groupOf, subgroupOf });
        const { test: whole, executors } = report;
        const log = outcome.transferLog!;
        const rows = Array.from({ length: log.length }, (_, row) => row);
        const arrived = (row: number): boolean => log.received[row] <= stopPs && log.received[row] < Infinity;

        expect(whole.overheadPs).toBe(whole.timePs - Math.max(0, ...executors.map(({ timePs }) => timePs)));
        expect(whole.overheadPs).toBeGreaterThanOrEqual(0);
        expect(whole.bytes ?? 0).toBe(sum(executors, ({ bytes }) => bytes));
        expect(whole.bytes ?? 0).toBe(sum(rows.filter(arrived), (row) => log.bytes[row]));
        expect(whole.unfinished).toBe(sum(executors, ({ unfinished }) => unfinished));
        for (const executor of executors) {
          const { name, timePs, bytes, transfers } = executor;
          expect(timePs).toBeLessThanOrEqual(whole.timePs);
          if (transfers.length === 0) continue;
          expect(bytes).toBe(sum(transfers, (transfer) => transfer.bytes));
          expect(executor.sumBytesPerNs ?? 0).toBeCloseTo(sum(transfers, ({ bytesPerNs }) => bytesPerNs));
          const [, rank, carrier] = /^rank (\d+) (NIC|scale-up|to itself)$/.exec(name)!;
          const own = rows.filter((row) => {
            const [from, to] = [log.sender[row], log.receiver[row]];
            const inside = groupOf[from] >= 0 && groupOf[from] === groupOf[to];
            const by = from === to ? 'to itself' : inside ? 'scale-up' : 'NIC';
            return from === Number(rank) && by === carrier && log.start[row] <= stopPs;
          });
          expect(sum(transfers, ({ count }) => count)).toBe(own.length);
          const end = startPs + whole.timePs;
          expect(timePs).toBe(union(own.map((row) => [log.start[row], arrived(row) ? log.received[row] : end])));
        }
        checked(timingDocument(report));
        for (const boxes of [false, true]) {
          const text = timingLines(report, { boxes }).join('\n');
          expect(BOXES.test(text)).toBe(boxes);
          expect(text).not.toMatch(/NaN|undefined|Infinity/);
        }
      },
    ),
    { numRuns: 120 },
  );
});

describe('simulate --report', () => {
  const [drawn, groups] = fc.sample(fc.tuple(randomRun(false), scaleUpGroups), { seed: 7, numRuns: 1 })[0];
  const folder = writeJob(drawn.nodes, drawn.groups);
  const mapping = mappingFile(groups, drawn.rankCount, 'text');
  const words = ['simulate', folder, '--network', 'alpha-beta:latency=1us,bandwidth=1GB/s', '--mapping', mapping];
  const told = async (report: string, more: readonly string[] = [], lent: Lent = {}): Promise<string> => {
    const { status, stdout } = await runHere([...words, '--report', report, ...more], lent);
    expect([0, 4]).toContain(status);
    return stdout;
  };

  test.each(['timing', 'wall'])('%s has boxes on a terminal, and none in a pipe', async (report) => {
    const terminal = await told(report, [], { stdoutTerminal: true });
    expect(terminal).toMatch(BOXES);
    expect(terminal).toMatch(COLOUR);
    for (const pipe of [await told(report), await told(report, [], { terminal: true })]) {
      expect(pipe).not.toMatch(BOXES);
      expect(pipe).not.toMatch(COLOUR);
      expect(pipe).toMatch(/^Test: simulate\n/);
    }
    const plain = { stdoutTerminal: true, env: { NO_COLOR: '1' } };
    for (const bare of [await told(report, ['--no-color'], { stdoutTerminal: true }), await told(report, [], plain)]) {
      expect(bare).toMatch(BOXES);
      expect(bare).not.toMatch(COLOUR);
    }
  });

  test.each([
    ['timing', 'simulated'],
    ['wall', 'wall'],
  ])('%s --json has the report as its member timing', async (report, clock) => {
    const { timing, ...document } = JSON.parse(await told(report, ['--json'])) as { timing: TimingDocument };
    expect(checked(timing).clock).toBe(clock);
    const plain = JSON.parse(await told('none', ['--json'])) as object;
    expect(document).toEqual(plain);
    for (const { timeNs } of [timing.test, ...timing.executors]) expect(timeNs).toBeGreaterThanOrEqual(0);
    expect(timing.test.overheadNs).toBeGreaterThanOrEqual(0);
    if (clock === 'wall') expect(timing.test.outsideExecutorsNs).toBeGreaterThanOrEqual(0);
    for (const { transfers } of timing.executors) {
      for (const { timeNs } of transfers) expect(timeNs).toBeGreaterThanOrEqual(0);
    }
  });
});
