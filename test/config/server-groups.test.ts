import { parseMappingFile } from '../../src/config/mapping-file.js';
import { serverGroupsMapping } from '../../src/config/server-groups.js';

const GROUPS = { servers: 2, ranksPerServer: 2, bandwidthGbps: 3600, switchLatencyNs: 100, cableLatencyNs: 5 };

test('TOPO-5: one scale-up group per server, rank r on host r', () => {
  const text = serverGroupsMapping(GROUPS, 'r.map');
  expect(text).toBe(
    '# rank, server, group, subgroup\n0, 0, 0, 0\n1, 1, 0, 0\n2, 2, 1, 0\n3, 3, 1, 0\n' +
      '@ group, Gbps, switch ns, cable ns\n0, 3600, 100, 5\n1, 3600, 100, 5\n',
  );
  const { mapping, findings } = parseMappingFile(Buffer.from(text), 'r.map');
  expect([...mapping.groupOf]).toEqual([0, 0, 1, 1]);
  expect([...mapping.serverOf]).toEqual([0, 1, 2, 3]);
  expect(mapping.groups[1]).toEqual({ id: 1, bandwidthGbps: 3600, switchLatencyPs: 100_000, cableLatencyPs: 5000 });
  expect(findings).toEqual([]);
});

test('the JSON form is the same mapping', () => {
  const json = parseMappingFile(Buffer.from(serverGroupsMapping(GROUPS, 'r.json')), 'r.json');
  expect(json).toEqual(parseMappingFile(Buffer.from(serverGroupsMapping(GROUPS, 'r.map')), 'r.map'));
});

test('R-036: parameters out of their range are refused', () => {
  expect(() => serverGroupsMapping({ ...GROUPS, bandwidthGbps: 0 }, 'r.map')).toThrow(
    expect.objectContaining({ code: 'MAPPING_MALFORMED' }),
  );
});
