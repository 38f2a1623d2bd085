import { parseMappingFile } from '../../src/config/mapping-file.js';
import {
  applicationName,
  placeRanks,
  scaleUpSpecOf,
  type Mapping,
  type NicKind,
  type Placement,
  type Server,
} from '../../src/replay/placement.js';

function mapping(text: string): Mapping {
  return parseMappingFile(Buffer.from(text), 'ranks.map').mapping;
}

function servers(ids: readonly number[], nic: (id: number) => NicKind | undefined = () => 'roce'): Server[] {
  return ids.map((id) => {
    const kind = nic(id);
    return { id, name: `node${id}`, node: id + 100, nicNode: id + 200, ...(kind === undefined ? {} : { nic: kind }) };
  });
}

const range = (count: number): number[] => [...Array(count).keys()];
const serverIds = ({ serverOf }: Placement): number[] => serverOf.map(({ id }) => id);

test('R-030 the application of a rank is named after it', () => {
  expect([0, 7].map(applicationName)).toEqual(['ChakraApp-0', 'ChakraApp-7']);
});

test('R-031 rank r runs on the server with the r-th lowest id', () => {
  expect(serverIds(placeRanks({ rankCount: 4, serverIds: [12, 3, 40, 7] }))).toEqual([3, 7, 12, 40]);
  const placed = placeRanks({ rankCount: 4, servers: servers([40, 12, 7, 3]) });
  expect(serverIds(placed)).toEqual([3, 7, 12, 40]);
  expect(placed.serverOf[1]).toEqual({ id: 7, name: 'node7', node: 107, nicNode: 207, nic: 'roce' });
});

test('without known servers and mapping there are servers 0 to R−1, and no group', () => {
  const placed = placeRanks({ rankCount: 2 });
  expect(placed).toEqual({
    servers: [
      { id: 0, name: 'h0', node: 0, nicNode: 0 },
      { id: 1, name: 'h1', node: 1, nicNode: 1 },
    ],
    serverOf: placed.servers,
    groups: [],
    groupOf: Int32Array.of(-1, -1),
    subgroupOf: Uint32Array.of(0, 0),
  });
});

test('without known servers a mapping names those there are', () => {
  const placed = placeRanks({ rankCount: 3, mapping: mapping('0 40\n1 3\n2 300\n') });
  expect(serverIds(placed)).toEqual([40, 3, 300]);
  expect(placed.servers.map(({ name }) => name)).toEqual(['h3', 'h40', 'h300']);
});

test('R-031 a mapping is never replaced by the order of servers', () => {
  const placed = placeRanks({ rankCount: 3, servers: servers([0, 1, 2]), mapping: mapping('0 2\n1 0\n2 1\n') });
  expect(serverIds(placed)).toEqual([2, 0, 1]);
});

describe('R-032 number of servers', () => {
  test('fewer is an error', () => {
    expect(() => placeRanks({ rankCount: 8, serverIds: range(7), allowExtraServers: true })).toThrow(
      'the network has 7 servers, the traceset 8 ranks; expected one server a rank',
    );
    expect(() => placeRanks({ rankCount: 1, serverIds: [] })).toThrow(
      'the network has 0 servers, the traceset 1 rank;',
    );
  });

  test('more is an error', () => {
    expect(() => placeRanks({ rankCount: 8, serverIds: range(16) })).toThrow(
      'the network has 16 servers, the traceset 8 ranks; expected as many, or AllowExtraServers',
    );
    expect(() =>
      placeRanks({ rankCount: 1, serverIds: [0, 1], mapping: mapping('0 1\n'), allowExtraServers: false }),
    ).toThrow('the network has 2 servers, the traceset 1 rank; expected as many, or AllowExtraServers');
  });

  test('with AllowExtraServers the 8 lowest ids are used and the others stay idle', () => {
    const placed = placeRanks({ rankCount: 8, serverIds: range(16), allowExtraServers: true });
    expect(serverIds(placed)).toEqual(range(8));
    expect(placed.servers.map(({ id }) => id)).toEqual(range(16));
  });

  test('with AllowExtraServers a mapping uses those it names', () => {
    const placed = placeRanks({
      rankCount: 2,
      serverIds: range(4),
      mapping: mapping('0 3\n1 1\n'),
      allowExtraServers: true,
    });
    expect(serverIds(placed)).toEqual([3, 1]);
    expect(placed.servers).toHaveLength(4);
  });
});

