import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemRun } from '../../src/astra-sim/system-run.js';
import {
  simulateSystemTraceset,
  type SystemSimulation,
  type SystemSimulationRequest,
} from '../../src/pipeline/simulate-system-traceset.js';
import { newFolder, writeRanks } from '../support/folders.js';
import { collective, compute, send } from '../support/jobs.js';
import { systemOutcome, systemRank } from '../support/system-outcomes.js';
import { buildEt, type NodeObject } from '../support/traces.js';

/** What the engine is given, and what is made of what it gives. */

const SYSTEM = {
  'scheduling-policy': 'LIFO',
  'endpoint-delay': 10,
  'active-chunks-per-dimension': 1,
  'local-mem-bw': 1600,
  'preferred-dataset-splits': 4,
  'all-reduce-implementation': ['ring'],
  'collective-optimization': 'localBWAware',
};

function written(name: string, text: string): string {
  const path = join(newFolder(), name);
  writeFileSync(path, text);
  return path;
}

function network(...counts: number[]): string {
  const list = (value: unknown): string => `[ ${counts.map(() => value).join(', ')} ]`;
  const text = `topology: ${list('Ring')}\nnpus_count: [ ${counts.join(', ')} ]\nbandwidth: ${list(50)}\nlatency: ${list(500)}\n`;
  return written('network.yml', text);
}

function request(ranks: readonly NodeObject[][], told: Partial<SystemSimulationRequest> = {}): SystemSimulationRequest {
  return {
    inputs: [writeRanks(newFolder(), ranks)],
    deps: 'both',
    network: network(ranks.length),
    systemFile: written('system.json', JSON.stringify(SYSTEM)),
    queuesPerDimension: 1,
    injectionScale: 1,
    rendezvous: false,
    extensions: false,
    backend: 'analytical-unaware',
    stopPs: 10e12,
    ...told,
  };
}

/** Runs a traceset with an engine that looks at its run and says that every rank ended at once. */
async function ran(
  asked: SystemSimulationRequest,
  look: (run: SystemRun) => void = () => {},
): Promise<SystemSimulation> {
  return simulateSystemTraceset(asked, (run) => {
    look(run);
    return systemOutcome(Array.from({ length: run.rankCount }, (_, rank) => systemRank(rank, 1)));
  });
}

async function refusal(asked: SystemSimulationRequest, look?: (run: SystemRun) => void): Promise<unknown> {
  return ran(asked, look).then(
    () => 'accepted',
    (error: unknown) => error,
  );
}

const WORLD = [[collective(4, 0, 1024, '')], [collective(5, 0, 1024, '')]];

describe('what the engine is given', () => {
  test('traces as they are, network, files, groups and options', async () => {
    const group = written('groups.json', '{"1": [1, 0]}');
    const memoryFile = written(
      'memory.json',
      '{"memory-type": "MEMORY_POOL", "remote-mem-latency": 250, "remote-mem-bw": 37}',
    );
    const ranks = [0, 1].map((rank) => [compute(1, 5), collective(2 + rank, 0, 1000, '1')]);
    const asked = request(ranks, {
      groups: group,
      memoryFile,
      queuesPerDimension: 3,
      injectionScale: 2.5,
      rendezvous: true,
      backend: 'analytical-aware',
      deps: 'data',
    });
    expect.hasAssertions();
    await ran(asked, (run) => {
      expect(run).toMatchObject({
        rankCount: 2,
        backend: 'analytical-aware',
        network: { kind: 'analytical', dimensions: [{ topology: 'Ring', npus: 2, latencyNs: 500 }] },
        system: { file: asked.systemFile, datasetSplits: 4, endpointDelayNs: 25 },
        memory: { file: memoryFile, kind: 'MEMORY_POOL', latencyNs: 250, bytesPerNs: 37 },
        options: { queuesPerDimension: 3, rendezvous: true, deps: 'data', stopNs: 10_000_000_000 },
      });
      expect([...run.groups.values()].map(({ name, ranks: members }) => [name, members])).toEqual([['1', [1, 0]]]);
      // No pass is applied: the collective is the node that it was.
      expect(run.withTrace(1, (trace) => [trace.rank, ...trace.idLow])).toEqual([1, 1, 3]);
      expect(run.withTrace(0, (trace) => [trace.rank, ...trace.idLow])).toEqual([0, 1, 2]);
    });
  });

  test('without a memory file no remote memory can be reached', async () => {
    let kind: unknown;
    await ran(request(WORLD), ({ memory }) => (kind = memory.kind));
    expect(kind).toBe('NO_MEMORY_EXPANSION');
  });

  // An event at n ns is within a stop of n ns and some ps.
  test.each([
    [10e12, 10_000_000_000],
    [1000, 1],
    [999, 0],
    [1999, 1],
    [0, 0],
    [2 ** 53 - 992, 9_007_199_254_740], // 2^53 is 9007199254740992
    [2 ** 53 - 993, 9_007_199_254_739],
    [Infinity, Infinity],
  ])('a stop of %d ps is one of %d ns', async (stopPs, stopNs) => {
    let stop: unknown;
    await ran(request(WORLD, { stopPs }), ({ options }) => (stop = options.stopNs));
    expect(stop).toBe(stopNs);
  });

  test('traces of a custom collective by position', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'star.1.et'), buildEt([send(7, 0, 8, 3)]));
    let ids: unknown;
    await ran(
      request(WORLD),
      (run) => (ids = run.withCustomTrace(join(folder, 'star'), 1, ({ rank, idLow }) => [rank, ...idLow])),
    );
    expect(ids).toEqual([1, 7]);
  });
});

