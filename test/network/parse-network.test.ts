import {
  isShortNetworkForm,
  parseAnalyticalNetwork,
  parseNetwork,
  parseShortNetworkForm,
} from '../../src/network/parse-network.js';

const GOOD = {
  topology: '[ FullyConnected, Ring ]',
  npus_count: '[ 2, 4 ]',
  bandwidth: '[ 100.0, 25.6 ]  # GB/s',
  latency: '[ 250.0, 33.5 ]  # ns',
};

function file(changes: Partial<Record<string, string | undefined>> = {}): string {
  return Object.entries({ ...GOOD, ...changes })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('');
}

describe('network texts', () => {
  test('the short form', () => {
    expect(parseNetwork('alpha-beta:latency=1us,bandwidth=50GB/s')).toEqual({
      kind: 'alpha-beta',
      latencyPs: 1_000_000,
      bytesPerNs: 50,
    });
    expect(parseShortNetworkForm('alpha-beta: bandwidth=1GiB/s, latency=0ns')).toEqual({
      kind: 'alpha-beta',
      latencyPs: 0,
      bytesPerNs: 1.073741824,
    });
  });

  test.each([
    ['alphabeta:latency=1us,bandwidth=1GB/s', 'expected a file or alpha-beta:'],
    ['alpha-beta:latency=1us', 'bandwidth is missing'],
    ['alpha-beta:bandwidth=1GB/s', 'latency is missing'],
    ['alpha-beta:latency=1us,latency=2us,bandwidth=1GB/s', 'latency is given twice'],
    ['alpha-beta:latency=1us,speed=1GB/s', '"speed=1GB/s" is not one of'],
    ['alpha-beta:latency=1,bandwidth=1GB/s', 'time "1": expected a number and one of'],
    ['alpha-beta:latency=0.0004ns,bandwidth=1GB/s', 'below half a picosecond'],
    ['alpha-beta:latency=1us,bandwidth=0GB/s', 'bandwidth "0GB/s"'],
    ['mesh', 'expected a file or'],
  ])('%s is refused: %s', (text, message) => {
    expect(() => parseShortNetworkForm(text)).toThrow(message);
  });

  test('a short form is told from a file name', () => {
    expect(isShortNetworkForm('alpha-beta:latency=1us,bandwidth=50GB/s')).toBe(true);
    expect(isShortNetworkForm('networks/ring.yml')).toBe(false);
    expect(isShortNetworkForm('c:\\net.yml')).toBe(false);
  });

  test('an ASTRA-sim network file; R-002 33.5 ns are 33,500 ps', () => {
    expect(parseNetwork(file(), 'net.yml')).toEqual({
      kind: 'analytical',
      dimensions: [
        { topology: 'FullyConnected', npus: 2, bandwidthGiBPerSecond: 100, latencyPs: 250_000, latencyNs: 250 },
        { topology: 'Ring', npus: 4, bandwidthGiBPerSecond: 25.6, latencyPs: 33_500, latencyNs: 33.5 },
      ],
    });
  });

  test.each([
    [
      { topology: '[ Ring, Torus ]' },
      'net.yml:1: topology: unknown topology "Torus" (known: Ring, FullyConnected, Switch)',
    ],
    [{ topology: '[]' }, 'net.yml: topology is empty'],
    [{ npus_count: '[ 2, 1 ]' }, 'net.yml:2: npus_count: 1: expected an integer of 2 or more'],
    [{ npus_count: '[ 2 ]' }, 'net.yml: npus_count has 1 entry, topology has 2'],
    [{ npus_count: '[ 2, "4" ]' }, 'net.yml:2: npus_count: "4": expected an integer of 2 or more'],
    [{ topology: '[ [ Ring ], Ring ]' }, 'net.yml:1: topology: unknown topology ["Ring"] (known: '],
    [{ topology: '[ , Ring ]' }, 'net.yml:1: '],
    [{ npus_count: '[ {a: 1}, 4 ]' }, 'net.yml:2: npus_count: {"a":1}: expected an integer of 2 or more'],
    [{ npus_count: '8' }, 'net.yml:2: npus_count: expected a list'],
    [{ bandwidth: '[ 100, fast ]' }, 'net.yml:3: bandwidth: "fast": expected a positive number'],
    [{ bandwidth: '[ 100, 0 ]' }, 'net.yml:3: bandwidth: 0: expected a positive number'],
    [{ latency: '[ -1, 0 ]' }, 'net.yml:4: latency: -1: expected a number of ns'],
    [{ latency: '[ 0.0004, 0 ]' }, 'net.yml:4: latency: 0.0004 ns: expected 0, or from half a picosecond'],
    [{ latency: undefined }, 'net.yml: latency is missing'],
    [{ speed: '[ 1 ]' }, 'net.yml:5: unknown key "speed"'],
  ])('%j is refused: %s', (changes, message) => {
    expect(() => parseAnalyticalNetwork(file(changes), 'net.yml')).toThrow(message);
  });

  test('a text that is not such a map is refused', () => {
    expect(() => parseAnalyticalNetwork('8 0 8\n', 'net.txt')).toThrow('net.txt:1: expected a map with the keys');
    expect(() => parseAnalyticalNetwork('topology: [ Ring\nlatency: 3', 'net.yml')).toThrow(/^net\.yml:\d: not YAML/);
  });
});
