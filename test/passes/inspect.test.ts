import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { etFileFacts } from '../../src/formats/facts/et.js';
import { openTraceSource } from '../../src/formats/open-source.js';
import { readChakraEt } from '../../src/formats/et/decode.js';
import { inspectRank } from '../../src/passes/inspect.js';
import { inspectTraceset, surveyForInspection, type TracesetFacts } from '../../src/passes/inspect-traceset.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { traceOf, type NodeObject } from '../support/traces.js';
import { collective, receive, send } from '../support/validation.js';
import { describeShared, hasShared, shared } from '../support/shared.js';

interface ReferenceFacts {
  files: Record<string, Record<string, unknown>>;
  sets: Record<string, TracesetFacts>;
}

const reference: ReferenceFacts = hasShared
  ? (JSON.parse(readFileSync(shared('reference', 'trace-facts.json'), 'utf8')) as ReferenceFacts)
  : { files: {}, sets: {} };

/** What `inspect` says of a `.et` file. */
function factsOf(file: string) {
  const source = openTraceSource(file);
  const bytes = source.length;
  const { trace, schema } = readChakraEt(source, { rank: 0, file });
  const [first, second] = readFileSync(file);
  return inspectRank(trace, etFileFacts(trace, { gzip: first === 0x1f && second === 0x8b, bytes, schema }));
}

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
    expect(factsOf(shared('reference', 'chakra-tools', path))).toEqual(outputs[path].facts);
  });

  test('there are 144 of them', () => expect(files.length).toBe(144));
});

describeShared('every .et file of shared/traces has the facts of trace-facts.json', () => {
  const files = Object.entries(reference.files).filter(([, facts]) => facts.format === 'et');

  test.each(files.map(([path]) => path))('%s', (path) => {
    expect(factsOf(shared('traces', path))).toEqual(reference.files[path]);
  });

  test('there are 160 of them', () => expect(files.length).toBe(160));
});

describeShared('files of the schemas of 2023 hold the same graph as the file that trace-facts.json names', () => {
  const files = Object.keys(reference.files).filter((path) => 'same_graph_as' in reference.files[path]);

  test.each(files)('%s', (path) => {
    const { format, nodes, same_graph_as } = reference.files[path];
    const facts = factsOf(shared('traces', path));
    expect(facts).toMatchObject({
      format,
      nodes,
      frames: facts.format === 'et-0.0.3' && path.includes('aug') ? 216 : 215,
    });
    const { by_type, deps, cycles, comm, duration_us_by_type, id_min, id_max } = reference.files[String(same_graph_as)];
    expect(facts).toMatchObject({ by_type, deps, cycles, comm, duration_us_by_type, id_min, id_max });
  });

  test('there are three of them', () => expect(files.length).toBe(3));
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

describe('facts that no shared file shows', () => {
  const facts = (nodes: NodeObject[]) => {
    const trace = traceOf(nodes);
    return inspectRank(trace, etFileFacts(trace, { gzip: false, bytes: 0, schema: '0.0.4' }));
  };

  test('types, collectives and ids that are out of the ordinary', () => {
    const nodes = [
      { id: 2n ** 60n, type: 9, start_time_micros: 5 },
      { id: 3, type: 'COMM_COLL_NODE', attr: { comm_type: { int64_val: 77 }, stream: { int64_val: -1 } } },
      { id: 3, type: 'COMP_NODE' },
      { id: 3, type: 'COMP_NODE' },
    ];
    expect(facts(nodes)).toMatchObject({
      nodes: 4,
      unique_ids: 2,
      duplicate_ids: [3],
      duplicate_id_count: 1,
      id_min: 3,
      id_max: '1152921504606846976',
      by_type: { COMM_COLL_NODE: 1, COMP_NODE: 2, NODE_TYPE_9: 1 },
      comm: { UNKNOWN_COMM_TYPE: { count: 1, bytes: 0, without_comm_size: 1, duration_us: 0 } },
      nodes_with_start_time: 1,
      streams: { '-1': 1 },
    });
  });

  test('a trace without nodes has no least and no largest id', () => {
    expect(facts([])).not.toHaveProperty('id_min');
  });

  test('above 10,000 distinct pairs the tag is left out', () => {
    const nodes = Array.from({ length: 10_001 }, (_, tag) => send(tag, 1, tag));
    expect(facts(nodes).p2p_pairs).toEqual({ 'self->1 tag *': 10_001 });
    expect(Object.keys(facts(nodes.slice(1)).p2p_pairs!).length).toBe(10_000);
  });
});

describe('facts of tracesets that no shared folder shows', () => {
  const facts = (...ranks: NodeObject[][]) =>
    inspectTraceset(ranks.map((nodes, rank) => surveyForInspection(traceOf(nodes, rank), `job.${rank}.et`)));

  test('the same collectives in another order, and another number of them', () => {
    const swapped = facts([collective(1, 0, 8), collective(2, 2, 8)], [collective(1, 2, 8), collective(2, 0, 8)]);
    expect(swapped.groups).toEqual({
      pg: {
        ranks: [0, 1],
        collectives_per_rank: 2,
        same_type_and_size_sequence_in_id_order: false,
        same_multiset: true,
      },
    });
    const fewer = facts([collective(1, 0, 8), collective(2, 2, 8)], [collective(1, 0, 8)]);
    expect(fewer.groups.pg).toMatchObject({ collectives_per_rank: { '0': 2, '1': 1 }, same_multiset: false });
  });

  test('a pair matches only with equal sizes', () => {
    expect(facts([send(1, 1, 5, 8), send(2, 1, 5, 16)], [receive(1, 0, 5, 16), receive(2, 0, 5, 32)]).p2p).toEqual({
      sends: 2,
      recvs: 2,
      unmatched_sends: 1,
      unmatched_recvs: 1,
    });
  });

  test('more than 16 ranks are counted instead of listed', () => {
    const { nodes_per_rank, groups } = facts(
      ...Array.from({ length: 17 }, (_, rank) => [collective(1, 0, 8), ...(rank === 3 ? [{ id: 9 }] : [])]),
    );
    expect(nodes_per_rank).toEqual({ min: 1, max: 2 });
    expect(groups.pg.ranks).toBe(17);
  });
});
