import { balanceLines } from '../../src/passes/balance.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, groupsOf, prepareAll } from '../support/preparation.js';
import { traceOf } from '../support/traces.js';

test('the balance tells nodes, bytes in and on the wire, what was added and what was left', () => {
  const traces = [0, 1, 2, 3].map((rank) =>
    traceOf(
      [
        collective(1, { type: CollectiveType.allReduce, size: 1000, group: 'g' }),
        collective(2, { type: CollectiveType.allReduce, size: rank === 3 ? 900 : 1000, group: 'g' }),
        collective(3, { size: 1000, group: 'g' }),
        collective(4, { type: CollectiveType.broadcast, size: 8, group: 'h', order: 0 }),
        collective(5, { type: CollectiveType.broadcast, size: 8, group: 'h', order: 1 }),
      ],
      rank,
    ),
  );
  const groups = groupsOf({ g: [0, 1, 2, 3], h: [0, 1, 2, 3] });
  const { balance } = prepareAll(traces, { expand: true, sync: true, serialize: true, groups });
  // Ring of 4: 24 transfers of 250 B each; broadcast: 3 of 8 B; a barrier: 6 sends. Ends: twice as many nodes.
  expect(balanceLines(balance)).toEqual([
    '4 ranks, 20 nodes in, 176 out',
    'AllReduce ring: 2 collectives on 8 nodes with 7,900 B became 48 transfers with 12,000 B on the wire',
    'Broadcast interleaved: 2 collectives on 8 nodes with 64 B became 6 transfers with 48 B on the wire',
    'synchronization: 24 transfers of 0 B added',
    'serialization: 4 dependencies added',
    'not expanded: 4 collective nodes',
    '0 errors, 5 warnings, 2 notes',
    '  warning COLLECTIVE_SIZE: g: AllReduce 1 has 900 bytes on rank 3 (node 2), 1000 on rank 0 (node 2); the largest is used by all',
    '  warning COMM_TYPE_MISSING: g: collective 2 has no comm_type on rank 0; it is not expanded on any member (4 times)',
    '  note ROOT_ASSUMED: h: Broadcast 0 names no root; rank 0, the first of the group, is used (2 times)',
    '  note ORDER_ABSENT: serialize: no issue order is recorded in group g; nothing is chained there',
  ]);
});