describe('more ranks than NPUs: the program reads the first ones only', () => {
  async function leftOut(folder: string): Promise<[number, string[]]> {
    const asked = { ...request(WORLD), inputs: [folder] };
    let rankCount = 0;
    const { findings } = await ran(asked, (run) => (rankCount = run.rankCount));
    const told = findings.filter(({ code }) => code === 'SYSTEM_TRACES_LEFT_OUT');
    return [rankCount, told.map(({ message }) => message.replace(asked.network, 'network.yml'))];
  }

  test('the others are left out, and counted', async () => {
    const folder = writeRanks(newFolder(), [...WORLD, ...WORLD, WORLD[0]]);
    expect(await leftOut(folder)).toEqual([2, ['network.yml: 2 NPUs for 5 trace files: ranks 2–4 are left out']]);
  });

  test('that one of them has no file is no matter', async () => {
    const folder = writeRanks(newFolder(), [...WORLD, ...WORLD]);
    rmSync(join(folder, 'job.2.et'));
    expect(await leftOut(folder)).toEqual([2, ['network.yml: 2 NPUs for 3 trace files: rank 3 is left out']]);
  });
});

describe('what is refused', () => {
  test('TRACESET_INCOMPLETE a rank without a file among the first', async () => {
    const folder = writeRanks(newFolder(), [...WORLD, ...WORLD]);
    rmSync(join(folder, 'job.1.et'));
    const asked = { ...request(WORLD), inputs: [folder] };
    expect(await refusal(asked)).toMatchObject({ code: 'TRACESET_INCOMPLETE', exitStatus: 1 });
  });

  test('NETWORK_SIZE fewer ranks than NPUs', async () => {
    const asked = request(WORLD, { network: network(4, 2) });
    expect(await refusal(asked)).toMatchObject({
      code: 'NETWORK_SIZE',
      exitStatus: 2,
      message: `${asked.network}: npus_count is 8 = 4 × 2, the traceset has 2 ranks; expected a rank for every NPU`,
    });
    const alone = request([[compute(1, 1)]], { network: network(3) });
    expect(await refusal(alone)).toMatchObject({
      message: `${alone.network}: npus_count is 3, the traceset has 1 rank; expected a rank for every NPU`,
    });
  });

  test.each(['alpha-beta:latency=1us,bandwidth=50GB/s', 'alpha-beta:latency=1us,bandwith=50GB/s'])(
    'SYSTEM_CONTRADICTED a short form of a network: %s',
    async (form) => {
      expect(await refusal(request(WORLD, { network: form }))).toMatchObject({
        code: 'SYSTEM_CONTRADICTED',
        message: `--network ${form} does not go with --system: expected an analytical network file`,
        advice: 'name a .yml file with topology, npus_count, bandwidth and latency',
      });
    },
  );

  test('NETWORK_UNREADABLE, TRACESET_INCOMPLETE', async () => {
    expect(await refusal(request(WORLD, { network: 'nowhere.yml' }))).toMatchObject({ code: 'NETWORK_UNREADABLE' });
    const folder = newFolder();
    writeFileSync(join(folder, 'job.1.et'), buildEt([compute(1, 1)]));
    expect(await refusal(request(WORLD, { inputs: [folder] }))).toMatchObject({ code: 'TRACESET_INCOMPLETE' });
  });

  test('TRACES_REFUSED a group that is declared nowhere, before anything runs', async () => {
    const ranks = [0, 1].map(() => [collective(1, 0, 8, '7')]);
    const look = (): never => {
      throw new Error('ran');
    };
    expect(await refusal(request(ranks), look)).toMatchObject({
      code: 'TRACES_REFUSED',
      exitStatus: 1,
      message: 'not replayed: GROUP_UNDECLARED',
      findings: [{ code: 'GROUP_UNDECLARED', group: '7' }],
    });
  });

  test('TRACES_REFUSED a group "0" of a few ranks', async () => {
    const ranks = [0, 1, 2].map(() => [collective(1, 0, 8, '0')]);
    const groups = written('groups.json', '{"0": [0, 1]}');
    expect(await refusal(request(ranks, { groups }))).toMatchObject({
      code: 'TRACES_REFUSED',
      message: 'not replayed: ASTRA_GROUP_ZERO',
    });
  });

  test('WARNING_ABORTS where a warning is to stop a run', async () => {
    const warning = { code: 'SCHEMA', severity: 'warning', message: 'old' } as const;
    const asked = request(WORLD, { findings: [warning], abortOnWarning: true });
    expect(await refusal(asked)).toMatchObject({ code: 'WARNING_ABORTS', exitStatus: 1 });
    expect(await ran({ ...asked, abortOnWarning: false })).toMatchObject({ document: { status: 'finished' } });
  });

  test('FILE_UNREADABLE a position without its custom trace', async () => {
    const prefix = join(newFolder(), 'star');
    const look = ({ withCustomTrace }: SystemRun): void => withCustomTrace(prefix, 3, () => undefined);
    expect(await refusal(request(WORLD), look)).toMatchObject({
      code: 'FILE_UNREADABLE',
      exitStatus: 3,
      message: `${prefix}.3.et: no such file; the custom collective ${prefix} needs it for position 3`,
    });
  });
});

