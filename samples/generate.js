/**
 * Makes the sample traceset: one training step of a small model on four ranks, tensor parallel (groups 1 and 2) times
 * data parallel (groups 3 and 4), with a pipeline-style send and a closing barrier over all ranks.
 *
 *   node samples/generate.js [folder]      default: samples/traces
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const schema = protobuf.loadSync(join(here, '..', 'proto', 'et_def.proto'));
const Node = schema.lookupType('ChakraProtoMsg.Node');
const GlobalMetadata = schema.lookupType('ChakraProtoMsg.GlobalMetadata');

const RANKS = 4;
const GROUPS = { 1: [0, 1], 2: [2, 3], 3: [0, 2], 4: [1, 3] };
const TYPE = { compute: 4, send: 5, receive: 6, collective: 7 };
const COLLECTIVE = { allReduce: 0, allGather: 2, reduceScatter: 7, barrier: 9 };

const folder = process.argv[2] ?? join(here, 'traces');
mkdirSync(folder, { recursive: true });
for (let rank = 0; rank < RANKS; rank++) writeFileSync(join(folder, `step.${rank}.et`), trace(rank));
writeFileSync(join(folder, 'comm_group.json'), `${JSON.stringify(GROUPS, null, 2)}\n`);

function trace(rank) {
  const tensorGroup = rank < 2 ? '1' : '2';
  const replicaGroup = rank % 2 === 0 ? '3' : '4';
  const nodes = [];
  const issued = new Map();

  const add = (name, type, fields, attributes) => {
    const previous = nodes.length > 0 ? [nodes.length - 1] : [];
    nodes.push({
      id: nodes.length,
      name,
      type,
      dataDeps: previous,
      ...fields,
      attr: [{ name: 'is_cpu_op', boolVal: false }, ...attributes],
    });
  };
  const compute = (name, durationMicros) => add(name, TYPE.compute, { durationMicros }, []);
  const collective = (name, commType, commSize, group) => {
    const order = issued.get(group) ?? 0;
    issued.set(group, order + 1);
    add(name, TYPE.collective, {}, [
      { name: 'comm_type', int64Val: commType },
      { name: 'comm_size', int64Val: commSize },
      ...(group === undefined ? [] : [{ name: 'pg_name', stringVal: group }]),
      { name: 'issue_order', int64Val: order },
    ]);
  };

  compute('embedding', 40);
  for (let layer = 0; layer < 2; layer++) {
    compute(`layer ${layer} attention`, 120 + 5 * rank);
    collective(`layer ${layer} attention all-reduce`, COLLECTIVE.allReduce, 1 << 20, tensorGroup);
    compute(`layer ${layer} mlp`, 180);
    collective(`layer ${layer} mlp all-reduce`, COLLECTIVE.allReduce, 1 << 20, tensorGroup);
  }
  collective('gradients reduce-scatter', COLLECTIVE.reduceScatter, 3_000_001, replicaGroup);
  compute('optimizer', 60);
  collective('parameters all-gather', COLLECTIVE.allGather, 1_500_001, replicaGroup);
  if (rank === 0) {
    add('loss to rank 3', TYPE.send, {}, [
      { name: 'comm_size', int64Val: 4 },
      { name: 'comm_dst', int32Val: 3 },
      { name: 'comm_tag', int32Val: 7 },
    ]);
  }
  if (rank === 3) {
    add('loss from rank 0', TYPE.receive, {}, [
      { name: 'comm_size', int64Val: 4 },
      { name: 'comm_src', int32Val: 0 },
      { name: 'comm_tag', int32Val: 7 },
    ]);
  }
  collective('end of step', COLLECTIVE.barrier, 0, undefined);

  return Buffer.concat([
    frame(GlobalMetadata.encode({ version: '0.0.4' }).finish()),
    ...nodes.map((node) => frame(Node.encode(Node.fromObject(node)).finish())),
  ]);
}

/** A message with its length before it, as chakra-format section 1 wants it. */
function frame(message) {
  return Buffer.concat([protobuf.Writer.create().uint32(message.length).finish(), message]);
}
