import { attributes } from '../support/preparation.js';
import { prepareFolder, simulateFolder, writeJob } from '../support/simulations.js';

const MEGABYTE = 1_000_000;
const network = 'alpha-beta:latency=1us,bandwidth=1GB/s';

/** Three sends of one group that has no collectives, issued against the order of their ids, and their receives. */
function issuedSends(): string {
  const ids = [1, 2, 3];
  return writeJob(
    [
      ids.map((id) => ({
        id,
        type: 'COMM_SEND_NODE',
        attr: attributes({ to: 1, size: MEGABYTE, tag: id, group: 'g', order: 3 - id }),
      })),
      ids.map((id) => ({ id, type: 'COMM_RECV_NODE', attr: attributes({ from: 0, size: MEGABYTE, tag: id }) })),
    ],
    { g: [0, 1] },
  );
}

test('R-092 sends alone are chained in their order of issue, in memory as by prepare', async () => {
  const folder = issuedSends();
  const endOf = async (...[path, request]: Parameters<typeof simulateFolder>): Promise<number> =>
    (await simulateFolder(path, request)).document.endNs;
  // At 1 B/ns each takes 1 ms; the last is received 1 µs after it was sent and acknowledged 1 µs later.
  expect(await endOf(folder, { network })).toBe(3_002_000);
  expect(await endOf(await prepareFolder(folder, { serialize: true }), { network })).toBe(3_002_000);
  // Without the chain all are sent at once.
  expect(await endOf(folder, { network, serialize: false })).toBe(1_002_000);
});
