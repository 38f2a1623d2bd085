import { MemorySource, type ByteSource } from '../../src/base/byte-source.js';
import { detectFormat, FORMATS, type Format } from '../../src/formats/detect.js';
import { detectFile } from '../../src/formats/sniff.js';
import { describeShared, shared, sharedFiles } from '../support/shared.js';
import { sharedBytes, traceFacts } from '../support/trace-facts.js';

function detect(content: string | readonly number[]): Format {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Uint8Array.from(content);
  return detectFormat(new MemorySource(bytes, 'any.name')).format;
}

describe('detectFormat tells by content', () => {
  test.each<[Format, string | readonly number[]]>([
    ['empty', ''],
    ['gzip', [0x1f, 0x8b, 8, 0]],
    // an empty metadata frame, alone and before a node with id 1
    ['chakra-et', [0]],
    ['chakra-et', [0, 2, 8, 1]],
    // metadata of 10 and of 32 bytes, whose length is a line end and a blank
    ['chakra-et', [10, 10, 8, ...Buffer.from('0.0.4-xy')]],
    ['chakra-et', [32, 10, 30, ...Buffer.from('0'.repeat(30)), 2, 8, 1]],
    // metadata of 123 bytes, whose length is "{"
    ['chakra-et', [123, 10, 121, ...Buffer.from('1'.repeat(121)), 2, 8, 1]],
    ['chakra-jsonl', '{"schema":"chakra-prep/trace/1","version":"0.0.4"}\n{"id":1,"type":"COMP_NODE"}\n'],
    ['chakra-jsonl', '\ufeff{"schema":"chakra-prep/trace/1"}'],
    ['annotated-json', '{"id":17,"type":"COMM_SEND_NODE","ctrlDeps":[12],"dataDeps":[9],"dependents":[18]}\n'],
    ['feeder-json', '{"workload_graph": []}'],
    ['stage-json', '{"nodes": [{"id": 2, "name": "a", "node_type": "comp_node"}]}'],
    ['jsonizer-json', '{"version": "1.0.0"}{"id": "73", "name": "a", "type": "COMM_COLL_NODE"}'],
    ['jsonizer-json', '{}{\n  "name": "a", "type": "COMP_NODE"\n}'],
    ['pytorch-host-json', '{"schema": "1.0.1", "pid": 1, "nodes": [{"name": "x", "id": 2, "rf_id": 0}]}'],
    ['linked-json', '{"schema": "1.0.1", "nodes": [{"id": 2, "rf_id": 0}, {"id": 3, "inclusive_dur": 1}]}'],
    ['kineto-json', '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [{"ph": "X"'],
    ['kineto-json', '[{"ph": "X", "name": "a", "ts": NaN}]'],
    ['kineto-json', '{"a": "escape \x1b[0m", "traceEvents": []}'],
    ['comm-group', '{"0": [0, 1], "tp": [2, 3]}'],
    ['mapping-json', '{"ranks": [{"rank": 0, "server": 0}]}'],
    ['other-json', '{}'],
    ['other-json', '[1, 2, 3]'],
    ['other-json', '{"0": [0, "a"]}'],
    ['other-json', '{"active-chunks-per-dimension": 1, "all-reduce-implementation": ["ring"]}'],
    ['text-workload', 'MICRO\n1\nconv1 -1 5 NONE 0 5 NONE 0 5 ALLREDUCE 1048576 5\n'],
    ['text-workload', 'HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1\r\n2\r\n'],
    ['unknown', 'MICROSCOPE\n1\n'],
    ['unknown', '# rank, server\n0 7\n'],
    ['unknown', '{"key": what'],
    ['unknown', [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]],
  ])('%s: %j', (format, content) => {
    expect(detect(content)).toBe(format);
  });

  test('every format has words for people', () => {
    for (const { name, about } of Object.values(FORMATS)) {
      expect(name).toMatch(/^(an?|the|of|JSON|XML|gzip) ?/);
      expect(about).not.toContain('\n');
    }
  });
});

test('a JSON file of 200 MB is told from its first 5 MB', () => {
  const node = Buffer.from('{"id": 5, "name": "aten::add", "ctrl_deps": 2, "inputs": {"values": []}},\n');
  const start = Buffer.from('{"schema": "1.1.1", "nodes": [\n');
  let furthest = 0;
  const source: ByteSource = {
    name: 'large',
    length: 200e6,
    read(offset, length) {
      furthest = Math.max(furthest, offset + length);
      return Uint8Array.from({ length }, (_, index) => {
        const at = offset + index;
        return at < start.length ? start[at] : node[(at - start.length) % node.length];
      });
    },
    close() {},
  };
  expect(detectFormat(source).format).toBe('pytorch-host-json');
  expect(furthest).toBeLessThan(5e6);
});

describeShared('on every file of the public traces', () => {
  for (const [path, { format }] of traceFacts()) {
    test(path, () => {
      // The facts tell schema versions apart and call the cut file an error; both are for the reader to say.
      const expected = format === 'error' || format.startsWith('et') ? 'chakra-et' : format;
      expect(detectFormat(new MemorySource(sharedBytes('traces', path), path)).format).toBe(expected);
      expect(detectFile(shared('traces', path))).toBe(expected);
    });
  }

  for (const path of sharedFiles('reference/chakra-tools/jsonizer', /json/)) {
    test(path, () => {
      expect(detectFile(shared(path))).toBe('jsonizer-json');
    });
  }

  test('a linked trace of PyTorch 2.2', () => {
    expect(detectFile(shared('reference/chakra-tools/trace-link/resnet_pair.linked.json.gz'))).toBe('linked-json');
  });
});