test('settings of older versions change nothing without --system-extensions', async () => {
  const nodes = [
    {
      ...collective(1, 0, 40_000, ''),
      attr: { ...collective(1, 0, 40_000, '').attr, comm_priority: { int32_val: 1 } },
    },
    {
      ...collective(2, 0, 80_000, ''),
      attr: { ...collective(2, 0, 80_000, '').attr, comm_priority: { int32_val: 9 } },
    },
    compute(3, 1, [2]),
  ];
  const ranks = [nodes, nodes, nodes, nodes];
  const dimensions = { 'all-reduce-implementation': ['ring', 'ring'] };
  const file = (keys: object): string => written('system.json', JSON.stringify({ ...SYSTEM, ...dimensions, ...keys }));
  const older = { 'scheduling-policy': 'EXPLICIT', 'inter-dimension-scheduling': 'roundRobin' };
  const run = async (told: Partial<SystemSimulationRequest>): Promise<object> => {
    const { document } = await simulateSystemTraceset(request(ranks, { network: network(2, 2), ...told }));
    return { ...document, findings: [] };
  };
  const plain = await run({ systemFile: file({}) });
  expect(await run({ systemFile: file(older) })).toEqual(plain);
  expect(await run({ systemFile: file(older), extensions: true })).not.toEqual(plain);
});

test('--system-extensions says that the policy counts, whatever else the file asks for', async () => {
  const asked = request(WORLD, { extensions: true });
  const { findings } = await ran(asked);
  expect(findings.filter(({ code }) => code === 'SYSTEM_EXTENSION').map(({ message }) => message)).toEqual([
    `${asked.systemFile}: scheduling-policy: LIFO counts, collectives of a rank run at the same time here and one after another in ASTRA-sim`,
  ]);
});

test('a memory trace that is asked for and not written is a note', async () => {
  const systemFile = written('system.json', JSON.stringify({ ...SYSTEM, 'track-local-mem': 1 }));
  const { findings } = await ran(request(WORLD, { systemFile }));
  expect(findings).toContainEqual({
    code: 'SETTING_UNUSED',
    severity: 'note',
    message: `${systemFile}: track-local-mem is not used: no trace of the memory in use is written`,
    file: systemFile,
    advice: 'leave track-local-mem out',
  });
});

test('findings of the configuration, of reading and of the run, in this order', async () => {
  const early = { code: 'SETTING_UNUSED', severity: 'note', message: 'early' } as const;
  const late = { code: 'SETTING_UNUSED', severity: 'note', message: 'late' } as const;
  const { findings, document } = await simulateSystemTraceset(request(WORLD, { findings: [early] }), () =>
    systemOutcome([systemRank(0, 1), systemRank(1, 2)], { findings: [late] }),
  );
  const messages = findings.map(({ message }) => message);
  expect(messages[0]).toBe('early');
  expect(messages.at(-1)).toBe('late');
  expect(findings.map(({ code }) => code)).toContain('GROUP_WORLD');
  expect(document).toMatchObject({ endNs: 2, findings });
});
