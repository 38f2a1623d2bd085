import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { REPOSITORY } from '../support/repository.js';

/**
 * The numbers of docs/tutorial.md, worked out by its formulas in whole picoseconds, held against the runs and against the page.
 */

const MICRO = 1_000_000; // ps
const SAMPLE = join(REPOSITORY, 'samples', 'tutorial');
const TRACES = join(SAMPLE, 'traces');
const NETWORK = ['--network', 'alpha-beta:latency=1us,bandwidth=50GB/s'];

/** The job: µs of compute, bytes of collectives. */
const FORWARD = 100 * MICRO;
const BACKWARD = 200 * MICRO;
const OPTIMIZER = 40 * MICRO;
const COMPUTE = 2 * FORWARD + 2 * BACKWARD + OPTIMIZER;
const TENSOR_SHARE = (8 * 1024 * 1024) / 8; // B a step
const DATA_SHARE = (4 * 1024 * 1024) / 2;

/** The network: α = 1 µs, β = 50 B/ns, so a byte takes 20 ps. */
const ALPHA = MICRO;
const onNic = (bytes: number): number => bytes * 20;
const nicStep = ALPHA + onNic(TENSOR_SHARE);
const nicRing = 14 * nicStep;
const nicTensor = 6 * ALPHA + nicRing;
const dataStep = ALPHA + onNic(DATA_SHARE);
const dataRing = 2 * dataStep;
const data = 2 * ALPHA + dataRing;

/** The fabric: 3,200 Gbit/s, 200 ns a switch, 50 ns a cable, packets of 4,096 + 24 B. */
const onFabric = (bytes: number): number => (bytes * 8000) / 3200;
const packet = onFabric(4096 + 24);
const header = onFabric(24);
const crossing = 200_000 + 2 * 50_000;
const packets = TENSOR_SHARE / 4096;
const sending = packets * packet;
const fabricStep = sending + crossing + packet;
const fabricRing = 14 * fabricStep;
/** A hop between ranks of which one has two partners, and one between ranks that have one each. */
const hopOfTwo = 3 * header + crossing;
const hopOfOne = 2 * header + crossing;
const barrierLeast = 4 * hopOfTwo + 2 * hopOfOne;
const barrier = barrierLeast + header;

/** Ends at odd places without groups; at places 3 and 7 with groups. */
const nicFirst = FORWARD + nicTensor;
const nicSecond = nicFirst + FORWARD + nicTensor;
const fabricFirst = FORWARD + barrier + fabricRing;
const fabricFirstOther = FORWARD + barrierLeast + fabricRing; // places 1 and 5
const secondPassed = fabricFirstOther + FORWARD + barrier;
const fabricSecond = secondPassed + fabricRing;
const behind = (second: number): Record<string, number> => {
  const backward1 = second + BACKWARD;
  const backward0 = backward1 + BACKWARD;
  return { backward1, gradients1: backward1 + data, backward0, gradients0: backward0 + data, end: backward0 + data + OPTIMIZER };
};
const nic = behind(nicSecond);
const fabric = behind(fabricSecond);
const saved = nic.end - fabric.end;

const ideal = onNic(14 * TENSOR_SHARE);
const dataIdeal = onNic(2 * DATA_SHARE);
/** From the last receive on the fabric to its acknowledgment: two crossings after sending, of which one and a packet have passed. */
const acknowledgedLater = 2 * crossing - (crossing + packet);

const sentPackets = 14 * packets + 1;
const sentBytes = 14 * packets * (4096 + 24) + 24;
const sentGbps = (sentBytes * 8) / 150_000;
const stopStep = 300 * MICRO;

interface Result {
  status: string;
  endNs: number;
  ranks: {
    endNs: number;
    computeNs: number;
    communicationNs: number;
    exposedCommunicationNs: number;
    bytesSent: number;
    transfersSent: number;
  }[];
  collectives: { group: string; instance: number; startNs: number; endNs: number }[];
  transfers: number;
  bytes: number;
  stall: { ranks: { rank: number; nodes: { type: string; transfer?: { tag: number }; text: string }[] }[] } | null;
}

async function simulated(...words: string[]): Promise<Result> {
  const ran = await runHere(['simulate', ...words, ...NETWORK, '--quiet', '--json']);
  return JSON.parse(ran.stdout) as Result;
}

