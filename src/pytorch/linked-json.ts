import { JsonCursor } from '../formats/json/json-cursor.js';
import { JsonKeys, KEY_END } from '../formats/json/json-keys.js';
import { DeviceKind } from '../formats/pytorch/device-trace.js';
import { SYNTHETIC_NAME } from './node-order.js';
import type { RankNodes } from './rank-nodes.js';

const KEYS = new JsonKeys(['id', 'name', 'ctrl_deps', 'parent']);
const Key = { id: 0, name: 1, control: 2, parent: 3 } as const;

const CATEGORIES: Readonly<Record<number, string>> = {
  [DeviceKind.kernel]: 'kernel',
  [DeviceKind.copy]: 'gpu_memcpy',
  [DeviceKind.set]: 'gpu_memset',
  [DeviceKind.annotation]: 'gpu_user_annotation',
};

/**
 * Writes a rank as chakra_trace_link does, for chakra_converter and other programs that read its output (chakra-format section
 * 14): the host nodes as recorded, with new ids and their times, and behind its launcher each device event as a copy of the launcher
 * with the name, times, category and stream of the event. Ids are those of the Chakra trace. One node a line.
 *
 * Data dependencies have no place in this form but one: `inter_thread_dep`.
 */
export function writeLinkedJson(rank: RankNodes, write: (bytes: Uint8Array) => void): void {
  const { links, order, communications } = rank;
  const { host, device, hostEvent, launcher, exclusiveNs } = links;
  const nodes = new NodeTexts(host.source);
  const lines: string[] = [];
  let letters = 0;
  const say = (line: string): void => {
    lines.push(line);
    letters += line.length;
    if (letters > 1 << 20) flush();
  };
  const flush = (): void => {
    if (lines.length > 0) write(Buffer.from(`${lines.join('\n')}\n`));
    lines.length = 0;
    letters = 0;
  };
  const micros = (ns: number): string => microsText(device!.baseMicros, ns);
  const interThread = interThreadDependencies(rank);
  const number = (value: number): number | null => (Number.isNaN(value) ? null : value);
  say('{');
  say(`"schema": ${JSON.stringify(host.schema)}, "pid": ${number(host.pid)}, "time": ${JSON.stringify(host.time)},`);
  say(`"start_ts": ${number(host.startMillis)},`);
  say('"nodes": [');
  for (let node = 0; node < order.length; node++) {
    const origin = order.origin[node];
    const caller = order.caller[node] < 0 ? node : order.caller[node];
    const comma = node + 1 < order.length ? ',' : '';
    if (origin === host.length) {
      say(`${syntheticNode(node, caller)}${comma}`);
    } else if (origin >= 0) {
      const event = hostEvent[origin];
      const times =
        event < 0
          ? ''
          : `, "inclusive_dur": ${microsText(0, device!.hostEvents.durationNs[event])}` +
            `, "exclusive_dur": ${microsText(0, exclusiveNs[origin])}` +
            `, "ts": ${micros(device!.hostEvents.startNs[event])}` +
            `, "inter_thread_dep": ${interThread.get(node) ?? null}`;
      const text = nodes.text(host.offset[origin], host.objectLength[origin], node, caller);
      say(`${text.slice(0, -1)}${times}}${comma}`);
    } else {
      const event = -1 - origin;
      const { deviceEvents, names } = device!;
      const by = launcher[event];
      const name = names[deviceEvents.name[event]];
      const text =
        by < 0 ? bareNode(node, caller, name) : nodes.text(host.offset[by], host.objectLength[by], node, caller, name);
      const group = communications.onDevice.get(event)?.[order.part[node]]?.group ?? '';
      const duration = microsText(0, deviceEvents.durationNs[event]);
      say(
        `${text.slice(0, -1)}, "cat": "${CATEGORIES[deviceEvents.kind[event]]}", "ph": "X"` +
          `, "inclusive_dur": ${duration}, "exclusive_dur": ${duration}, "ts": ${micros(deviceEvents.startNs[event])}` +
          `, "inter_thread_dep": null, "stream": ${Math.max(0, deviceEvents.stream[event])}` +
          `${group === '' ? '' : `, "pg_name": ${JSON.stringify(group)}`}}${comma}`,
      );
    }
  }
  say('],');
  say(`"finish_ts": ${number(host.finishMillis)}`);
  say('}');
  flush();
}

/** Reads the text of a node and puts other ids, and another name, into it. */
class NodeTexts {
  readonly #cursor: JsonCursor;

  constructor(source: ConstructorParameters<typeof JsonCursor>[0]) {
    this.#cursor = new JsonCursor(source);
  }

  /** @param name replaces that of the node where it is given */
  text(offset: number, length: number, id: number, caller: number, name?: string): string {
    const cursor = this.#cursor;
    cursor.jump(offset, length);
    cursor.hold();
    const from = cursor.at;
    const replaced: [from: number, to: number, text: string][] = [];
    cursor.enterObject();
    for (let key = cursor.nextKey(KEYS); key !== KEY_END; key = cursor.nextKey(KEYS)) {
      const start = cursor.placeOf(cursor.valueOffset());
      cursor.skip();
      if (key === Key.id) replaced.push([start, cursor.at, String(id)]);
      else if (key === Key.control || key === Key.parent) replaced.push([start, cursor.at, String(caller)]);
      else if (key === Key.name && name !== undefined) replaced.push([start, cursor.at, JSON.stringify(name)]);
    }
    let at = from;
    let text = '';
    const bytes = (start: number, end: number): string =>
      Buffer.from(cursor.bytes.buffer, cursor.bytes.byteOffset + start, end - start).toString('utf8');
    for (const [start, end, value] of replaced) {
      text += bytes(at, start) + value;
      at = end;
    }
    text += bytes(at, cursor.at);
    cursor.release();
    return text.trimEnd();
  }
}

const NOTHING = '{"values": [], "shapes": [], "types": []}';

function attributes(scope: number): string {
  const integers = { rf_id: 0, fw_parent: 0, seq_id: -1, scope, tid: 0, fw_tid: 0 };
  const list = Object.entries(integers).map(
    ([name, value]) => `{"name": "${name}", "type": "${name === 'seq_id' ? 'int64' : 'uint64'}", "value": ${value}}`,
  );
  return `[${[...list, '{"name": "op_schema", "type": "string", "value": ""}'].join(', ')}]`;
}

function syntheticNode(id: number, caller: number): string {
  return bareNode(id, caller, SYNTHETIC_NAME);
}

function bareNode(id: number, caller: number, name: string): string {
  return (
    `{"id": ${id}, "name": ${JSON.stringify(name)}, "ctrl_deps": ${caller}, "inputs": ${NOTHING}, "outputs": ${NOTHING}, ` +
    `"attrs": ${attributes(7)}}`
  );
}

/** µs with the digits that ns leave. */
function microsText(baseMicros: number, ns: number): string {
  const whole = Math.floor(ns / 1000);
  const rest = Math.round(ns - 1000 * whole);
  return `${baseMicros + whole}${rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`}`;
}

/** The dependency of a host node on another thread, by node. */
function interThreadDependencies({ links, order, dependencies }: RankNodes): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const { start, target } = dependencies;
  const { length } = links.host;
  for (let node = 0; node < order.length; node++) {
    const origin = order.origin[node];
    if (origin < 0 || origin === length) continue;
    for (let edge = start[node]; edge < start[node + 1]; edge++) {
      const other = order.origin[target[edge]];
      if (other >= 0 && other < length && order.thread[other] !== order.thread[origin]) found.set(node, target[edge]);
    }
  }
  return found;
}
