import fc from 'fast-check';
import { parseMappingFile } from '../../src/config/mapping-file.js';

/** A mapping as its author means it; numbers as they are written. */
interface Meant {
  /** [ranks] */
  servers: number[];
  /** [ranks] index in groups, past its end for a rank in none */
  groupOf: number[];
  subgroupOf: number[];
  groups: { id: number; bandwidth: string; switchLatency: string; cableLatency: string }[];
  /** [ranks] order of the lines */
  order: number[];
}

const unsigned = fc.integer({ min: 0, max: 2 ** 32 - 2 });
const decimal = fc
  .tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 0, max: 999_999 }), fc.constantFrom('', 'e3', 'E-2'))
  .map(([whole, fraction, exponent]) => `${whole}.${fraction}${exponent}`);
const group = fc.record({ id: unsigned, bandwidth: decimal, switchLatency: decimal, cableLatency: decimal });

const meant: fc.Arbitrary<Meant> = fc
  .record({
    servers: fc.uniqueArray(unsigned, { minLength: 1, maxLength: 12 }),
    groups: fc.uniqueArray(group, { maxLength: 4, selector: ({ id }) => id }),
  })
  .chain(({ servers, groups }) => {
    const ranks = servers.length;
    const each = (value: fc.Arbitrary<number>): fc.Arbitrary<number[]> =>
      fc.array(value, { minLength: ranks, maxLength: ranks });
    return fc.record({
      servers: fc.constant(servers),
      groups: fc.constant(groups),
      groupOf: each(fc.integer({ min: 0, max: groups.length })),
      subgroupOf: each(unsigned),
      order: fc.shuffledSubarray([...servers.keys()], { minLength: ranks, maxLength: ranks }),
    });
  });

function asText({ servers, groups, groupOf, subgroupOf, order }: Meant): string {
  const lines = order.map((rank) => {
    const own = groupOf[rank] < groups.length ? groups[groupOf[rank]] : undefined;
    return own ? `${rank},${servers[rank]} ${own.id} , ${subgroupOf[rank]} # x` : `${rank} ${servers[rank]}`;
  });
  const parameters = groups.map(
    ({ id, bandwidth, switchLatency, cableLatency }) => `${id},${bandwidth},${switchLatency},${cableLatency}`,
  );
  return [...lines, '@', ...parameters, ''].join('\n');
}

function asJson({ servers, groups, groupOf, subgroupOf, order }: Meant): string {
  const ranks = order.map((rank) => {
    const own = groupOf[rank] < groups.length ? groups[groupOf[rank]] : undefined;
    const placed = own === undefined ? '' : `,"group":${own.id},"subgroup":${subgroupOf[rank]}`;
    return `{"rank":${rank},"server":${servers[rank]}${placed}}`;
  });
  const parameters = groups.map(
    ({ id, bandwidth, switchLatency, cableLatency }) =>
      `{"id":${id},"bandwidthGbps":${bandwidth},"switchLatencyNs":${switchLatency},"cableLatencyNs":${cableLatency}}`,
  );
  return `{"groups":[${parameters.join()}],"ranks":[${ranks.join()}]}`;
}

test('R-038 the text form and the JSON form of one mapping give the identical mapping, which is the one meant', () => {
  fc.assert(
    fc.property(meant, (wanted) => {
      const { mapping, findings } = parseMappingFile(Buffer.from(asText(wanted)), 'ranks.map');
      const json = parseMappingFile(Buffer.from(asJson(wanted)), 'ranks.json');
      expect(json.mapping).toEqual(mapping);
      expect(json.findings).toHaveLength(findings.length);
      const { servers, groups, groupOf } = wanted;
      expect([...mapping.serverOf]).toEqual(servers);
      expect(Array.from(mapping.groupOf, (index) => mapping.groups[index]?.id)).toEqual(
        groupOf.map((index) => groups[index]?.id),
      );
      expect(mapping.groups.length + findings.length).toBe(groups.length);
    }),
  );
});
