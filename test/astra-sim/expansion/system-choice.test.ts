import { collective, compute } from '../../support/jobs.js';
import { algorithmsOf, meshes, systemWith } from '../../support/system-expansions.js';
import { traceOf } from '../../support/traces.js';

test('a group 0 of a few ranks is refused: ASTRA-sim runs its collectives over all (section 9)', () => {
  const member = collective(1, 0, 1000, '0');
  const traces = [[member], [member], [compute(1, 1)], [compute(1, 1)]].map((nodes, rank) => traceOf(nodes, rank));
  const how = { network: meshes(4), system: systemWith(['ring']) };
  expect(() => algorithmsOf(traces, { ...how, groups: { '0': [0, 1] } })).toThrow(
    'rank 0 node 1: group "0" has 2 ranks, and ASTRA-sim takes it for all',
  );
  const everybody = [0, 1, 2, 3].map((rank) => traceOf([member], rank));
  expect(algorithmsOf(everybody, { ...how, groups: { '0': [0, 1, 2, 3] } })).toHaveLength(1);
});
