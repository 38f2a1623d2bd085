import { openTraceSource, readWholeFile } from '../../src/formats/open-source.js';
import { HostNodeReader } from '../../src/formats/pytorch/host-node.js';
import { readHostTrace } from '../../src/formats/pytorch/read-host-trace.js';
import { decodeFrames } from '../support/et-frames.js';
import { describeShared, shared } from '../support/shared.js';

/** Texts and attributes of host nodes are those that chakra_converter stores of the same nodes. */

interface Io {
  readonly values?: string;
  readonly shapes?: string;
  readonly types?: string;
}

interface ConvertedNode {
  readonly id?: string;
  readonly name?: string;
  readonly inputs?: Io;
  readonly outputs?: Io;
  readonly attr: readonly { readonly name: string; readonly [arm: string]: unknown }[];
}

// Of a linked trace host nodes are compared, by their record-function id: linking renumbers them.
const PAIRS: [host: string, converted: string, by: 'id' | 'rf_id', nodes: number][] = [
  ['mlcommons-chakra/1.0.2-chakra.0.0.4.json.gz', 'host_1.0.2.0.et.gz', 'id', 262],
  ['param/pt2_1.1.1/pt2_et.json', 'pt2.0.et', 'id', 19],
  ['param/resnet_2gpu_1.1.0/rank1_et.json.gz', 'resnet_2gpu_1.1.0.1.et.gz', 'id', 14391],
  ['astra-sim-tutorials/host_json/pytorch_et_0.json.gz', 'tutorial_host.0.et.gz', 'id', 4800],
  ['astra-sim-tutorials/host_json/pytorch_et_1.json.gz', 'tutorial_host.1.et.gz', 'id', 4796],
  ['resnet_pair/host_0.json.gz', 'resnet_pair.0.et.gz', 'rf_id', 14388],
];

const NAMES = ['rf_id', 'fw_parent', 'seq_id', 'scope', 'tid', 'fw_tid', 'op_schema'];

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

function valueOf(node: ConvertedNode, name: string): unknown {
  const attribute = node.attr.find((entry) => entry.name === name);
  return attribute === undefined ? undefined : Object.entries(attribute).find(([key]) => key !== 'name')?.[1];
}

describeShared('texts of host nodes', () => {
  test.each(PAIRS)('%s as in %s', (host, converted, by, count) => {
    const trace = readHostTrace(openTraceSource(shared('traces', host)));
    const places = new Map<string, number>();
    for (let node = 0; node < trace.length; node++) {
      places.set(String(by === 'id' ? trace.id[node] : trace.recordId[node]), node);
    }
    const { nodes } = decodeFrames(readWholeFile(shared('reference/chakra-tools/pytorch-converter', converted)));
    const reader = new HostNodeReader(trace);
    let compared = 0;
    for (const node of nodes as unknown as ConvertedNode[]) {
      if (by === 'rf_id' && (valueOf(node, 'is_cpu_op') !== true || String(valueOf(node, 'rf_id')) === '0')) continue;
      const place = places.get(by === 'id' ? (node.id ?? '0') : String(valueOf(node, 'rf_id')));
      expect(place).toBeDefined();
      reader.read(place!);
      const { inputs, outputs, attributes, attributeCount } = reader;
      const got = {
        name: trace.names[trace.name[place!]],
        inputs: [text(inputs.values), text(inputs.shapes), text(inputs.types)],
        outputs: [text(outputs.values), text(outputs.shapes), text(outputs.types)],
        attributes: NAMES.map((name) => {
          const found = attributes.slice(0, attributeCount).find((entry) => entry.name === name);
          return found?.kind === 'text' ? text(found.text) : String(found?.number);
        }),
      };
      const expected = {
        name: node.name,
        inputs: [node.inputs?.values, node.inputs?.shapes, node.inputs?.types],
        outputs: [node.outputs?.values, node.outputs?.shapes, node.outputs?.types],
        attributes: NAMES.map((name) => String(valueOf(node, name) ?? '')),
      };
      if (JSON.stringify(got) !== JSON.stringify(expected)) expect(got).toEqual(expected);
      compared++;
    }
    expect(compared).toBe(count);
  });
});
