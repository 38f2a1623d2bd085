import type { ByteSource } from '../../base/byte-source.js';
import { JsonCursor, JsonKind } from '../json/json-cursor.js';
import { JsonKeys, KEY_END } from '../json/json-keys.js';
import { HostNodes } from './host-nodes.js';
import type { HostTrace } from './host-trace.js';
import { TraceFields } from './trace-fields.js';
import { readingProblem, wrongKind } from './wrong-kind.js';

const KIND = 'pytorch-host-json';

const KEYS = new JsonKeys(['schema', 'pid', 'time', 'start_ts', 'finish_ts', 'nodes', 'traceEvents', 'workload_graph']);
const Key = { schema: 0, pid: 1, time: 2, start: 3, finish: 4, nodes: 5, traceEvents: 6, workloadGraph: 7 } as const;

/**
 * Reads a PyTorch host trace (ExecutionTraceObserver; chakra-format sections 9 and 12). Schemas 1.0.1 to 1.1.1 were seen; keys decide
 * and not the number of the schema, so a newer one is read as well. Read: the columns of HostTrace, communication records of all
 * layouts, group declarations. Left in the source: inputs, outputs and the other attributes of nodes.
 *
 * The file is walked once through a window; memory is 60 bytes a node.
 * @throws PrepError `FILE_EMPTY`, `WRONG_KIND`, `JSON_MALFORMED` (exit status 3) with node and byte, `NUMBER_TOO_LARGE` (exit
 * status 1) for ids above 2^53
 */
export function readHostTrace(source: ByteSource, file = source.name): HostTrace {
  if (source.length === 0) throw wrongKind(source, file, KIND);
  const cursor = new JsonCursor(source);
  const fields = new TraceFields(cursor, file);
  const nodes = new HostNodes(fields, source);
  try {
    return readDocument(cursor, fields, nodes, source, file);
  } catch (error) {
    throw readingProblem(error, source, file, KIND, nodes.place());
  }
}

function readDocument(
  cursor: JsonCursor,
  fields: TraceFields,
  nodes: HostNodes,
  source: ByteSource,
  file: string,
): HostTrace {
  let schema = '';
  let time = '';
  let pid = NaN;
  let startMillis = NaN;
  let finishMillis = NaN;
  let seen = 0;
  if (cursor.kind() !== JsonKind.object) throw wrongKind(source, file, KIND);
  cursor.enterObject();
  for (let key = cursor.nextKey(KEYS); key !== KEY_END; key = cursor.nextKey(KEYS)) {
    seen = fields.see(seen, key);
    switch (key) {
      case Key.schema:
        schema = fields.text('schema') ?? '';
        break;
      case Key.pid:
        pid = fields.integer('pid');
        break;
      case Key.time:
        time = fields.text('time') ?? '';
        break;
      case Key.start:
        startMillis = fields.integer('start_ts');
        break;
      case Key.finish:
        finishMillis = fields.integer('finish_ts');
        break;
      case Key.nodes:
        nodes.readList();
        break;
      case Key.traceEvents:
      case Key.workloadGraph:
        throw wrongKind(source, file, KIND);
      default:
        cursor.skip();
    }
  }
  if ((seen & (1 << Key.nodes)) === 0) throw wrongKind(source, file, KIND);
  // A second document behind the first is the form of chakra_jsonizer.
  cursor.finish();
  return {
    ...{ file, source, schema, pid, time, startMillis, finishMillis },
    ...nodes.finish(),
    findings: fields.findings(),
  };
}
