import { MemorySource } from '../../src/base/byte-source.js';
import { PrepError } from '../../src/base/errors.js';
import { readTextWorkload } from '../../src/formats/text-workload/read-text-workload.js';
import type { TextWorkload } from '../../src/formats/text-workload/text-workload.js';
import { sharedBytes, traceFacts } from '../support/trace-facts.js';

function read(text: string): TextWorkload {
  return readTextWorkload(new MemorySource(Buffer.from(text), 'job.txt'));
}

/** A layer of a file whose other lines are sound. */
function withLayer(layer: string, mode = 'DATA'): TextWorkload {
  return read(`${mode}\n1\n${layer}\n`);
}

const SOUND = 'fc -1 5 NONE 0 6 NONE 0 7 ALLREDUCE 64 8';

test('every column of a layer is read', () => {
  const { layers, mode, findings } = withLayer('fc1 -1 5 ALLGATHER 1 6 REDUCESCATTER 2 7 ALLTOALL 3 8');
  expect(mode).toBe('DATA');
  expect(findings).toEqual([]);
  // Numbers of the collective types: all-gather 2, reduce-scatter 7, all-to-all 6 (chakra-format section 2).
  expect(layers).toEqual([
    {
      name: 'fc1',
      line: 3,
      forward: { time: 5, collective: { name: 'ALLGATHER', type: 2, scope: 'usual', bytes: 1 } },
      inputGradient: { time: 6, collective: { name: 'REDUCESCATTER', type: 7, scope: 'usual', bytes: 2 } },
      weightGradient: { time: 7, collective: { name: 'ALLTOALL', type: 6, scope: 'usual', bytes: 3 } },
      updateTime: 8,
    },
  ]);
});

test('suffixes of SimAI name groups of experts', () => {
  const { layers } = withLayer('fc1 -1 5 ALLTOALL_EP 1 6 NONE 0 7 ALLREDUCE_DP_EP 3 8', 'HYBRID_TRANSFORMER');
  expect(layers[0].forward.collective).toEqual({ name: 'ALLTOALL_EP', type: 6, scope: 'expert', bytes: 1 });
  expect(layers[0].inputGradient).toEqual({ time: 6 });
  const weights = { name: 'ALLREDUCE_DP_EP', type: 0, scope: 'expert-data', bytes: 3 };
  expect(layers[0].weightGradient.collective).toEqual(weights);
});

test('the 13th column is the mode of a layer', () => {
  expect(withLayer(`${SOUND} MODEL`, 'HYBRID_CUSTOMIZED').layers[0].mode).toBe('MODEL');
});

test('tabs, blanks, ends of lines of Windows, a byte order mark and blank lines change nothing', () => {
  const plain = read(`DATA\n2\n${SOUND}\n${SOUND}\n`);
  const other = read(`\uFEFFDATA\t\t\r\n2\t\r\n\r\n${SOUND.replace(/ /g, '\t ')}\r\n  ${SOUND}`);
  const withoutLines = (of: TextWorkload) => of.layers.map((layer) => ({ ...layer, line: 0 }));
  expect(withoutLines(other)).toEqual(withoutLines(plain));
  expect(other.layers.map(({ line }) => line)).toEqual([4, 5]);
  expect(other.findings).toEqual([]);
});

test('keys of line 1 with the colon at the key, apart, at the value, or missing', () => {
  const header =
    'HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep : 3 pp:4 ga 5 pp_comm 6 checkpoints: 1 0 checkpoint_initiates: 0';
  const workload = withLayer(SOUND, header);
  expect([...workload.header].map(([key, { value }]) => [key, value])).toEqual([
    ['model_parallel_NPU_group', 2],
    ['ep', 3],
    ['pp', 4],
    ['ga', 5],
    ['pp_comm', 6],
  ]);
  expect(workload.layerLists.get('checkpoints')?.value).toEqual([0]);
  expect(workload.layerLists.get('checkpoint_initiates')?.value).toEqual([]);
  expect(workload.header.get('ep')?.place).toBe('job.txt:1:61');
});

