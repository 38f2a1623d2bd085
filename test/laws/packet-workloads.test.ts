import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { NIC_KINDS, type NicKind } from '../../src/network/packet/settings/packet-settings.js';
import type { Simulation } from '../../src/pipeline/simulate-traceset.js';
import type { SimulationRequest } from '../../src/pipeline/simulation-request.js';
import { newFolder } from '../support/folders.js';
import { REPOSITORY } from '../support/repository.js';
import { prepareFolder, simulateFolder, writeJob } from '../support/simulations.js';
import { job, type Job } from './random-traceset.js';

/** Whole tracesets over packets, as a user runs them: from files to the result document, with the invariants checked. */

const schema = join(REPOSITORY, 'schemas', 'simulate-result.schema.json');
const validate = new Ajv({ strict: true }).compile(JSON.parse(readFileSync(schema, 'utf8')) as object);

const ALPHA_BETA = 'alpha-beta:latency=1us,bandwidth=50GB/s';

/** Rates and delays of all links: what a transfer takes at least follows from them. */
const GBPS = 200;
const DELAY_NS = 300;
const LINK = `gbps: ${GBPS}, delayNs: ${DELAY_NS}`;
const MSS = 4096;

const topologies = fc.constantFrom(
  `generator: { type: single-switch, hosts: 5, ${LINK} }`,
  `generator: { type: leaf-spine, leaves: 3, spines: 2, hostsPerLeaf: 2, ${LINK} }`,
  `generator: { type: rail-optimised, servers: 3, gpusPerServer: 2, serversPerSegment: 3, spines: 1, ${LINK} }`,
  `generator: { type: fat-tree, k: 4, ${LINK} }`,
);

/** Group of each of five ranks, −1 for none. */
const groups = fc.array(fc.constantFrom(-1, 0, 0, 1), { minLength: 5, maxLength: 5 });

interface Setup {
  readonly topology: string;
  /** Undefined for a run without a mapping. */
  readonly groupOf?: readonly number[] | undefined;
}

const setups: fc.Arbitrary<Setup> = fc.record({
  topology: topologies,
  groupOf: fc.option(groups, { nil: undefined }),
});

function requestOf(nic: NicKind, { topology, groupOf }: Setup, { rankCount }: Job) {
  const folder = newFolder();
  const network = join(folder, 'network.yaml');
  writeFileSync(network, `version: 1\n${topology}\n`);
  const request: Partial<SimulationRequest> & { network: string } = {
    network,
    allowExtraServers: true,
    keepTransfers: true,
    packet: { nic, check: true, stated: {}, findings: [] },
  };
  return groupOf === undefined ? request : { ...request, ...mapped(folder, groupOf, rankCount) };
}

function mapped(folder: string, groupOf: readonly number[], rankCount: number): Partial<SimulationRequest> {
  const used = groupOf.slice(0, rankCount);
  const ranks = used.map((group, rank) => `${rank}, ${rank}${group < 0 ? '' : `, ${group}, 0`}`);
  const declared = [...new Set(used.filter((group) => group >= 0))].map((group) => `${group}, 800, 100, 100`);
  const mapping = join(folder, 'ranks.map');
  writeFileSync(mapping, [...ranks, ...(declared.length > 0 ? ['@'] : []), ...declared, ''].join('\n'));
  return { mapping, useMapping: true };
}

async function ran(nic: NicKind, setup: Setup, drawn: Job): Promise<Simulation> {
  return simulateFolder(writeJob(drawn.nodes, drawn.groups), requestOf(nic, setup, drawn));
}

/** A document without what depends on the files' names. */
function numbersOf({ document }: Simulation): unknown {
  return { ...document, findings: [] };
}

const runs = { numRuns: 25 };

