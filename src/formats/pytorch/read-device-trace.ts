import type { ByteSource } from '../../base/byte-source.js';
import type { Finding } from '../../base/finding.js';
import { JsonCursor, JsonKind } from '../json/json-cursor.js';
import { JsonKeys, KEY_END } from '../json/json-keys.js';
import { jsonValue } from '../json/json-value.js';
import { CallColumn, DeviceColumn, DeviceEvents, HostColumn, WaitColumn } from './device-events.js';
import type { DeviceTrace, DistributedInfo, EventColumns } from './device-trace.js';
import { distributedInfo } from './distributed-info.js';
import { Table } from './event-categories.js';
import { TraceFields } from './trace-fields.js';
import { readingProblem, wrongKind } from './wrong-kind.js';

const KIND = 'kineto-json';

const KEYS = new JsonKeys(['traceEvents', 'distributedInfo', 'baseTimeNanoseconds', 'nodes', 'workload_graph']);
const Key = { events: 0, distributed: 1, baseTime: 2, nodes: 3, workloadGraph: 4 } as const;

/**
 * Reads a Kineto device trace (PyTorch profiler; chakra-format section 13), or the bare list of its events. Read: the events of
 * the tables of DeviceTrace, whole (phase X) or in two halves (B and E), and distributedInfo. Counted and left out: events
 * of other categories and phases. `baseTimeNanoseconds` is added to all times.
 *
 * The file is walked once through a window; memory is 60 to 100 bytes an event that is read.
 * @throws PrepError `FILE_EMPTY`, `WRONG_KIND`, `JSON_MALFORMED` (exit status 3) with event and byte, `NUMBER_TOO_LARGE`
 * (exit status 1) for ids above 2^53
 */
export function readDeviceTrace(source: ByteSource, file = source.name): DeviceTrace {
  if (source.length === 0) throw wrongKind(source, file, KIND);
  const cursor = new JsonCursor(source);
  const fields = new TraceFields(cursor, file);
  const events = new DeviceEvents(fields);
  try {
    const header = readDocument(cursor, fields, events, source, file);
    cursor.finish();
    return assemble(events, fields, header, file);
  } catch (error) {
    throw readingProblem(error, source, file, KIND, events.place());
  }
}

interface Header {
  distributed: DistributedInfo | undefined;
  baseNanoseconds: bigint;
  findings: Finding[];
}

function readDocument(
  cursor: JsonCursor,
  fields: TraceFields,
  events: DeviceEvents,
  source: ByteSource,
  file: string,
): Header {
  const header: Header = { distributed: undefined, baseNanoseconds: 0n, findings: [] };
  if (cursor.kind() === JsonKind.array) {
    events.readList(false);
    if (!events.sure) throw wrongKind(source, file, KIND);
    return header;
  }
  if (cursor.kind() !== JsonKind.object) throw wrongKind(source, file, KIND);
  cursor.enterObject();
  let seen = 0;
  for (let key = cursor.nextKey(KEYS); key !== KEY_END; key = cursor.nextKey(KEYS)) {
    seen = fields.see(seen, key);
    switch (key) {
      case Key.events:
        events.readList(true);
        break;
      case Key.distributed: {
        const { info, findings } = distributedInfo(jsonValue(cursor), file);
        header.distributed = info;
        header.findings = findings;
        break;
      }
      case Key.baseTime:
        header.baseNanoseconds = readBaseTime(cursor, fields);
        break;
      case Key.nodes:
      case Key.workloadGraph:
        throw wrongKind(source, file, KIND);
      default:
        cursor.skip();
    }
  }
  if ((seen & (1 << Key.events)) === 0) throw wrongKind(source, file, KIND);
  return header;
}

/** ns since 1970: too large for a double. */
function readBaseTime(cursor: JsonCursor, fields: TraceFields): bigint {
  const offset = cursor.valueOffset();
  const text = fields.text('baseTimeNanoseconds');
  if (text === undefined) return 0n;
  if (/^-?[0-9]{1,19}$/.test(text)) return BigInt(text);
  const value = Number(text);
  if (Math.abs(value) < 1e19) return BigInt(Math.round(value));
  fields.unusable('baseTimeNanoseconds', text, offset);
  return 0n;
}

function assemble(events: DeviceEvents, fields: TraceFields, header: Header, file: string): DeviceTrace {
  const { tables } = events;
  const earliest = Math.min(...tables.map((rows) => rows.earliest()));
  const base = earliest === Infinity ? 0 : earliest;
  const addedNs = Number(((header.baseNanoseconds % 1000n) + 1000n) % 1000n);
  const baseMicros = base + Number((header.baseNanoseconds - BigInt(addedNs)) / 1000n);
  const columns = tables.map((rows) => rows.finish(base, addedNs));
  closeOpen(events, columns);
  const [host, calls, device, waits] = tables;
  return {
    file,
    baseMicros,
    names: events.names.names,
    hostEvents: {
      ...columns[Table.host],
      annotation: host.bytes(HostColumn.annotation),
      recordId: host.numbers(HostColumn.recordId),
    },
    calls: { ...columns[Table.calls], correlation: calls.numbers(CallColumn.correlation) },
    deviceEvents: {
      ...columns[Table.device],
      kind: device.bytes(DeviceColumn.kind),
      stream: device.integers(DeviceColumn.stream),
      device: device.integers(DeviceColumn.device),
      correlation: device.numbers(DeviceColumn.correlation),
      bytes: device.numbers(DeviceColumn.bytes),
    },
    synchronizations: {
      ...columns[Table.synchronizations],
      stream: waits.integers(WaitColumn.stream),
      correlation: waits.numbers(WaitColumn.correlation),
      waitsOnStream: waits.integers(WaitColumn.waitsOnStream),
      waitsOnCorrelation: waits.numbers(WaitColumn.waitsOnCorrelation),
      waitsOnEvent: waits.numbers(WaitColumn.waitsOnEvent),
    },
    collectives: events.collectives,
    distributed: header.distributed,
    otherEvents: events.otherEvents(),
    findings: [...header.findings, ...events.findings(file), ...fields.findings()],
  };
}

/** Events that begin and never end last until the last event ends, as viewers draw them. */
function closeOpen(events: DeviceEvents, columns: readonly EventColumns[]): void {
  const open = events.unclosed();
  if (open.length === 0) return;
  let end = 0;
  for (const { length, startNs, durationNs } of columns) {
    for (let event = 0; event < length; event++) end = Math.max(end, startNs[event] + durationNs[event]);
  }
  for (const { table, row } of open) columns[table].durationNs[row] = end - columns[table].startNs[row];
}
