import { readFileSync } from 'node:fs';
import { MemorySource } from '../../../src/base/byte-source.js';
import { detectFormat } from '../../../src/formats/detect.js';
import { et001Facts } from '../../../src/formats/facts/et-0.0.1.js';
import { otherFileFacts } from '../../../src/formats/facts/other-files.js';
import { openTraceSource } from '../../../src/formats/open-source.js';
import { describeShared, hasShared, shared } from '../../support/shared.js';

type Facts = Record<string, unknown>;

const reference = hasShared
  ? (JSON.parse(readFileSync(shared('reference', 'trace-facts.json'), 'utf8')) as { files: Record<string, Facts> })
      .files
  : {};

function pathsOf(format: string): string[] {
  return Object.keys(reference).filter((path) => reference[path].format === format);
}

describeShared('files of shared/traces that are no Chakra traces have the facts of trace-facts.json', () => {
  const counts = {
    'feeder-json': 2,
    'stage-json': 4,
    'pytorch-host-json': 13,
    'kineto-json': 12,
    'comm-group': 9,
    'text-workload': 8,
  };
  const rows = Object.keys(counts).flatMap((format) => pathsOf(format).map((path) => [format, path]));

  test.each(rows)('%s %s', (format, path) => {
    const source = openTraceSource(shared('traces', path));
    expect(detectFormat(source).format).toBe(format);
    expect(otherFileFacts(source, detectFormat(source).format)).toEqual(reference[path]);
  });

  test.each(Object.entries(counts))('of %s there are %i', (format, count) =>
    expect(pathsOf(format).length).toBe(count),
  );
});

describeShared('linked traces have the facts that index.json gives them', () => {
  const outputs = hasShared
    ? (JSON.parse(readFileSync(shared('reference', 'chakra-tools', 'index.json'), 'utf8')) as Record<
        string,
        { facts?: Facts }
      >)
    : {};
  const linked = Object.keys(outputs).filter((path) => outputs[path].facts?.format === 'pytorch-host-json');

  test.each(linked)('%s', (path) => {
    const source = openTraceSource(shared('reference', 'chakra-tools', path));
    expect(otherFileFacts(source, detectFormat(source).format)).toEqual(outputs[path].facts);
  });

  test('there are two', () => expect(linked.length).toBe(2));
});

describeShared('traces of schema 0.0.1 have the facts of trace-facts.json', () => {
  test.each(pathsOf('et-0.0.1'))('%s', (path) => {
    expect(et001Facts(openTraceSource(shared('traces', path)))).toEqual(reference[path]);
  });

  test('there are two', () => expect(pathsOf('et-0.0.1').length).toBe(2));
});

test('a format without facts gives none', () => {
  expect(otherFileFacts(new MemorySource(new Uint8Array(0), 'empty'), 'empty')).toBeUndefined();
});

test('broken JSON is refused with exit status 3', () => {
  const source = new MemorySource(new TextEncoder().encode('{"workload_graph": [}'), 'broken.json');
  expect(() => otherFileFacts(source, 'feeder-json')).toThrow(
    expect.objectContaining({ code: 'JSON_MALFORMED', exitStatus: 3 }) as Error,
  );
});
