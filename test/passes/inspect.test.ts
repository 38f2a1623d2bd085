import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { etFileFacts } from '../../src/formats/facts/et.js';
import { openTraceSource } from '../../src/formats/open-source.js';
import { readChakraEt } from '../../src/formats/et/decode.js';
import { inspectRank } from '../../src/passes/inspect.js';
import { inspectTraceset, surveyForInspection, type TracesetFacts } from '../../src/passes/inspect-traceset.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { describeShared, hasShared, shared } from '../support/shared.js';

interface ReferenceFacts {
  files: Record<string, Record<string, unknown>>;
  sets: Record<string, TracesetFacts>;
}

const reference: ReferenceFacts = hasShared
  ? (JSON.parse(readFileSync(shared('reference', 'trace-facts.json'), 'utf8')) as ReferenceFacts)
  : { files: {}, sets: {} };

function readShared(path: string, rank = 0): RankTrace {
  return readChakraEt(openTraceSource(shared('traces', path)), { rank, file: path }).trace;
}

describeShared('every .et file that the official tools wrote has the facts of index.json', () => {
  const outputs = hasShared
    ? (JSON.parse(readFileSync(shared('reference', 'chakra-tools', 'index.json'), 'utf8')) as Record<
        string,
        { facts?: Record<string, unknown> }
      >)
    : {};
  const files = Object.keys(outputs).filter((path) => outputs[path].facts?.format === 'et');

  test.each(files)('%s', (path) => {
    const file = shared('reference', 'chakra-tools', path);
    const trace = readChakraEt(openTraceSource(file), { rank: 0, file }).trace;
    const gzip = readFileSync(file)[0] === 0x1f;
    const facts = inspectRank(trace, etFileFacts(trace, gzip, trace.kept!.source.length));
    expect(facts).toEqual(outputs[path].facts);
  });

  test('there are 144 of them', () => expect(files.length).toBe(144));
});

describeShared('every .et file of shared/traces has the facts of trace-facts.json', () => {
  const files = Object.entries(reference.files).filter(([, facts]) => facts.format === 'et');

  test.each(files.map(([path]) => path))('%s', (path) => {
    const bytes = readFileSync(shared('traces', path));
    const trace = readShared(path);
    const gzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const facts = inspectRank(trace, etFileFacts(trace, gzip, trace.kept!.source.length));
    expect(facts).toEqual(reference.files[path]);
  });

  test('there are 160 of them', () => expect(files.length).toBe(160));
});

describeShared('every traceset of shared/traces has the facts of trace-facts.json', () => {
  test.each(Object.keys(reference.sets))('%s', (folder) => {
    const surveys = Object.keys(reference.files)
      .filter((path) => path.startsWith(`${folder}/`) && reference.files[path].format === 'et')
      .map((path) => ({ path, rank: Number(/\.(\d+)\.\w+(\.gz)?$/.exec(path)![1]) }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ path, rank }) => surveyForInspection(readShared(path, rank), basename(path)));
    const expected = structuredClone(reference.sets[folder]);
    // The reference lists ranks in the order of file names, where 10 comes before 2.
    for (const group of Object.values(expected.groups)) {
      if (Array.isArray(group.ranks)) group.ranks.sort((left, right) => left - right);
    }
    expect(inspectTraceset(surveys)).toEqual(expected);
  });
});
