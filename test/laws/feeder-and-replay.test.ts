import fc from 'fast-check';
import { MemorySource } from '../../src/base/byte-source.js';
import { openFeeder } from '../../src/feeder/open-feeder.js';
import { readTrace } from '../../src/formats/read-trace.js';
import { Kernel } from '../../src/kernel/kernel.js';
import { Activity } from '../../src/replay/activity.js';
import { Engine } from '../../src/replay/engine.js';
import { NodeGathering } from '../../src/replay/gather-nodes.js';
import { jobOf } from '../../src/replay/job.js';
import { NodeLabels } from '../../src/replay/node-label.js';
import { pairTransfers } from '../../src/replay/pairing.js';
import { issueAll } from '../support/feeding.js';
import { receive, send } from '../support/jobs.js';
import { buildEt } from '../support/traces.js';

const MOST = 30;

/** Sends of a rank to itself with one key, in any file order and with any dependencies that form no cycle. */
const sends = fc
  .record({
    count: fc.integer({ min: 1, max: MOST }),
    edges: fc.array(fc.tuple(fc.nat(MOST), fc.nat(MOST)), { maxLength: 60 }),
    rankOfPlace: fc.uniqueArray(fc.nat(1000), { minLength: MOST, maxLength: MOST }),
    fileOrder: fc.array(fc.nat(1000), { minLength: 2 * MOST, maxLength: 2 * MOST }),
  })
  .map(({ count, edges, rankOfPlace, fileOrder }) => {
    const parents = Array.from({ length: count }, (): number[] => []);
    for (const [one, other] of edges) {
      const [from, to] = [one % count, other % count];
      // An order of its own, so that parents may have higher ids than their children.
      if (rankOfPlace[from] < rankOfPlace[to]) parents[to].push(MOST + from);
    }
    // Receives come first and wait for nothing: they have started when the first send does.
    const nodes = [
      ...parents.map((_, place) => receive(place, 0, 8, 0)),
      ...parents.map((deps, place) => send(MOST + place, 0, 8, 0, deps)),
    ];
    return nodes.map((node, place) => ({ node, key: fileOrder[place] })).sort((a, b) => a.key - b.key);
  })
  .map((keyed) => buildEt(keyed.map(({ node }) => node)));

/** Ids of the sends in the order in which the replay starts them: each meets a receive at once. */
function replayOrder(bytes: Uint8Array): bigint[] {
  const { trace } = readTrace(new MemorySource(bytes, 'law.0.et'), { rank: 0, file: 'law.0.et' });
  const job = jobOf([trace]);
  const gathered = new NodeGathering(job, {});
  gathered.add(trace);
  const { nodes, ids } = gathered;
  const { sharedKeys } = pairTransfers(nodes, new NodeLabels(job, nodes, ids), []);
  const order: bigint[] = [];
  const kernel = new Kernel();
  const engine = new Engine(nodes, kernel, new Activity(1), {
    sharedKeys,
    keepArrivals: false,
    onMatch: (started) => order.push(BigInt(ids.text(0, started))),
  });
  engine.begin({ name: 'none', post: () => {} }, undefined);
  kernel.run();
  return order;
}

test('law: the replay starts nodes in the order in which the feeder issues them, where nothing takes time (R-007)', () => {
  fc.assert(
    fc.property(sends, (bytes) => {
      const feeder = openFeeder(new MemorySource(bytes, 'law.0.et'), { windowNodes: Infinity });
      const issued = issueAll(feeder).filter((id) => id >= BigInt(MOST));
      feeder.close();
      // A key that one send and one receive have is matched before the run.
      if (issued.length > 1) expect(replayOrder(bytes)).toEqual(issued);
    }),
    { numRuns: 150 },
  );
});
