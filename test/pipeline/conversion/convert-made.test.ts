import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JobForm, JobTarget } from '../../../src/formats/conversion.js';
import { Arm } from '../../../src/formats/et/attribute-arms.js';
import { attributeHead, type EtWriter } from '../../../src/formats/et/et-writer.js';
import { newMetadata } from '../../../src/formats/et/metadata.js';
import type { ConversionRequest } from '../../../src/pipeline/conversion/conversion-request.js';
import { convertMadeToJob, convertMadeToRanks } from '../../../src/pipeline/conversion/convert-made.js';
import { outputForm, type OutputForm } from '../../../src/pipeline/conversion/output-form.js';
import { DEFAULT_RUN_OPTIONS } from '../../../src/config/run-options.js';
import { NodeType } from '../../../src/trace/node-type.js';
import { filesBelow, newFolder } from '../../support/folders.js';
import { buildEt, type NodeObject } from '../../support/traces.js';

const SIZE = attributeHead('comm_size', Arm.int64);
const TO = attributeHead('comm_dst', Arm.int32);
const FROM = attributeHead('comm_src', Arm.int32);

/** A file with the number of ranks, of which each even one computes for 5 µs and sends 8 bytes to the next. */
const PAIRS: JobForm = {
  format: 'text-workload',
  options: ['ranks'],
  open(source) {
    const rankCount = Number(Buffer.from(source.read(0, source.length)).toString());
    return {
      rankCount,
      prefix: 'pairs',
      groups: new Map([['all', Array.from({ length: rankCount }, (_, rank) => rank)]]),
      findings: [],
      writeRank(rank: number, out: EtWriter): void {
        if (rank === 6) throw new Error('rank 6 cannot be made');
        out.metadata(newMetadata({ rank, worldSize: rankCount }));
        if (rank % 2 === 0) {
          out.begin(1, 'work', NodeType.compute);
          out.durationMicros(5);
          out.end();
          out.begin(2, 'send', NodeType.send);
          out.data([1]);
          out.integer(SIZE, 8);
          out.integer(TO, rank + 1);
        } else {
          out.begin(1, 'receive', NodeType.receive);
          out.integer(SIZE, 8);
          out.integer(FROM, rank - 1);
        }
        out.end();
      },
    };
  },
};

function nodesOf(rank: number): NodeObject[] {
  const size = { comm_size: { int64_val: 8 } };
  return rank % 2 === 0
    ? [
        { id: 1, name: 'work', type: 'COMP_NODE', duration_micros: 5 },
        {
          id: 2,
          name: 'send',
          type: 'COMM_SEND_NODE',
          data_deps: [1],
          attr: { ...size, comm_dst: { int32_val: rank + 1 } },
        },
      ]
    : [{ id: 1, name: 'receive', type: 'COMM_RECV_NODE', attr: { ...size, comm_src: { int32_val: rank - 1 } } }];
}

function etOf(rank: number, worldSize: number): Buffer {
  const attr = { rank: { int64_val: rank }, world_size: { int64_val: worldSize } };
  return Buffer.from(buildEt(nodesOf(rank), { version: '0.0.4', attr }));
}

interface Setting {
  readonly folder: string;
  readonly input: { readonly form: JobForm; readonly path: string };
  readonly request: ConversionRequest;
}

function setting(ranks: number, more: Partial<ConversionRequest> = {}): Setting {
  const folder = newFolder();
  const path = join(folder, 'pairs.txt');
  writeFileSync(path, String(ranks));
  const request = {
    inputs: [path],
    deps: 'both' as const,
    to: 'et',
    folder: join(folder, 'out'),
    options: {},
    ...more,
  };
  return { folder, input: { form: PAIRS, path }, request };
}

function withoutFolder(request: ConversionRequest): ConversionRequest {
  const { folder, ...rest } = request;
  expect(folder).toBeDefined();
  return rest;
}

const ranksForm = (name: string) => outputForm(name) as Exclude<OutputForm, { kind: 'job' }>;

