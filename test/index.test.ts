import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  analyticalUnaware,
  openTraceSource,
  parseNetwork,
  prepareTraceset,
  readTrace,
  replay,
  DEFAULT_RUN_OPTIONS,
  simulateTraceset,
} from '../src/index.js';
import { REPOSITORY } from './support/repository.js';

/** The public library does what the commands do, with no more than its exports. */

const traces = join(REPOSITORY, 'samples', 'traces');
const NETWORK = 'alpha-beta:latency=1us,bandwidth=50GB/s';

test('a traceset is prepared, read back and replayed', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'library-')), 'prepared');
  const report = await prepareTraceset({
    inputs: [traces],
    deps: 'both',
    steps: { validate: true, expand: true, serialize: true, sync: true, annotate: true },
    output: { folder, format: 'et' },
  });
  expect(report.files).toEqual(['step.0.et', 'step.1.et', 'step.2.et', 'step.3.et']);
  expect(readdirSync(folder)).toContain('step.3.ready.json');
  const ranks = report.files.map((name, rank) => {
    const file = join(folder, name);
    return readTrace(openTraceSource(file), { rank, file }).trace;
  });
  const outcome = replay(ranks, { network: analyticalUnaware(parseNetwork(NETWORK)) });
  // 4 AllReduces on 2 pairs of ranks with 4 transfers each, 4 collectives of 2 transfers, a ring barrier of 24, one send.
  expect(outcome).toMatchObject({ status: 'finished', transfers: 8 * 4 + 4 * 2 + 24 + 1 });
});

test('raw traces give the result document', async () => {
  const { document } = await simulateTraceset({
    ...DEFAULT_RUN_OPTIONS,
    inputs: [traces],
    deps: 'both',
    network: NETWORK,
    family: 'synthesized',
    algorithms: {},
    order: 'recorded',
    useMaxStart: true,
    abortOnWarning: false,
  });
  expect(document).toMatchObject({ schema: 'chakra-prep/simulate-result/1', status: 'finished', transfers: 65 });
});