describe('R-033 one NIC kind', () => {
  test('seven RoCE servers and one UET server: the eighth is named', () => {
    const mixed = servers(range(8), (id) => (id === 7 ? 'uet' : 'roce'));
    expect(() => placeRanks({ rankCount: 8, servers: mixed })).toThrow(
      'server 7 (node7) has NIC uet, the servers before it have roce; expected one of roce, uet, mrc on all servers',
    );
  });

  test.each<NicKind>(['roce', 'uet', 'mrc'])('all %s', (kind) => {
    expect(placeRanks({ rankCount: 2, servers: servers([0, 1], () => kind) }).serverOf.map(({ nic }) => nic)).toEqual([
      kind,
      kind,
    ]);
  });

  test('a server without a NIC among those with one is a mixture', () => {
    const mixed = servers(range(2), (id) => (id === 0 ? 'mrc' : undefined));
    expect(() => placeRanks({ rankCount: 2, servers: mixed })).toThrow('server 1 (node1) has NIC none');
  });
});

describe('R-037 a mapping against traceset and network', () => {
  test('another number of ranks is an error', () => {
    expect(() => placeRanks({ rankCount: 8, mapping: mapping('0 0\n1 1\n'), mappingName: 'ranks.map' })).toThrow(
      'ranks.map: it places 2 ranks, the traceset has 8',
    );
  });

  test('a server the network does not have is named, and nothing is placed in order', () => {
    expect(() =>
      placeRanks({ rankCount: 2, serverIds: [3, 7], mapping: mapping('0 3\n1 8\n'), mappingName: 'ranks.map' }),
    ).toThrow('ranks.map: rank 1 on server 8, the network has 3, 7');
  });

  test('R-001 a crossing that takes longer than any run is an error', () => {
    // 3 × 3e12 ns is 9,000 s; with 4 cables of 2e9 ns 9,008 s.
    const text = (cable: string): string => `0 0 5 0\n@\n5 800 3e12 ${cable}\n`;
    expect(placeRanks({ rankCount: 1, mapping: mapping(text('1e9')) }).groups).toHaveLength(1);
    expect(() => placeRanks({ rankCount: 1, mapping: mapping(text('2e9')), mappingName: 'ranks.map' })).toThrow(
      'ranks.map: group 5: 3 switch hops and 4 cables take more than 2^53 ps',
    );
  });
});

describe('the scale-up fabric of a placement', () => {
  const sizes = { maxPayloadBytes: 4096, headerBytes: 24 };

  test('is absent where no rank is in a group', () => {
    expect(scaleUpSpecOf(placeRanks({ rankCount: 2 }), sizes)).toBeUndefined();
    expect(scaleUpSpecOf(placeRanks({ rankCount: 2, mapping: mapping('0 0\n1 1\n') }), sizes)).toBeUndefined();
  });

  test('has the groups of the mapping and the two sizes', () => {
    const placed = placeRanks({ rankCount: 3, mapping: mapping('0 0 4 1\n1 1 4 2\n2 2\n@\n4 800 100 50\n') });
    expect(scaleUpSpecOf(placed, sizes)).toEqual({
      groups: [{ id: 4, bandwidthGbps: 800, switchLatencyPs: 100_000, cableLatencyPs: 50_000 }],
      groupOf: Int32Array.of(0, 0, -1),
      subgroupOf: Uint32Array.of(1, 2, 0),
      maxPayloadBytes: 4096,
      headerBytes: 24,
    });
  });
});