test('a rank a file, the groups beside them, and what was made', async () => {
  const { folder, input, request } = setting(4);
  const report = await convertMadeToRanks(request, input, ranksForm('et'));
  expect(filesBelow(join(folder, 'out'))).toEqual({
    'comm_group.json': Buffer.from('{\n  "all": [0,1,2,3]\n}\n'),
    ...Object.fromEntries([0, 1, 2, 3].map((rank) => [`pairs.${rank}.et`, etOf(rank, 4)])),
  });
  expect(report).toEqual({
    from: 'text-workload',
    ranks: 4,
    kinds: {
      COMP_NODE: { nodes: 2, bytes: 0 },
      COMM_SEND_NODE: { nodes: 2, bytes: 16 },
      COMM_RECV_NODE: { nodes: 2, bytes: 16 },
    },
    findings: [],
    files: ['pairs.0.et', 'pairs.1.et', 'pairs.2.et', 'pairs.3.et'],
  });
});

test('compressed, as lines, and in a form of another program', async () => {
  const packed = setting(2, { to: 'et.gz' });
  await convertMadeToRanks(packed.request, packed.input, ranksForm('et.gz'));
  expect(gunzipSync(readFileSync(join(packed.folder, 'out/pairs.1.et.gz')))).toEqual(etOf(1, 2));
  const lines = setting(2, { to: 'jsonl' });
  await convertMadeToRanks(lines.request, lines.input, ranksForm('jsonl'));
  expect(readFileSync(join(lines.folder, 'out/pairs.1.jsonl'), 'utf8')).toBe(
    '{"schema":"chakra-prep/trace/1","version":"0.0.4","attr":[{"name":"rank","int64":1},{"name":"world_size","int64":2}]}\n' +
      '{"id":1,"name":"receive","type":"COMM_RECV_NODE","attr":[{"name":"comm_size","int64":8},{"name":"comm_src","int32":0}]}\n',
  );
  const feeder = setting(2, { to: 'feeder-json' });
  const { findings } = await convertMadeToRanks(feeder.request, feeder.input, ranksForm('feeder-json'));
  expect(readFileSync(join(feeder.folder, 'out/pairs.1.json'), 'utf8')).toBe(
    '{"workload_graph": [\n  {"Id": 1, "Name": "receive", "NodeType": 6, "data_deps": [], "comm_size": 8, "comm_src": 0}\n]}\n',
  );
  expect(findings.map(({ message }) => message)).toEqual([
    'feeder JSON cannot carry metadata attributes rank: 2 are left out, first rank 0 metadata',
    'feeder JSON cannot carry metadata attributes world_size: 2 are left out, first rank 0 metadata',
  ]);
});

test('chosen ranks, and one of them without a folder', async () => {
  const { folder, input, request } = setting(4, { only: [3, 1] });
  const { files } = await convertMadeToRanks(request, input, ranksForm('et'));
  expect(files).toEqual(['pairs.1.et', 'pairs.3.et']);
  expect(Object.keys(filesBelow(join(folder, 'out')))).toEqual(['comm_group.json', 'pairs.1.et', 'pairs.3.et']);
  const piped = withoutFolder(setting(4, { only: [2] }).request);
  const { output, files: none } = await convertMadeToRanks(piped, input, ranksForm('et'));
  expect([Buffer.from(output!), none]).toEqual([etOf(2, 4), []]);
});

test('nothing is left when a rank cannot be made', async () => {
  const { folder, input, request } = setting(8);
  await expect(convertMadeToRanks(request, input, ranksForm('et'))).rejects.toThrow('rank 6 cannot be made');
  expect(Object.keys(filesBelow(folder))).toEqual(['pairs.txt']);
});

