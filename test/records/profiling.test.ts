import { writeProfile, type ProfilingTimes } from '../../src/records/profiling.js';
import type { ReplayOutcome } from '../../src/replay/outcome.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { compute, memory, receive, run, send, traces } from '../support/jobs.js';
import { runningExample, runningTraces } from '../support/records.js';

const LINE = '================================';

function profile(outcome: ReplayOutcome, ranks: RankTrace[], rank: number, times: Partial<ProfilingTimes>): string[] {
  const { state, endPs } = outcome.ranks[rank];
  const when = {
    startPs: outcome.startPs,
    intervalPs: 10_000_000,
    endPs: state === 'finished' ? endPs : undefined,
    simulationEndPs: outcome.simulationEndPs,
    ...times,
  };
  let text = '';
  writeProfile(ranks[rank], outcome.nodeTimes(rank), when, (piece) => (text += piece));
  expect(text.endsWith('\n')).toBe(true);
  return text.slice(0, -1).split('\n');
}

test('R-161 the running example every 10 µs: blocks at 10 and 20 µs', () => {
  const outcome = runningExample();
  const sections = (sends: string[], receives: string[]): string[] => [
    'send_nodes:',
    ...sends,
    'receive_nodes:',
    ...receives,
    'computation_nodes:',
  ];
  const sending = sections(['S(1,1,1048576,[],[])'], []);
  expect(profile(outcome, runningTraces(), 0, {})).toEqual([
    'CHAKRA PROFILING',
    LINE,
    'sim_time_sec: 0.000010000000',
    ...sending,
    LINE,
    'sim_time_sec: 0.000020000000',
    ...sending,
  ]);
  const receiving = sections([], ['R(1,0,1048576,[],[])']);
  expect(profile(outcome, runningTraces(), 1, {})).toEqual([
    'CHAKRA PROFILING',
    LINE,
    'sim_time_sec: 0.000010000000',
    ...receiving,
    LINE,
    'sim_time_sec: 0.000020000000',
    ...receiving,
  ]);
});

test('R-161 a send stays listed until it is acknowledged, a receive until it has finished', () => {
  // Sent at 21.26848, received at 22.35156, acknowledged at 23.3566 µs.
  const outcome = runningExample();
  const listed = (rank: number, letter: string): string[] =>
    profile(outcome, runningTraces(), rank, { intervalPs: 500_000 })
      .reduce<string[][]>((blocks, line) => {
        if (line === LINE) blocks.push([]);
        else blocks.at(-1)?.push(line);
        return blocks;
      }, [])
      .filter((block) => block.some((line) => line.startsWith(letter)))
      .map((block) => block[0]);
  expect(listed(0, 'S(').at(-1)).toBe('sim_time_sec: 0.000023000000');
  expect(listed(1, 'R(').at(-1)).toBe('sim_time_sec: 0.000022000000');
});

test('R-161 no block once the rank has ended, and a first one an interval after its start', () => {
  const ranks = traces([compute(1, 4)]);
  const times = (when: Partial<ProfilingTimes>): string[] =>
    profile(run(ranks), ranks, 0, { intervalPs: 2_000_000, ...when }).filter((line) => line.startsWith('sim_time'));
  expect(times({})).toEqual(['sim_time_sec: 0.000002000000']); // not at 4 µs, its end
  expect(times({ startPs: 1_000_000 })).toEqual(['sim_time_sec: 0.000003000000']);
});

test('R-161 dependency lists are those of the trace; ids ascend; what takes no time or has finished is not listed', () => {
  const ranks = traces([
    memory(9, 20),
    { ...compute(3, 30, [2, 77], true), ctrl_deps: [2] }, // 77 is not there
    compute(2, 1, [], true),
    { id: 5, type: 'METADATA_NODE' },
    compute(4, 0),
    receive(6, 0, 8, 1, [2]),
  ]);
  const outcome = run(ranks, { dropMissingDependencies: true, deps: 'both', stopPs: 40_000_000 });
  const lines = profile(outcome, ranks, 0, { simulationEndPs: 30_000_000 });
  const block = (at: number): string[] => lines.slice(lines.indexOf(`sim_time_sec: 0.0000${at}000000`) + 1);
  expect(block(10).slice(0, 6)).toEqual([
    'send_nodes:',
    'receive_nodes:',
    'R(6,0,8,[2],[])',
    'computation_nodes:',
    'C(3,[2,77],[2])',
    'C(9,[],[])',
  ]);
  // Node 9 finishes at 20 µs and is gone; node 3 runs from 1 to 31 µs.
  expect(block(20).slice(0, 5)).toEqual([
    'send_nodes:',
    'receive_nodes:',
    'R(6,0,8,[2],[])',
    'computation_nodes:',
    'C(3,[2,77],[2])',
  ]);
  // A rank that did not end has a block at the end of the simulation.
  expect(lines.filter((line) => line === LINE)).toHaveLength(3);
});

test('R-161 a send that is never acknowledged is listed to the stop', () => {
  const ranks = traces([send(1, 1, 1_048_576, 0)], [receive(1, 0, 1_048_576, 0)]);
  const lines = profile(runningExample({ stopPs: 22_000_000 }), ranks, 0, { intervalPs: 11_000_000 });
  expect(lines.filter((line) => line.startsWith('S('))).toHaveLength(2);
});
