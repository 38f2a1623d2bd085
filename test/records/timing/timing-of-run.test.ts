import { planCollectives } from '../../../src/collectives/build-plan.js';
import { planPreparation, surveyRank } from '../../../src/passes/preparation-plan.js';
import { prepareRank } from '../../../src/passes/prepare.js';
import { timingOfRun } from '../../../src/records/timing/timing-of-run.js';
import type { Placement } from '../../../src/replay/placement.js';
import { collective, compute, memory, receive, run, send, traces } from '../../support/jobs.js';
import { ALL_OFF, groupsOf } from '../../support/preparation.js';

/** On the network of the rules: α = 1 µs, 1 B/ns. */
const twoSends = (): ReturnType<typeof traces> =>
  traces(
    [compute(1, 5), send(2, 1, 1000, 0, [1]), send(3, 1, 3000, 1, [1])],
    [receive(1, 0, 1000, 0), receive(2, 0, 3000, 1)],
  );

const allReduce = (): ReturnType<typeof traces> =>
  traces([compute(1, 5), collective(2, 0, 2000, 'tp', [1])], [compute(1, 8), collective(2, 0, 2000, 'tp', [1])]);

function placed(groupOf: number[], subgroupOf: number[]): Placement {
  const server = { id: 0, name: 'server', node: 0, nicNode: 0 };
  return {
    servers: [],
    serverOf: groupOf.map(() => server),
    groups: [
      { id: 4, bandwidthGbps: 800, switchLatencyPs: 0, cableLatencyPs: 0 },
      { id: 7, bandwidthGbps: 800, switchLatencyPs: 0, cableLatencyPs: 0 },
    ],
    groupOf: Int32Array.from(groupOf),
    subgroupOf: Uint32Array.from(subgroupOf),
  };
}

