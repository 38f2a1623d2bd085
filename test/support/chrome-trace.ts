/** Events of the trace event format of Chrome, as far as a timeline has them. */
export interface ChromeEvent {
  readonly ph: 'M' | 'X' | 's' | 'f' | 'C';
  readonly pid: number;
  readonly tid?: number;
  readonly name: string;
  readonly ts?: number;
  readonly dur?: number;
  readonly id?: number;
  readonly bp?: string;
  readonly cat?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

export interface ChromeTrace {
  readonly traceEvents: readonly ChromeEvent[];
  readonly displayTimeUnit: string;
  readonly otherData: Readonly<Record<string, unknown>>;
}

/** Times as whole ps: sums of decimals would not be exact. */
const ps = (micros: number): number => Math.round(micros * 1e6);

/**
 * What a reader of the format would stumble over, as lines; none for a sound trace. Rules: every process and thread that is
 * used has a name; times are not negative; slices of a thread do not overlap; a flow has one begin and one end of the same
 * name and category, each inside a slice of its thread, the end not before the begin; a counter's instants ascend.
 */
export function chromeTraceFaults({ traceEvents }: ChromeTrace): string[] {
  const faults: string[] = [];
  const named = new Set<string>();
  for (const { ph, pid, tid, name } of traceEvents) {
    if (ph === 'M' && name === 'process_name') named.add(`${pid}`);
    if (ph === 'M' && name === 'thread_name') named.add(`${pid}/${tid}`);
  }
  const slices = new Map<string, { from: number; to: number }[]>();
  for (const event of traceEvents) {
    const { ph, pid, tid, ts = 0 } = event;
    if (!named.has(`${pid}`)) faults.push(`process ${pid} has no name`);
    if (ph === 'M') continue;
    if (ph !== 'C' && !named.has(`${pid}/${tid}`)) faults.push(`thread ${pid}/${tid} has no name`);
    if (!(ts >= 0)) faults.push(`${event.name} begins at ${ts}`);
    if (ph !== 'X') continue;
    if (!(event.dur! >= 0)) faults.push(`${event.name} lasts ${event.dur}`);
    const thread = slices.get(`${pid}/${tid}`) ?? [];
    thread.push({ from: ps(ts), to: ps(ts) + ps(event.dur!) });
    slices.set(`${pid}/${tid}`, thread);
  }
  for (const [thread, list] of slices) {
    list.sort((a, b) => a.from - b.from || a.to - b.to);
    list.forEach(({ from }, place) => {
      if (place > 0 && from < list[place - 1].to) faults.push(`slices of thread ${thread} overlap at ${from} ps`);
    });
  }
  return [...faults, ...flowFaults(traceEvents, slices), ...counterFaults(traceEvents)];
}

function flowFaults(
  events: readonly ChromeEvent[],
  slices: ReadonlyMap<string, readonly { from: number; to: number }[]>,
): string[] {
  const faults: string[] = [];
  const begins = new Map<number, ChromeEvent>();
  const ends = new Map<number, ChromeEvent>();
  for (const event of events) {
    if (event.ph !== 's' && event.ph !== 'f') continue;
    const side = event.ph === 's' ? begins : ends;
    if (side.has(event.id!)) faults.push(`flow ${event.id} twice`);
    side.set(event.id!, event);
    const at = ps(event.ts!);
    const inside = slices.get(`${event.pid}/${event.tid}`)?.some(({ from, to }) => from <= at && at <= to) ?? false;
    if (!inside) faults.push(`flow ${event.id} ${event.ph} at ${at} ps is in no slice`);
    if (event.ph === 'f' && event.bp !== 'e') faults.push(`flow ${event.id} ends at the next slice`);
  }
  for (const [id, begin] of begins) {
    const end = ends.get(id);
    if (end === undefined) faults.push(`flow ${id} has no end`);
    else if (end.name !== begin.name || end.cat !== begin.cat) faults.push(`flow ${id} has two names`);
  }
  for (const id of ends.keys()) if (!begins.has(id)) faults.push(`flow ${id} has no begin`);
  return faults;
}

function counterFaults(events: readonly ChromeEvent[]): string[] {
  const faults: string[] = [];
  const last = new Map<string, number>();
  for (const { ph, pid, name, ts, args } of events) {
    if (ph !== 'C') continue;
    const key = `${pid} ${name}`;
    if (last.has(key) && ts! <= last.get(key)!) faults.push(`counter ${key} goes back at ${ts}`);
    last.set(key, ts!);
    if (!(Number(args!.bytes) >= 0)) faults.push(`counter ${key} is ${String(args!.bytes)}`);
  }
  return faults;
}
