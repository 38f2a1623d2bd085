import { annotateRank } from '../../src/passes/annotate.js';
import { attributes } from '../support/preparation.js';
import { traceOf } from '../support/traces.js';

test('R-020 the pass is named in the metadata, once', () => {
  const trace = traceOf([{ id: 1, type: 'COMM_SEND_NODE', attr: attributes({ to: 0 }) }]);
  const once = annotateRank(trace);
  expect(once.trace.metadata.passes).toEqual(['annotate']);
  expect(annotateRank(once.trace).trace.metadata.passes).toEqual(['annotate']);
  expect(once.findings).toEqual([]);
});

test('sends and receives without a partner are warned of', () => {
  const trace = traceOf([
    { id: 1, type: 'COMM_SEND_NODE' },
    { id: 2, type: 'COMM_RECV_NODE', attr: attributes({ from: 0 }) },
    { id: 3, type: 'COMM_RECV_NODE' },
  ]);
  expect(annotateRank(trace).findings).toMatchObject([
    { code: 'PEER_MISSING', severity: 'warning', rank: 0, nodes: [1, 3], count: 2 },
  ]);
});
