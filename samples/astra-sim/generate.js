/**
 * Makes a traceset of four ranks that ASTRA-sim runs as it is: a batch from remote memory, compute, an all-reduce of all ranks and an
 * all-gather of two ready at the same time, an all-to-all, compute.
 *
 *   node samples/astra-sim/generate.js [folder]      default: samples/astra-sim
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const schema = protobuf.loadSync(join(here, '..', '..', 'proto', 'et_def.proto'));
const Node = schema.lookupType('ChakraProtoMsg.Node');
const GlobalMetadata = schema.lookupType('ChakraProtoMsg.GlobalMetadata');

const RANKS = 4;
const GROUPS = { 1: [0, 1], 2: [2, 3] };
const TYPE = { memoryLoad: 2, compute: 4, collective: 7 };
const COLLECTIVE = { allReduce: 0, allGather: 2, allToAll: 6 };

const folder = process.argv[2] ?? here;
mkdirSync(folder, { recursive: true });
for (let rank = 0; rank < RANKS; rank++) writeFileSync(join(folder, `step.${rank}.et`), trace(rank));
writeFileSync(join(folder, 'comm_group.json'), `${JSON.stringify(GROUPS)}\n`);

function trace(rank) {
  const pair = rank < 2 ? '1' : '2';
  const nodes = [
    node(1, 'batch', TYPE.memoryLoad, 100, [], [{ name: 'tensor_size', uint64Val: 3_700_000 }]),
    node(2, 'backward', TYPE.compute, 50, [1], []),
    collective(3, 'gradients', COLLECTIVE.allReduce, 1_000_003, [2]),
    collective(4, 'activations', COLLECTIVE.allGather, 100_000, [2], pair),
    collective(5, 'tokens', COLLECTIVE.allToAll, 1_048_576, [3, 4]),
    node(6, 'optimizer', TYPE.compute, 10, [5], []),
  ];
  return Buffer.concat([
    frame(GlobalMetadata.encode({ version: '0.0.4' }).finish()),
    ...nodes.map((each) => frame(Node.encode(Node.fromObject(each)).finish())),
  ]);
}

function node(id, name, type, durationMicros, dataDeps, attributes) {
  return { id, name, type, durationMicros, dataDeps, attr: [{ name: 'is_cpu_op', boolVal: false }, ...attributes] };
}

function collective(id, name, commType, commSize, dataDeps, group) {
  return node(id, name, TYPE.collective, 0, dataDeps, [
    { name: 'comm_type', int64Val: commType },
    { name: 'comm_size', int64Val: commSize },
    ...(group === undefined ? [] : [{ name: 'pg_name', stringVal: group }]),
  ]);
}

/** A message with its length before it, as chakra-format section 1 wants it. */
function frame(message) {
  return Buffer.concat([protobuf.Writer.create().uint32(message.length).finish(), message]);
}