describe.each(NIC_KINDS)('law: a traceset over packets, %s', (nic) => {
  test('what simulate does to raw traces is what prepare writes', () =>
    fc.assert(
      fc.asyncProperty(job, setups, async (drawn, setup) => {
        const raw = writeJob(drawn.nodes, drawn.groups);
        const prepared = await prepareFolder(raw, { expand: true, serialize: true, sync: true });
        const request = requestOf(nic, setup, drawn);
        expect(numbersOf(await simulateFolder(prepared, request))).toEqual(
          numbersOf(await simulateFolder(raw, request)),
        );
      }),
      runs,
    ));

  test('it ends, and moves what it moves on any other network', () =>
    fc.assert(
      fc.asyncProperty(job, setups, async (drawn, setup) => {
        const { document } = await ran(nic, setup, drawn);
        const folder = writeJob(drawn.nodes, drawn.groups);
        const plain = (await simulateFolder(folder, { network: ALPHA_BETA })).document;
        expect(document.status).toBe('finished');
        expect(validate(JSON.parse(JSON.stringify(document))) ? [] : validate.errors).toEqual([]);
        expect([document.transfers, document.bytes]).toEqual([plain.transfers, plain.bytes]);
        for (const [rank, { bytesSent, bytesReceived, transfersSent, transfersReceived }] of plain.ranks.entries()) {
          expect(document.ranks[rank]).toMatchObject({ bytesSent, bytesReceived, transfersSent, transfersReceived });
        }
        const moved = (of: typeof plain): unknown =>
          of.collectives
            .map(({ group, instance, transfers, bytes }) => `${group} ${instance} ${transfers} ${bytes}`)
            .sort();
        expect(moved(document)).toEqual(moved(plain));
      }),
      runs,
    ));

  test('R-090: the packets are those of the transfers that are in no scale-up group', () =>
    fc.assert(
      fc.asyncProperty(job, setups, async (drawn, setup) => {
        const { outcome, packets, placement } = await ran(nic, setup, drawn);
        const { sender, receiver, bytes, length } = outcome.transferLog!;
        let data = 0;
        for (let row = 0; row < length; row++) {
          const group = placement.groupOf[sender[row]];
          const isInside = group >= 0 && group === placement.groupOf[receiver[row]];
          if (!isInside) data += Math.max(1, Math.ceil(bytes[row] / MSS));
        }
        expect(packets!.data - packets!.retransmissions).toBe(data);
      }),
      runs,
    ));

  test('no transfer is faster than its bits on two links', () =>
    fc.assert(
      fc.asyncProperty(job, topologies, async (drawn, topology) => {
        const { outcome } = await ran(nic, { topology }, drawn);
        const { start, sent, received, acknowledged, bytes, length } = outcome.transferLog!;
        for (let row = 0; row < length; row++) {
          const serialPs = (bytes[row] * 8000) / GBPS;
          expect(sent[row] - start[row]).toBeGreaterThanOrEqual(serialPs);
          expect(received[row] - start[row]).toBeGreaterThan(serialPs + 2 * DELAY_NS * 1000);
          expect(acknowledged[row] - received[row]).toBeGreaterThan(2 * DELAY_NS * 1000);
        }
      }),
      runs,
    ));
});

test.each(NIC_KINDS)('law: a stop cuts a run off without a fault, and says where it stands: %s', (nic) =>
  fc.assert(
    fc.asyncProperty(job, setups, fc.integer({ min: 0, max: 20_000_000 }), async (drawn, setup, stopPs) => {
      const folder = writeJob(drawn.nodes, drawn.groups);
      const { document } = await simulateFolder(folder, { ...requestOf(nic, setup, drawn), stopPs });
      expect(validate(JSON.parse(JSON.stringify(document))) ? [] : validate.errors).toEqual([]);
      expect(document.status === 'finished' ? document.stall : document.stall!.reasons[0].code).toBe(
        document.status === 'finished' ? null : 'stop-reached',
      );
      expect(document.endNs).toBeLessThanOrEqual(stopPs / 1000);
    }),
    runs,
  ),
);