test.each<[string, Partial<ConversionRequest>, string]>([
  ['RANK_ABSENT', { only: [4] }, '--only 4: the job has 4 ranks'],
  ['OPTION_NOT_TAKEN', { groups: 'g.json' }, '--groups: is for tracesets'],
  ['OPTION_NOT_TAKEN', { assume: ['x=y'] }, '--assume: is for tracesets'],
])('%s for %j', async (code, more, message) => {
  const { input, request } = setting(4, more);
  await expect(convertMadeToRanks(request, input, ranksForm('et'))).rejects.toMatchObject({
    code,
    exitStatus: 2,
    message: expect.stringContaining(message) as string,
  });
});

test('without a folder one rank has to be chosen', async () => {
  const { input, request } = setting(4);
  const piped = withoutFolder(request);
  await expect(convertMadeToRanks(piped, input, ranksForm('et'))).rejects.toMatchObject({ code: 'OUTPUT_AMBIGUOUS' });
});

describe('into a form that holds a whole job', () => {
  const seen: string[] = [];
  const target = (names: readonly string[]): JobTarget => ({
    name: 'list',
    title: 'a list',
    options: ['startNs'],
    write(job, files, { startNs }, losses) {
      seen.length = 0;
      for (let rank = 0; rank < job.rankCount; rank++) {
        // Both ends of a transfer are open at once.
        job.withRank(rank, (trace) => {
          const peer = trace.peer[trace.length - 1];
          job.withRank(peer, (other) =>
            seen.push(`${trace.rank}→${other.rank} at ${startNs?.(rank, trace.length - 1)}`),
          );
        });
      }
      losses.add('names', 'rank 0 node 1', '', 3);
      for (const name of names) files.file(name, (write) => write(Buffer.from(seen.join('\n'))));
      return [];
    },
  });

  test('ranks are asked for in any order, and a replay gives the times', async () => {
    const { folder, input, request } = setting(4, {
      timedBy: {
        ...DEFAULT_RUN_OPTIONS,
        ...{
          network: 'alpha-beta:latency=1us,bandwidth=1GB/s',
          family: 'synthesized',
          algorithms: {},
          order: 'recorded',
        },
        ...{ serialize: false, sync: false, useMaxStart: true, abortOnWarning: false },
      },
    });
    const report = await convertMadeToJob(request, input, target(['all.txt']));
    // A send starts when the 5 µs before it are over; a receive waits from the start.
    const wanted = '0→1 at 5000\n1→0 at 0\n2→3 at 5000\n3→2 at 0';
    expect(filesBelow(join(folder, 'out'))).toEqual({ 'all.txt': Buffer.from(wanted) });
    expect(report).toMatchObject({ ranks: 4, files: ['all.txt'], kinds: { COMM_SEND_NODE: { nodes: 2, bytes: 16 } } });
    expect(report.findings).toMatchObject([
      { code: 'CONVERSION_LOSS', message: 'a list cannot carry names: 3 are left out, first rank 0 node 1' },
    ]);
  });

  test('its only file goes to stdout, and two do not', async () => {
    const piped = withoutFolder(setting(2).request);
    const { input } = setting(2);
    const { output } = await convertMadeToJob(piped, input, target(['all.txt']));
    expect(Buffer.from(output!).toString()).toBe('0→1 at undefined\n1→0 at undefined');
    await expect(convertMadeToJob(piped, input, target(['a.txt', 'b.txt']))).rejects.toMatchObject({
      code: 'OUTPUT_AMBIGUOUS',
      message: '-o - takes one file, and this form has a.txt and b.txt',
    });
  });

  test('the input is not written over, and no rank is left out', async () => {
    const { folder, input, request } = setting(2);
    await expect(convertMadeToJob({ ...request, folder }, input, target(['pairs.txt']))).rejects.toMatchObject({
      code: 'OUTPUT_IS_INPUT',
    });
    expect(Object.keys(filesBelow(folder))).toEqual(['pairs.txt']);
    await expect(convertMadeToJob({ ...request, only: [0] }, input, target(['a']))).rejects.toMatchObject({
      code: 'OPTION_NOT_TAKEN',
    });
  });
});
