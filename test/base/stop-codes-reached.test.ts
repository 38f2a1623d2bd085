import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemorySource } from '../../src/base/byte-source.js';
import { PrepError } from '../../src/base/errors.js';
import { STOP_CODES, type StopCode } from '../../src/base/stop-codes.js';
import { parseBytes } from '../../src/base/units.js';
import { planCollectives } from '../../src/collectives/build-plan.js';
import { chooseAlgorithms } from '../../src/collectives/catalogue.js';
import { surveyCollectives } from '../../src/collectives/survey.js';
import { openFeeder } from '../../src/feeder/open-feeder.js';
import { analyticalAware } from '../../src/network/analytical-aware.js';
import { packetSettings } from '../../src/network/packet/settings/default-settings.js';
import type { NetworkFactory } from '../../src/network/network.js';
import { validateTraceset } from '../../src/pipeline/validate-traceset.js';
import { timingOfRun } from '../../src/records/timing/timing-of-run.js';
import { placeRanks } from '../../src/replay/placement.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { officialCase } from '../../src/workloads/official-cases.js';
import { writeCase } from '../support/example-cases.js';
import { runHere } from '../support/in-process.js';
import { collective, compute, run, traces } from '../support/jobs.js';
import { prepareAll } from '../support/preparation.js';
import { STOP_CASES } from '../support/stop-cases.js';
import { topologyOf } from '../support/topologies.js';
import { buildEt } from '../support/traces.js';

const SOUND = buildEt([compute(1, 5)]);
const GROUPS = new Map([['g', { name: 'g', ranks: [0, 1], origin: 'test' }]]);
/** Two ranks with one all-reduce. */
function pair(): RankTrace[] {
  return traces([collective(1, 0, 8, 'g')], [collective(1, 0, 8, 'g')]);
}

/** Codes that a command line never meets: what a program that uses the library does to meet them. */
const LIBRARY_CALLS: Partial<Record<StopCode, () => unknown>> = {
  COLLECTIVE_UNKNOWN: () => chooseAlgorithms({ allred: 'ring' }),
  // Of a size in a configuration CONFIG_INVALID says so, with its place.
  SIZE_MALFORMED: () => parseBytes('4 kibibytes'),
  TRANSFERS_NOT_RECORDED: () => timingOfRun(run(traces([compute(1, 5)]))),
  COLLECTIVES_RAW: () => {
    const ranks = pair();
    const plan = planCollectives(ranks.map(surveyCollectives), GROUPS, {});
    // A network that gives no times of one transfer alone.
    const shared: NetworkFactory = () => ({ name: 'shared', post: () => undefined });
    return run(ranks, { network: shared, plan });
  },
  // Commands check the findings before they plan: there it is TRACES_REFUSED.
  PREPARATION_REFUSED: () => {
    const [first] = prepareAll(pair(), { sync: true, groups: GROUPS }).traces;
    return prepareAll([first, pair()[1]], { sync: true, groups: GROUPS });
  },
  NETWORK_TOO_LARGE: () => {
    const network = analyticalAware(topologyOf(['FullyConnected', 16_385, 50, 500]), { allowExtra: true });
    return run(traces([compute(1, 5)]), { network });
  },
  PACKET_SETTING: () => packetSettings({ nodes: [], links: [] }, { nic: 'roce', seed: 1, stated: { Xoff: 1, Xon: 2 } }),
  NIC_KINDS_MIXED: () =>
    placeRanks({
      rankCount: 2,
      servers: [
        { id: 0, name: 'a', node: 0, nicNode: 2, nic: 'roce' },
        { id: 1, name: 'b', node: 1, nicNode: 3, nic: 'uet' },
      ],
    }),
  STDIN_ABSENT: () => validateTraceset({ inputs: ['-'], algorithms: {}, deps: 'both' }),
  FEEDER_CLOSED: () => {
    const feeder = openFeeder(new MemorySource(SOUND, 'job.0.et'));
    feeder.close();
    return feeder.lookupNode(1n);
  },
  FEEDER_NODE_ABSENT: () => openFeeder(new MemorySource(SOUND, 'job.0.et')).lookupNode(2n),
  FEEDER_NODE_STATE: () => {
    const feeder = openFeeder(new MemorySource(SOUND, 'job.0.et'));
    const node = feeder.getNextIssuableNode();
    return feeder.removeNode(node!); // it is issued, and its children are not freed
  },
  CASE_UNKNOWN: () => officialCase('ALLREDUCE'),
  CASE_PARAMETER: () => officialCase('one_comm_send_node', { ranks: 1 }),
  FEEDER_WINDOW: () => openFeeder(new MemorySource(SOUND, 'job.0.et'), { windowNodes: 0 }),
};

test('every code that stops a command is met by a command line or a call of the library', () => {
  const met = [...Object.keys(STOP_CASES), ...Object.keys(LIBRARY_CALLS)];
  expect(met.sort()).toEqual(Object.keys(STOP_CODES).sort());
});

describe('a command line is stopped', () => {
  const home = process.cwd();
  afterAll(() => process.chdir(home));

  test.each(Object.entries(STOP_CASES))('by %s', async (code, stop) => {
    process.chdir(mkdtempSync(join(tmpdir(), 'stop-')));
    const words = await writeCase(stop, async (before) => {
      expect((await runHere(before)).status).toBe(0);
    });
    stop.prepare?.();
    const { status, stderr } = await runHere(words);
    const errors = stderr.split('\n').filter((line) => /^error /.test(line));
    expect(errors[errors.length - 1]).toMatch(new RegExp(`^error ${code}: `));
    expect(status).toBe(STOP_CODES[code as StopCode].exitStatus);
  });
});

describe('a call of the library throws', () => {
  test.each(Object.entries(LIBRARY_CALLS))('%s', async (code, call) => {
    const error: unknown = await (async () => call())().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PrepError);
    expect(error).toMatchObject({ code, exitStatus: STOP_CODES[code as StopCode].exitStatus });
  });
});