const folder = newFolder();
const prepared = join(folder, 'prepared');
const mapping = (form: string): string[] => ['--mapping', join(SAMPLE, `two-groups.${form}`)];
const RUN = ['--scale-up-stats', '-o', join(folder, 'groups')];

let without: Result;
let grouped: Result;

beforeAll(async () => {
  expect(await runHere(['prepare', TRACES, '--quiet', '-o', prepared])).toMatchObject({ status: 0 });
  without = await simulated(prepared, '-o', join(folder, 'nic'));
  grouped = await simulated(prepared, ...mapping('map'), ...RUN, '--config', intervals());
});

function intervals(): string {
  const path = join(folder, 'run.yaml');
  writeFileSync(path, 'NDStatsReportInterval: 150us\nBeaconReportInterval: 150us\n');
  return path;
}

/** Rows of a record, each by column name. */
function record(run: string, name: string): Record<string, string>[] {
  const [header, ...rows] = readFileSync(join(folder, run, `step-${name}-0.csv`), 'utf8').trimEnd().split('\n');
  const names = header.split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, place) => [names[place], cell])));
}

const micros = (ps: number): string => (ps / MICRO).toFixed(6);

describe('the runs of the tutorial', () => {
  test('without groups the odd ranks of the second replica end last', () => {
    expect(without.status).toBe('finished');
    expect(without.endNs).toBe(nic.end / 1000);
    const last = without.ranks.flatMap(({ endNs }, rank) => (endNs === without.endNs ? [rank] : []));
    expect(last).toEqual([9, 11, 13, 15]);
    expect(without.ranks[15]).toMatchObject({
      computeNs: COMPUTE / 1000,
      communicationNs: (2 * nicTensor + 2 * data) / 1000,
      exposedCommunicationNs: (nic.end - COMPUTE) / 1000,
    });
  });

  test('with groups ranks 11 and 15 end last', () => {
    expect(grouped.endNs).toBe(fabric.end / 1000);
    const last = grouped.ranks.flatMap(({ endNs }, rank) => (endNs === grouped.endNs ? [rank] : []));
    expect(last).toEqual([11, 15]);
    expect(grouped.ranks[1].endNs).toBe((fabric.end - ALPHA - header) / 1000);
    expect(grouped.ranks[15].exposedCommunicationNs).toBe((fabric.end - COMPUTE) / 1000);
  });

  test('transfers and bytes are those of the ring', () => {
    const transfers = 4 * 8 * 14 + 16 * 2 * 2;
    const bytes = 4 * 8 * 14 * TENSOR_SHARE + 16 * 2 * 2 * DATA_SHARE;
    for (const { ranks, ...result } of [without, grouped]) {
      expect(result).toMatchObject({ transfers, bytes });
      for (const rank of ranks) {
        expect(rank).toMatchObject({ transfersSent: 32, bytesSent: 28 * TENSOR_SHARE + 4 * DATA_SHARE });
      }
    }
  });

  test('raw traces and the JSON form of the mapping give the same times', async () => {
    const times = ({ ranks }: Result): number[] => ranks.map(({ endNs }) => endNs);
    expect(times(await simulated(TRACES))).toEqual(times(without));
    expect(times(await simulated(TRACES, ...mapping('map')))).toEqual(times(grouped));
    expect(times(await simulated(prepared, ...mapping('json')))).toEqual(times(grouped));
  });

  test('nodes end when the tables of the page say', () => {
    const ends = (run: string, rank: number): string[] => {
      const lines = readFileSync(join(folder, run, 'post_annotated', `step.${rank}.json`), 'utf8').trimEnd().split('\n');
      const nodes = lines.map((line) => JSON.parse(line) as { id?: number; e?: string });
      return [1, 3, 4, 5, 6, 7, 8].map((id) => String(Number(nodes.find((node) => node.id === id)?.e).toFixed(6)));
    };
    const table = (first: number, second: number, { backward1, gradients1, backward0, gradients0, end }: typeof nic) =>
      [first, second, backward1, gradients1, backward0, gradients0, end].map(micros);
    expect(ends('nic', 15)).toEqual(table(nicFirst, nicSecond, nic));
    expect(ends('groups', 15)).toEqual(table(fabricFirst, fabricSecond, fabric));
    expect(ends('groups', 9)[0]).toBe(micros(fabricFirstOther));
  });

  test('chakra-comm-collective-stats has the starts behind the barrier and the last acknowledgment', () => {
    const columns = (run: string): string[][] =>
      record(run, 'chakra-comm-collective-stats')
        .filter(({ pg_name }) => pg_name === 'tensor0')
        .map((row) => [row.simulation_start_time_us, row.simulation_end_time_us]);
    expect(columns('nic')).toEqual([
      [micros(FORWARD + 6 * ALPHA), micros(nicFirst + ALPHA)],
      [micros(nicFirst + FORWARD + 6 * ALPHA), micros(nicSecond + ALPHA)],
    ]);
    expect(columns('groups')).toEqual([
      [micros(FORWARD + barrier), micros(fabricFirst + acknowledgedLater)],
      [micros(secondPassed), micros(fabricSecond + acknowledgedLater)],
    ]);
  });

  test('the percentiles have run times and ratios to the ideal', () => {
    const rows = (run: string): string[][] =>
      record(run, 'chakra-comm-collective-percentiles-stats').map((row) => [row.mean_run_time_us, row.mean_ideal_ratio]);
    const gradients = [micros(dataRing + ALPHA), ((dataRing + ALPHA) / dataIdeal).toFixed(6)];
    expect(rows('nic')).toEqual([[micros(nicRing + ALPHA), ((nicRing + ALPHA) / ideal).toFixed(6)], gradients]);
    const onTheFabric = fabricRing + acknowledgedLater;
    expect(rows('groups')).toEqual([[micros(onTheFabric), (onTheFabric / ideal).toFixed(6)], gradients]);
  });

  test('chakra-perf has a row for each transfer; the shortest are those of the closed forms', () => {
    const shortest = (run: string, size: number): string =>
      record(run, 'chakra-perf')
        .filter((row) => row.is_added_synchronization_flow === 'false' && row.flow_comm_size === String(size))
        .map((row) => row.perf_metric_usec)
        .sort((a, b) => Number(a) - Number(b))[0];
    expect(record('groups', 'chakra-perf')).toHaveLength(512 + 88);
    expect(shortest('nic', TENSOR_SHARE)).toBe(micros(onNic(TENSOR_SHARE) + 2 * ALPHA));
    expect(shortest('groups', TENSOR_SHARE)).toBe(micros(sending + 2 * crossing));
    expect(shortest('groups', DATA_SHARE)).toBe(micros(onNic(DATA_SHARE) + 2 * ALPHA));
  });

  test('nd-stats counts the packets of a ring and of a leaf of the barrier', () => {
    const rows = record('groups', 'nd-stats').filter(({ component_name }) => component_name === 'h1');
    expect(rows[0]).toMatchObject({
      total_packets_tx: String(sentPackets),
      interval_bytes_tx_MB: (sentBytes / 1e6).toFixed(6),
      tx_rate_Gbps: sentGbps.toFixed(6),
      tx_link_percent_util: (sentGbps / 32).toFixed(6),
    });
    expect(rows[1]).toMatchObject({ total_packets_tx: String(2 * sentPackets) });
  });

  test('chakra-cdf and topology-report say what the page says', () => {
    expect(record('groups', 'chakra-cdf')[0]).toMatchObject({
      CDF_send_bytes: ((224 * TENSOR_SHARE) / grouped.bytes).toFixed(6),
      CDF_chakra_sends_completed: (224 / 512).toFixed(6),
      CDF_chakra_computations_completed: '0.200000',
    });
    expect(record('groups', 'topology-report')).toHaveLength(16);
  });

  test('a stop at 300 µs finds step 8 of the ring under way', async () => {
    const { status, stall } = await simulated(prepared, '--until', '300us');
    expect(status).toBe('limit');
    expect(Math.floor((stopStep - FORWARD - 6 * ALPHA) / nicStep)).toBe(8);
    const [rank0, rank1] = stall?.ranks ?? [];
    expect(rank1.nodes.map(({ type }) => type)).toEqual(['COMM_SEND_NODE', 'COMM_RECV_NODE']);
    expect(rank1.nodes[1].text).toContain('(tag 8)');
    // Rank 0 passes the barrier 3 µs after it entered; its transfer has left and not arrived.
    const left = FORWARD + 3 * ALPHA + 8 * nicStep + onNic(TENSOR_SHARE);
    expect(left).toBeLessThan(stopStep);
    expect(left + ALPHA).toBeGreaterThan(stopStep);
    expect(rank0.nodes.map(({ type }) => type)).toEqual(['COMM_RECV_NODE']);
  });
});

