import { addTo, type Counts } from './counts.js';

/** Columns of a layer that hold a communication type: forward, input gradient, weight gradient. */
const TYPE_COLUMNS = [3, 6, 9];

/** Facts of a text workload (chakra-format section 16). */
export function textWorkloadFacts(text: string) {
  const [header = [], count = [], ...layers] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/));
  const columns: Counts = {};
  const types: Counts = {};
  for (const layer of layers) {
    addTo(columns, String(layer.length));
    for (const column of TYPE_COLUMNS) if (layer[column] !== undefined) addTo(types, layer[column]);
  }
  return {
    format: 'text-workload',
    header,
    declared_layers: count[0] ?? '',
    layer_lines: layers.length,
    columns,
    comm_types: types,
  };
}