describe('timing of a run', () => {
  test('a transfer takes from the start of its send to its arrival, an executor as long as something runs on it', () => {
    // Computes 0–5 µs. Sends 5–6 and 5–8, arrivals 7 and 9, acknowledgments 8 and 10.
    const report = timingOfRun(run(twoSends(), { recordTransfers: true }));
    expect(report.test).toEqual({
      name: 'simulate',
      clock: 'simulated',
      bytes: 4000,
      timePs: 10e6,
      bytesPerNs: 0.4,
      overheadPs: 5e6, // 10 − max(5, 4)
      outsidePs: null,
      unfinished: 0,
      unfinishedBytes: 0,
    });
    expect(report.executors).toEqual([
      {
        name: 'rank 0 NPU',
        bytes: null,
        timePs: 5e6,
        bytesPerNs: null,
        sumBytesPerNs: null,
        nodes: 1,
        unfinished: 0,
        unfinishedBytes: 0,
        transfers: [],
      },
      {
        name: 'rank 0 NIC',
        bytes: 4000,
        timePs: 4e6, // 5–9
        bytesPerNs: 1,
        sumBytesPerNs: 1.25,
        nodes: null,
        unfinished: 0,
        unfinishedBytes: 0,
        transfers: [
          {
            name: 'send 2',
            path: 'rank 0 -> NIC -> rank 1',
            count: 1,
            bytes: 1000,
            timePs: 2e6,
            bytesPerNs: 0.5,
            unfinished: 0,
            unfinishedBytes: 0,
            depth: 0,
          },
          {
            name: 'send 3',
            path: 'rank 0 -> NIC -> rank 1',
            count: 1,
            bytes: 3000,
            timePs: 4e6,
            bytesPerNs: 0.75,
            unfinished: 0,
            unfinishedBytes: 0,
            depth: 0,
          },
        ],
      },
    ]);
  });

  test('idle time within an executor is not its work; nodes of each processor are counted', () => {
    // NPU 0–2; memory 2–5 and, beside it from 0, 0–1; CPU 5–6; NPU 6–9.
    const job = traces([compute(1, 2), memory(2, 3, [1]), memory(3, 1), compute(4, 1, [2], true), compute(5, 3, [4])]);
    const { executors, test: whole } = timingOfRun(run(job, { recordTransfers: true }));
    expect(executors.map(({ name, timePs, nodes }) => [name, timePs, nodes])).toEqual([
      ['rank 0 NPU', 5e6, 2],
      ['rank 0 CPU', 1e6, 1],
      ['rank 0 memory', 4e6, 2],
    ]);
    expect(whole).toMatchObject({ timePs: 9e6, overheadPs: 4e6, bytes: null, bytesPerNs: null });
  });

  test('the transfers of a collective are one line of each executor', () => {
    // Rank 0 sends at 5 and, having received at 10, at 10: arrivals 7 and 12. Rank 1 sends twice at 8: arrivals 10.
    const job = allReduce();
    const plan = planCollectives(job.map(surveyRank), groupsOf({ tp: [0, 1] }), {});
    const { executors, test: whole } = timingOfRun(run(job, { plan, recordTransfers: true }));
    expect(executors.map(({ name, timePs, bytes, bytesPerNs }) => [name, timePs, bytes, bytesPerNs])).toEqual([
      ['rank 0 NPU', 5e6, null, null],
      ['rank 0 NIC', 4e6, 2000, 0.5],
      ['rank 1 NPU', 8e6, null, null],
      ['rank 1 NIC', 2e6, 2000, 1],
    ]);
    expect(executors[1].transfers).toEqual([
      {
        name: 'AllReduce 0',
        path: 'rank 0 -> NIC -> ring of 2 ranks "tp"',
        count: 2,
        bytes: 2000,
        timePs: 7e6, // 5–12
        bytesPerNs: (2000 / 7e6) * 1000,
        unfinished: 0,
        unfinishedBytes: 0,
        depth: 0,
      },
    ]);
    expect(executors[3].transfers[0]).toMatchObject({ count: 2, timePs: 2e6, bytesPerNs: 1 });
    expect(whole).toMatchObject({ timePs: 13e6, overheadPs: 5e6, bytes: 4000 });
  });

  test('an expanded collective gives the lines of the raw one', () => {
    const job = allReduce();
    const groups = groupsOf({ tp: [0, 1] });
    const surveys = job.map(surveyRank);
    const preparation = planPreparation(surveys, { ...ALL_OFF, expand: true, groups, rankCount: 2 });
    const expanded = job.map((trace) => prepareRank(trace, preparation).trace);
    const raw = run(job, { plan: planCollectives(surveys, groups, {}), recordTransfers: true });
    expect(timingOfRun(run(expanded, { recordTransfers: true }))).toEqual(timingOfRun(raw));
  });

  test('added barriers are one line of an executor: their time counts, bytes they have none', () => {
    // Rank 1 reports at 8, arrival 9; rank 0 releases at 9, arrival 10. Rank 0 sends at 9 (11) and, on the arrival of rank
    // 1's transfer 10–12, at 12 (14); rank 1 at 10 (12) and at 11 (13). Two collectives, the second after the first.
    const job = allReduce();
    const plan = planCollectives(job.map(surveyRank), groupsOf({ tp: [0, 1] }), {});
    const { executors } = timingOfRun(run(job, { plan, sync: true, recordTransfers: true }));
    const [, nic0, , nic1] = executors;
    expect(nic0).toMatchObject({ timePs: 4e6, bytes: 2000 }); // 9–11, 12–14
    expect(nic1).toMatchObject({ timePs: 4e6, bytes: 2000 }); // 8–9, 10–13
    expect(nic0.transfers.map(({ name, count, bytes, timePs }) => [name, count, bytes, timePs])).toEqual([
      ['added barriers', 1, 0, 1e6],
      ['AllReduce 0', 2, 2000, 5e6],
    ]);
    expect(nic1.transfers.map(({ name, count, bytes, timePs }) => [name, count, bytes, timePs])).toEqual([
      ['added barriers', 1, 0, 1e6],
      ['AllReduce 0', 2, 2000, 3e6],
    ]);
    expect(nic1.transfers[0]).toMatchObject({ path: 'rank 1 -> NIC -> added barriers', bytesPerNs: 0 });
  });

  test('the time of added barriers leaves out what lies between them', () => {
    // Each takes 1 µs, though hundreds of µs pass between the two.
    const job = traces(
      ...[0, 1].map(() => [collective(1, 0, 2000, 'tp'), compute(2, 500, [1]), collective(3, 0, 2000, 'tp', [2])]),
    );
    const plan = planCollectives(job.map(surveyRank), groupsOf({ tp: [0, 1] }), {});
    const { executors } = timingOfRun(run(job, { plan, sync: true, recordTransfers: true }));
    const nic = executors.find(({ name }) => name === 'rank 1 NIC')!;
    expect(nic.transfers.map(({ name, count, timePs }) => [name, count, timePs! < 10e6])).toEqual([
      ['added barriers', 2, true],
      ['AllReduce 0', 2, true],
      ['AllReduce 1', 2, true],
    ]);
    expect(nic.transfers[0].timePs).toBe(2e6);
  });

  test('R-060 transfers within a scale-up group go through it, others through the NIC, to itself through neither', () => {
    const job = traces(
      [send(1, 1, 1000, 0), send(2, 2, 2000, 0), send(3, 3, 3000, 0), send(4, 0, 50, 9), receive(5, 0, 50, 9)],
      [receive(1, 0, 1000, 0)],
      [receive(1, 0, 2000, 0)],
      [receive(1, 0, 3000, 0), send(2, 2, 100, 5)],
    );
    job[2] = traces([], [], [receive(1, 0, 2000, 0), receive(2, 3, 100, 5)])[2];
    // Ranks 0 and 1 in group 7, subgroups 2 and 3; rank 2 in group 4; rank 3 in none.
    const report = timingOfRun(run(job, { recordTransfers: true }), placed([1, 1, 0, -1], [2, 3, 0, 0]));
    expect(report.executors.map(({ name, transfers }) => [name, ...transfers.map(({ path }) => path)])).toEqual([
      ['rank 0 scale-up', 'rank 0 -> scale-up 7/3 -> rank 1'],
      ['rank 0 NIC', 'rank 0 -> NIC -> rank 2', 'rank 0 -> NIC -> rank 3'],
      ['rank 0 to itself', 'rank 0 -> rank 0'],
      ['rank 3 NIC', 'rank 3 -> NIC -> rank 2'],
    ]);
    expect(report.executors[2]).toMatchObject({ bytes: 50, timePs: 0, bytesPerNs: null, sumBytesPerNs: null });
    expect(report.executors[1]).toMatchObject({ bytes: 5000, timePs: 4e6, bytesPerNs: 1.25 });
    expect(report.executors[1].sumBytesPerNs).toBeCloseTo(2000 / 3000 + 3000 / 4000, 12);
  });

  test('a collective in a scale-up group names the group once', () => {
    const job = allReduce();
    const plan = planCollectives(job.map(surveyRank), groupsOf({ tp: [0, 1] }), {});
    const report = timingOfRun(run(job, { plan, recordTransfers: true }), placed([0, 0], [0, 1]));
    expect(report.executors[1].name).toBe('rank 0 scale-up');
    expect(report.executors[1].transfers[0].path).toBe('rank 0 -> scale-up 4 -> ring of 2 ranks "tp"');
  });

  test('R-141 a run that reached its limit lasts until then; what has not arrived is unfinished, not lost', () => {
    const { test: whole, executors } = timingOfRun(run(twoSends(), { recordTransfers: true, stopPs: 8e6 }));
    expect(whole).toMatchObject({ timePs: 8e6, overheadPs: 3e6, bytes: 1000, bytesPerNs: 0.125 });
    expect(whole).toMatchObject({ unfinished: 1, unfinishedBytes: 3000 });
    expect(executors[1]).toMatchObject({ timePs: 3e6, bytes: 1000, sumBytesPerNs: 0.5, unfinished: 1 }); // 5–8
    expect(executors[1].transfers[1]).toMatchObject({
      name: 'send 3',
      bytes: 0,
      timePs: null,
      bytesPerNs: null,
      unfinished: 1,
      unfinishedBytes: 3000,
    });
  });

  test('R-141 an arrival at the limit is within the run', () => {
    const { executors } = timingOfRun(run(twoSends(), { recordTransfers: true, stopPs: 9e6 }));
    expect(executors[1]).toMatchObject({ timePs: 4e6, unfinished: 0, bytes: 4000 });
  });

  test('a node that runs at the limit counts as unfinished and ran until then', () => {
    const { executors } = timingOfRun(run(twoSends(), { recordTransfers: true, stopPs: 3e6 }));
    expect(executors).toHaveLength(1);
    expect(executors[0]).toMatchObject({ name: 'rank 0 NPU', timePs: 3e6, nodes: 1, unfinished: 1 });
  });

  test('a transfer that never arrives is unfinished in a stalled run too', () => {
    const outcome = run(twoSends(), { recordTransfers: true });
    outcome.transferLog!.received[1] = NaN;
    const { executors } = timingOfRun(outcome);
    expect(executors[1]).toMatchObject({ timePs: 5e6, unfinished: 1, unfinishedBytes: 3000 }); // 5–10
    outcome.transferLog!.received[1] = Infinity;
    expect(timingOfRun(outcome).executors[1]).toMatchObject({ timePs: 5e6, unfinished: 1 });
  });

  test('a collective of which something has not arrived has no time', () => {
    const job = allReduce();
    const plan = planCollectives(job.map(surveyRank), groupsOf({ tp: [0, 1] }), {});
    const outcome = run(job, { plan, recordTransfers: true, stopPs: 11e6 });
    const nic = timingOfRun(outcome).executors[1];
    // Its first transfer arrived at 7, the second is on its way 10–12.
    expect(nic.transfers[0]).toMatchObject({
      count: 2,
      bytes: 1000,
      timePs: null,
      unfinished: 1,
      unfinishedBytes: 1000,
    });
    expect(nic.timePs).toBe(3e6); // 5–7, 10–11
  });

  test('a run lasts until a transfer has arrived that nobody received', () => {
    const outcome = run(twoSends(), { recordTransfers: true });
    const earlier = { ...outcome, endPs: 8e6 };
    expect(timingOfRun(earlier).test).toMatchObject({ timePs: 9e6, overheadPs: 4e6 });
  });

  test('a later start of all ranks is no time of the run', () => {
    const outcome = { ...run(twoSends(), { recordTransfers: true }), startPs: 4e6 };
    expect(timingOfRun(outcome).test).toMatchObject({ timePs: 6e6, overheadPs: 1e6 });
  });

  test('a job of nothing takes no time', () => {
    const { test: whole, executors } = timingOfRun(run(traces([], []), { recordTransfers: true }));
    expect(executors).toEqual([]);
    expect(whole).toMatchObject({ timePs: 0, bytes: null, bytesPerNs: null, overheadPs: 0 });
  });

  test('a run that kept no transfers is refused', () => {
    expect(() => timingOfRun(run(twoSends()))).toThrow(expect.objectContaining({ code: 'TRANSFERS_NOT_RECORDED' }));
  });
});
