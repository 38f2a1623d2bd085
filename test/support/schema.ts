import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

const proto = resolve(dirname(fileURLToPath(import.meta.url)), '../../../proto/et_def.proto');
const root = new protobuf.Root().loadSync(proto, { keepCase: true });

/** The messages of the schema as protobufjs reads them: the slow twin of the decoder. Field names as in the schema. */
export const NodeMessage = root.lookupType('ChakraProtoMsg.Node');
export const MetadataMessage = root.lookupType('ChakraProtoMsg.GlobalMetadata');
