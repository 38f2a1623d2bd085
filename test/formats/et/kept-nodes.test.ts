import { buildEt, readBytes } from '../../support/traces.js';

test('name, inputs and attributes of a node are read from its frame', () => {
  const { trace } = readBytes(
    buildEt([
      { id: 1 },
      {
        id: 2,
        name: 'ncclDevKernel_AllReduce<f16, "ring">',
        inputs: { values: "['a', 1]", shapes: '[]' },
        attr: {
          comm_size: { int64_val: 5 },
          inputs: {},
          dims: { bool_list: [true] },
          note: { bytes_val: Uint8Array.of(1) },
        },
      },
    ]),
  );
  const { kept, frameOffset, frameLength } = trace;
  const attributes = (node: number): string[] => {
    const seen: string[] = [];
    kept!.forEachAttribute(frameOffset[node], frameLength[node], (name, arm) => seen.push(`${name}:${arm}`));
    return seen;
  };
  expect(kept!.name(frameOffset[1], frameLength[1])).toBe('ncclDevKernel_AllReduce<f16, "ring">');
  expect(kept!.inputValues(frameOffset[1], frameLength[1])).toBe("['a', 1]");
  expect(attributes(1)).toEqual(['comm_size:int64_val', 'inputs:UNSET', 'dims:bool_list', 'note:bytes_val']);
  expect([kept!.name(frameOffset[0], frameLength[0]), kept!.inputValues(frameOffset[0], frameLength[0])]).toEqual([
    '',
    '',
  ]);
  expect(attributes(0)).toEqual([]);
});