test('the last bottom layer of a DLRM mode', () => {
  expect(withLayer(SOUND, 'HYBRID_DLRM\t4\t').lastBottomLayer).toEqual({ value: 4, place: 'job.txt:1:13' });
});

test.each<[string, string, RegExp]>([
  ['an unknown key', 'DATA gaa: 4', /^job.txt:1:6: key gaa is not known and not used \(did you mean ga\?\)$/],
  [
    'a key like none',
    'DATA zz: 4',
    /^job.txt:1:6: key zz is not known and not used \(known: model_parallel_NPU_group, /,
  ],
])('%s is said and passed over', (_what, header, message) => {
  const { findings, header: values } = withLayer(SOUND, header);
  expect(values.size).toBe(0);
  expect(findings).toMatchObject([{ code: 'WORKLOAD_HEADER_UNUSED', severity: 'warning' }]);
  expect(findings[0].message).toMatch(message);
});

test('another number of layers than announced is said', () => {
  const { findings, layers } = read(`DATA\n3\n${SOUND}\n${SOUND}\n`);
  expect(layers).toHaveLength(2);
  expect(findings).toMatchObject([{ code: 'WORKLOAD_LAYER_COUNT', announced: 3, count: 2 }]);
});

test.each<[string, string, string]>([
  ['an unknown mode', 'HYBRID_DLMR 4\n1\n', 'job.txt:1:1: mode HYBRID_DLMR: expected one of MICRO, DATA, MODEL,'],
  ['no mode', '', 'job.txt:1:1: mode is missing: expected one of MICRO,'],
  [
    'a DLRM mode without its layer',
    `HYBRID_DLRM\n1\n${SOUND}\n`,
    'job.txt:1:12: HYBRID_DLRM: number of the last bottom layer is missing: expected a whole number from 0 up to 2^53 − 1',
  ],
  ['a key without value', `DATA ep:\n1\n${SOUND}\n`, 'job.txt:1:8: ep is missing: expected a whole number from 1'],
  ['a key with another value', `DATA ep: 0\n1\n${SOUND}\n`, 'job.txt:1:10: ep 0: expected a whole number from 1'],
  ['a value without key', `DATA 8\n1\n${SOUND}\n`, 'job.txt:1:6: 8: expected a key such as ep:'],
  ['a key twice', `DATA ga: 1 ga: 1\n1\n${SOUND}\n`, 'job.txt:1:12: ga stands twice: expected each key once'],
  [
    'fewer checkpoints than counted',
    `HYBRID_TRANSFORMER checkpoints: 2 0\n1\n${SOUND}\n`,
    'job.txt:1:36: checkpoints: layer 2 of 2 is missing',
  ],
  [
    'a checkpoint that is no layer',
    `HYBRID_TRANSFORMER checkpoints: 1 1\n1\n${SOUND}\n`,
    'job.txt:1:20: checkpoints: layer 1: expected a layer from 0 to 0',
  ],
  ['no number of layers', 'DATA\n', 'job.txt:2:1: number of layers is missing'],
  [
    'more behind the number of layers',
    `DATA\n1 2\n${SOUND}\n`,
    'job.txt:2:3: 2: expected the number of layers and nothing else',
  ],
  ['no layers', 'DATA\n0\n\n', 'job.txt:3:1: no layer: expected a layer a line behind line 2'],
  [
    'a line too short',
    'DATA\n1\nfc -1 5 NONE 0\n',
    'job.txt:3:15: 5 columns: expected 12 in mode DATA (name, reserved, forward time, type and bytes,',
  ],
  ['a line too long', `DATA\n1\n${SOUND} MODEL\n`, 'job.txt:3:42: 13 columns: expected 12 in mode DATA'],
  [
    'no 13th column',
    `HYBRID_CUSTOMIZED\n1\n${SOUND}\n`,
    'job.txt:3:41: 12 columns: expected 13 in mode HYBRID_CUSTOMIZED',
  ],
  [
    'another 13th column',
    `HYBRID_CUSTOMIZED\n1\n${SOUND} MICRO\n`,
    'job.txt:3:42: mode of the layer MICRO: expected one of DATA, MODEL, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA',
  ],
  [
    'an unknown collective',
    'DATA\n1\nfc -1 5 NONE 0 6 NONE 0 7 ALLREDUC 64 8\n',
    'job.txt:3:27: weight-gradient collective ALLREDUC: expected NONE or one of ALLREDUCE, ALLGATHER,',
  ],
  [
    'a collective of no known group',
    'HYBRID_TRANSFORMER\n1\nfc -1 5 ALLREDUCE_TP 0 6 NONE 0 7 NONE 64 8\n',
    'job.txt:3:9: forward collective ALLREDUCE_TP: expected NONE or one of',
  ],
  [
    'NONE with a suffix',
    'HYBRID_TRANSFORMER\n1\nfc -1 5 NONE_EP 0 6 NONE 0 7 NONE 64 8\n',
    'job.txt:3:9: forward collective NONE_EP: expected NONE or one of',
  ],
  [
    'experts where there are none',
    'DATA\n1\nfc -1 5 NONE 0 6 NONE 0 7 ALLREDUCE_EP 64 8\n',
    'job.txt:3:27: weight-gradient collective ALLREDUCE_EP: groups of experts are only in HYBRID_TRANSFORMER and',
  ],
  [
    'a time that is no number',
    'DATA\n1\nfc -1 5.5 NONE 0 6 NONE 0 7 NONE 0 8\n',
    'job.txt:3:7: forward time 5.5: expected a whole number from 0 up to 2^53 − 1',
  ],
  [
    'a size below 0',
    'DATA\n1\nfc -1 5 NONE 0 6 NONE 0 7 ALLREDUCE -64 8\n',
    'job.txt:3:37: weight-gradient bytes -64: expected a whole number',
  ],
  [
    'a size of 2^53',
    'DATA\n1\nfc -1 5 NONE 0 6 NONE 0 7 ALLREDUCE 9007199254740992 8\n',
    'job.txt:3:37: weight-gradient bytes 9007199254740992: expected',
  ],
])('%s is an error with file, line and column', (_what, text, message) => {
  const error = (() => {
    try {
      return read(text);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toBeInstanceOf(PrepError);
  expect(error).toMatchObject({ code: 'WORKLOAD_MALFORMED', exitStatus: 3 });
  expect((error as PrepError).message.slice(0, message.length)).toBe(message);
});

test('a misspelt type or mode is told what it may mean', () => {
  expect(() => withLayer(SOUND.replace('ALLREDUCE', 'allreduce'))).toThrow(
    expect.objectContaining({ advice: 'did you mean ALLREDUCE?' }),
  );
  expect(() => withLayer(SOUND, 'HYBRID_DATAMODEL')).toThrow(
    expect.objectContaining({ advice: 'did you mean HYBRID_DATA_MODEL?' }),
  );
});

const PUBLIC = traceFacts(/^text-workload$/);

(PUBLIC.length > 0 ? test.each(PUBLIC) : test.skip.each([['none', { format: '' }]]))(
  '%s: layers and collective types are those of the reference facts',
  (path, facts) => {
    const bytes = sharedBytes('traces', ...path.split('/'));
    const { mode, layers, findings } = readTextWorkload(new MemorySource(bytes, path));
    expect(mode).toBe((facts.header as string[])[0]);
    expect(layers).toHaveLength(facts.layer_lines as number);
    expect(findings).toEqual([]);
    const types: Record<string, number> = {};
    for (const layer of layers) {
      for (const { collective } of [layer.forward, layer.inputGradient, layer.weightGradient]) {
        const name = collective?.name ?? 'NONE';
        types[name] = (types[name] ?? 0) + 1;
      }
    }
    expect(types).toEqual(facts.comm_types);
  },
);