test('every number in the text of the tutorial is given with the job or comes from its formulas', () => {
  const inMicros = (...times: number[]): string[] => times.map((ps) => written(ps / MICRO));
  const inNanos = (...times: number[]): string[] => times.map((ps) => written(ps / 1000));
  const given = ['100', '200', '640', '400', '300', '150', '1,000', '3,200', '8,000', '150,000', '4,096'];
  const counts = [112, 448, 512, 144, 224, 14 * 8 * 4 * TENSOR_SHARE + 64 * DATA_SHARE, 144 + 2 * 600];
  const bytes = [TENSOR_SHARE, DATA_SHARE, 4120, 28 * TENSOR_SHARE + 4 * DATA_SHARE, 14 * TENSOR_SHARE, 2 * DATA_SHARE];
  const stats = [packets, sentPackets, 14 * packets, sentBytes, 224 * TENSOR_SHARE];
  const worked = [
    ...[...counts, ...bytes, ...stats].map(written),
    ...inNanos(nicStep, dataStep, onNic(TENSOR_SHARE)),
    ...inMicros(nicRing, nicTensor, dataRing, data, nicFirst, nicFirst + FORWARD, nicSecond, ...Object.values(nic)),
    ...inMicros(2 * nicTensor + 2 * data, nic.end - COMPUTE, FORWARD + 6 * ALPHA, FORWARD + 3 * ALPHA),
    ...[written(packet), ...inNanos(packet, header, 2 * header, sending, fabricStep, crossing + packet)],
    ...inNanos(hopOfTwo, hopOfOne, barrierLeast, barrier, 2 * crossing, acknowledgedLater, sending + 2 * crossing),
    ...inMicros(fabricRing, barrier, fabricFirst, fabricFirstOther, fabricFirstOther + FORWARD, secondPassed),
    ...inMicros(fabricSecond, ...Object.values(fabric), fabric.end - COMPUTE, saved, fabric.end - ALPHA - header, header),
    ...inMicros(2 * nicTensor, fabricSecond - 2 * FORWARD, nicFirst + ALPHA, acknowledgedLater),
    ...inMicros(fabricFirst + acknowledgedLater, FORWARD + barrier, nicRing + ALPHA, ideal, dataRing + ALPHA, dataIdeal),
    ...inMicros(fabricRing + acknowledgedLater, onNic(TENSOR_SHARE), onNic(TENSOR_SHARE) + 2 * ALPHA),
    ...inMicros(onNic(DATA_SHARE), onNic(DATA_SHARE) + 2 * ALPHA, nicRing + 3 * ALPHA, nicStep),
    ...inMicros(FORWARD + 3 * ALPHA + 8 * nicStep + onNic(TENSOR_SHARE)),
    ...[(nicRing + ALPHA) / ideal, (fabricRing + acknowledgedLater) / ideal, (dataRing + ALPHA) / dataIdeal].map(ratio),
    ...[sentGbps, sentGbps / 32, 224 / 512, (224 * TENSOR_SHARE) / (448 * TENSOR_SHARE + 64 * DATA_SHARE)].map(ratio),
    ((stopStep - FORWARD - 6 * ALPHA) / nicStep).toFixed(2),
  ];
  const page = readFileSync(join(REPOSITORY, 'docs', 'tutorial.md'), 'utf8');
  const prose = page.replace(/^```[^]*?^```$/gm, '').replace(/\]\([^)]*\)/g, ']').replace(/`[^`]*`/g, '');
  const numbers = [...new Set(prose.match(/\d[\d,]*\d(\.\d+)?|\d\.\d+/g))].filter(
    (text) => text.includes('.') || Number(text.replaceAll(',', '')) >= 100,
  );
  expect(numbers.filter((text) => !given.includes(text) && !worked.includes(text))).toEqual([]);
  expect(worked.filter((text) => /[.,]/.test(text) && !numbers.includes(text))).toEqual([]);
});

/** A number as the page writes it: commas at thousands, no zeros at the end. */
function written(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}

function ratio(value: number): string {
  return value.toFixed(6);
}

test('samples/tutorial/generate.js makes samples/tutorial/traces, byte for byte', () => {
  const made = newFolder();
  expect(spawnSync(process.execPath, [join(SAMPLE, 'generate.js'), made]).status).toBe(0);
  expect(readdirSync(made).sort()).toEqual(readdirSync(TRACES).sort());
  for (const name of readdirSync(TRACES)) {
    expect(readFileSync(join(made, name), 'utf8')).toBe(readFileSync(join(TRACES, name), 'utf8'));
  }
});
