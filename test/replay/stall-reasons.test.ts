import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planCollectives } from '../../src/collectives/build-plan.js';
import { packetNetwork } from '../../src/network/packet/packet-network.js';
import { surveyRank } from '../../src/passes/preparation-plan.js';
import type { StallReasonCode } from '../../src/replay/stall-report.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { collective, memory, receive, run, send, traces } from '../support/jobs.js';
import { packetSettings, singleSwitch, switchRing } from '../support/packet-runs.js';
import { groupsOf } from '../support/preparation.js';
import { REPOSITORY } from '../support/repository.js';

/** The jobs that docs/simulate.md has as examples of its stall reasons; the two sides are held together. */
const EXAMPLES: Record<StallReasonCode, { job: RankTrace[]; options?: Parameters<typeof run>[1] }> = {
  'stop-reached': { job: traces([memory(1, 8)]), options: { stopPs: 5e6 } },
  'unmatched-receive': { job: traces([send(1, 1, 1000, 0)], [receive(1, 0, 1000, 5)]) },
  'missing-participant': missing(),
  'dependency-cycle': { job: traces([memory(1, 4), memory(2, 1, [3]), memory(3, 1, [2])]) },
  'cross-rank-cycle': {
    job: traces([receive(1, 1, 8, 0), send(2, 1, 8, 0, [1])], [receive(1, 0, 8, 0), send(2, 0, 8, 0, [1])]),
  },
  'size-mismatch': { job: traces([send(1, 1, 1000, 0)], [receive(1, 0, 900, 0), receive(2, 0, 900, 7)]) },
  'pause-cycle': {
    job: toTheSecondNext(),
    options: { network: packetNetwork({ topology: switchRing(5), settings: withPfc(40_000, 20_000) }) },
  },
  'paused-ports': {
    job: toRankZero(4),
    options: {
      network: packetNetwork({ topology: singleSwitch(5), settings: withPfc(700_000, 300_000) }),
      stopPs: 20e6,
    },
  },
  'packets-waiting': {
    job: toRankZero(2),
    options: { network: packetNetwork({ topology: singleSwitch(3), settings: packetSettings() }), stopPs: 2.9e6 },
  },
};

function withPfc(xoffBytes: number, xonBytes: number): ReturnType<typeof packetSettings> {
  return packetSettings({ switches: { pfc: 'static', bufferBytes: 256e6, xoffBytes, xonBytes } });
}

function toTheSecondNext(): RankTrace[] {
  const ranks = [0, 1, 2, 3, 4];
  return traces(
    ...ranks.map((rank) => [
      send(1, (rank + 2) % 5, 1 << 20, rank),
      receive(2, (rank + 3) % 5, 1 << 20, (rank + 3) % 5),
    ]),
  );
}

function toRankZero(senders: number): RankTrace[] {
  const ranks = Array.from({ length: senders }, (_, sender) => sender + 1);
  return traces(
    ranks.map((rank) => receive(rank, rank, 1 << 20, rank)),
    ...ranks.map((rank) => [send(1, 0, 1 << 20, rank)]),
  );
}

/** Both ranks are in the plan, and rank 1 has no node for it. */
function missing(): { job: RankTrace[]; options: Parameters<typeof run>[1] } {
  const [rank0, rank1] = traces([collective(1, 0, 1000, 'all')], [collective(1, 0, 1000, 'all')]);
  const plan = planCollectives([rank0, rank1].map(surveyRank), groupsOf({ all: [0, 1] }), {});
  const none = { node: new Int32Array(0), instance: new Int32Array(0), position: new Int32Array(0) };
  const job = [rank0, ...traces([], [memory(1, 1)]).slice(1)];
  return { job, options: { plan: { ...plan, ranks: [plan.ranks[0], none] } } };
}

/** Rows of the table of reasons: code, what the report says. */
function rows(): [string, string][] {
  const page = readFileSync(join(REPOSITORY, 'docs', 'simulate.md'), 'utf8');
  const lines = page.split('\n').filter((line) => /^\| `[a-z]+(-[a-z]+)+` \|/.test(line));
  return lines.map((line) => {
    const [, code, , says] = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    return [code, says];
  });
}

describe('the table of stall reasons in docs/simulate.md', () => {
  const table = rows();
  test('has every reason once', () => {
    expect(table.map(([code]) => code).sort()).toEqual(Object.keys(EXAMPLES).sort());
  });

  test.each(Object.entries(EXAMPLES))('%s is said as the page says', (code, { job, options = {} }) => {
    const { stall } = run(job, options);
    const reason = stall?.reasons.find((one) => one.code === code);
    expect(reason).toMatchObject({ count: expect.any(Number) as number });
    expect(stall?.lines).toContain(`  ${reason?.text}`);
    expect(table).toContainEqual([code, reason?.text]);
  });
});

test('a count of one is said in the singular', () => {
  const { findings } = run(EXAMPLES['unmatched-receive'].job);
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringContaining('tag 0 from rank 0 to rank 1: 1 send and no receive, a transfer is never claimed'),
    expect.stringContaining('tag 5 from rank 0 to rank 1: no send and 1 receive, a receive will never finish'),
  ]);
});
