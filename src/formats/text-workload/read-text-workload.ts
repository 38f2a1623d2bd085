import type { ByteSource } from '../../base/byte-source.js';
import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { nearestName } from '../../base/nearest-name.js';
import { CollectiveType } from '../../trace/collective-type.js';
import { readHeader } from './header.js';
import {
  isTransformer,
  LAYER_MODES,
  type LayerCollective,
  type LayerPhase,
  type TextWorkload,
  type WorkloadLayer,
  type WorkloadMode,
} from './text-workload.js';
import { LineWords, malformed, shown } from './words.js';

const COLUMNS =
  'name, reserved, forward time, type and bytes, input-gradient time, type and bytes, weight-gradient time, type and bytes, update time';
const COUNT_OF_COLUMNS = 12;

const TYPES: Readonly<Record<string, number>> = {
  ALLREDUCE: CollectiveType.allReduce,
  ALLGATHER: CollectiveType.allGather,
  REDUCESCATTER: CollectiveType.reduceScatter,
  ALLTOALL: CollectiveType.allToAll,
};
const SUFFIXES = { '': 'usual', _EP: 'expert', _DP_EP: 'expert-data' } as const;
const TYPE_NAMES = [
  'NONE',
  ...Object.keys(TYPES).flatMap((type) => Object.keys(SUFFIXES).map((suffix) => type + suffix)),
];

/**
 * Reads a text workload of ASTRA-sim 1.0 or of SimAI, whose files are a superset: line 1 the mode and its options, line 2 the
 * number of layers, then a layer a line in 12 columns between blanks or tabs, 13 in HYBRID_CUSTOMIZED. Blank lines are skipped.
 * What is not read: the reserved column.
 *
 * @returns the layers with times in the unit of the file; findings are `WORKLOAD_LAYER_COUNT`, `WORKLOAD_HEADER_UNUSED`,
 *   `WORKLOAD_COLUMN_UNUSED`
 * @throws PrepError `WORKLOAD_MALFORMED` with file, line and column; an unknown collective type is never taken for a known one
 * Source: chakra-format section 16, exchange-formats section 9.
 */
export function readTextWorkload(source: ByteSource): TextWorkload {
  const file = source.name;
  const text = Buffer.from(source.read(0, source.length))
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const lines = text.split('\n');
  const findings: Finding[] = [];
  const { mode, values, layerLists, lastBottomLayer } = readHeader(lines[0], file, findings);
  const count = new LineWords(lines[1] ?? '', file, 2);
  const announced = count.integer(0, 'number of layers');
  if (count.count > 1) throw count.error(1, `${shown(count.text(1))}: expected the number of layers and nothing else`);
  const layers: WorkloadLayer[] = [];
  const reserved: string[] = [];
  const bytesOfNone: string[] = [];
  for (let place = 2; place < lines.length; place++) {
    const words = new LineWords(lines[place], file, place + 1);
    if (words.count === 0) continue;
    layers.push(readLayer(words, mode));
    if (words.text(1) !== '-1')
      reserved.push(`${words.place(1)}: reserved column ${shown(words.text(1))}, expected −1`);
    for (const type of [3, 6, 9]) {
      if (words.text(type) !== 'NONE' || Number(words.text(type + 1)) === 0) continue;
      bytesOfNone.push(`${words.place(type + 1)}: NONE with ${words.text(type + 1)} bytes, expected 0`);
    }
  }
  if (layers.length === 0) throw malformed(`${file}:3:1`, 'no layer: expected a layer a line behind line 2');
  if (announced !== layers.length) {
    const message = `${file}:2:1: ${counted(announced, 'layer')} announced, ${counted(layers.length, 'line')} with layers: all lines are used`;
    findings.push(finding('WORKLOAD_LAYER_COUNT', message, { file, announced, count: layers.length }));
  }
  for (const places of [reserved, bytesOfNone]) {
    if (places.length === 0) continue;
    const message = `${places[0]}: it is not used (${places.length === 1 ? 'the only place' : `the first of ${counted(places.length, 'place')}`})`;
    findings.push(finding('WORKLOAD_COLUMN_UNUSED', message, { file, count: places.length }));
  }
  for (const [key, { value, place }] of layerLists) {
    const outside = value.find((layer) => layer >= layers.length);
    if (outside === undefined) continue;
    throw malformed(place, `${key}: layer ${outside}: expected a layer from 0 to ${layers.length - 1}`);
  }
  return { file, mode, ...(lastBottomLayer && { lastBottomLayer }), header: values, layerLists, layers, findings };
}

function readLayer(words: LineWords, mode: WorkloadMode): WorkloadLayer {
  const expected = COUNT_OF_COLUMNS + (mode === 'HYBRID_CUSTOMIZED' ? 1 : 0);
  if (words.count !== expected) {
    const last = expected > COUNT_OF_COLUMNS ? ', mode of the layer' : '';
    const message = `${counted(words.count, 'column')}: expected ${expected} in mode ${mode} (${COLUMNS}${last})`;
    throw words.error(Math.min(words.count, expected), message);
  }
  const layer = {
    name: words.text(0),
    line: words.line,
    forward: readPhase(words, 2, 'forward', mode),
    inputGradient: readPhase(words, 5, 'input-gradient', mode),
    weightGradient: readPhase(words, 8, 'weight-gradient', mode),
    updateTime: words.integer(11, 'update time'),
  };
  if (mode !== 'HYBRID_CUSTOMIZED') return layer;
  const own = LAYER_MODES.find((name) => name === words.text(12));
  if (own !== undefined) return { ...layer, mode: own };
  throw words.error(12, `mode of the layer ${shown(words.text(12))}: expected one of ${LAYER_MODES.join(', ')}`);
}

function readPhase(words: LineWords, first: number, what: string, mode: WorkloadMode): LayerPhase {
  const time = words.integer(first, `${what} time`);
  const bytes = words.integer(first + 2, `${what} bytes`);
  const collective = readCollective(words, first + 1, what, bytes, mode);
  return collective === undefined ? { time } : { time, collective };
}

function readCollective(
  words: LineWords,
  word: number,
  what: string,
  bytes: number,
  mode: WorkloadMode,
): LayerCollective | undefined {
  const name = words.text(word);
  if (name === 'NONE') return undefined;
  const [, base = '', suffix = ''] = /^(.*?)(_DP_EP|_EP)?$/.exec(name) ?? [];
  if (!Object.hasOwn(TYPES, base)) {
    const meant = nearestName(name, TYPE_NAMES);
    throw words.error(
      word,
      `${what} collective ${shown(name)}: expected NONE or one of ${Object.keys(TYPES).join(', ')}, with _EP or _DP_EP behind it for experts`,
      meant === undefined ? undefined : `did you mean ${meant}?`,
    );
  }
  if (suffix !== '' && !isTransformer(mode)) {
    throw words.error(
      word,
      `${what} collective ${name}: groups of experts are only in HYBRID_TRANSFORMER and HYBRID_TRANSFORMER_FWD_IN_BCKWD, this is ${mode}`,
    );
  }
  return { name, type: TYPES[base], scope: SUFFIXES[suffix as keyof typeof SUFFIXES], bytes };
}
