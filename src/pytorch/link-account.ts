import { DeviceKind, type DeviceTrace } from '../formats/pytorch/device-trace.js';
import { elementBytes } from '../formats/pytorch/element-types.js';
import type { HostTrace } from '../formats/pytorch/host-trace.js';
import { LaunchGap, type Launches } from './launches.js';
import type { HostMatch } from './match-hosts.js';

/** How much of one kind was linked; what was not, by reason. */
export interface Tally {
  readonly total: number;
  readonly linked: number;
  /** Reason, as a message tells it → how many. */
  readonly unlinked: Readonly<Record<string, number>>;
}

/** What became of everything in the two traces of a rank. Plain data: it crosses worker threads and is printed as JSON. */
export interface LinkAccount {
  /** Linked: the node has a host event, and so a time. */
  readonly hostNodes: Tally;
  /** Linked: the event has a host node. */
  readonly hostEvents: Tally;
  /** Linked: a host node is around the call. */
  readonly calls: Tally;
  /** Calls with a device event, and calls that launch by their name and have none. */
  readonly launchingCalls: number;
  readonly launchesWithoutDeviceEvent: number;
  /** Linked: the event hangs under a host node. */
  readonly kernels: Tally;
  readonly copies: Tally;
  readonly sets: Tally;
  readonly annotations: Tally;
  /** Bytes of copies and memsets, as far as they are stated. */
  readonly copyBytes: Tally;
  /** Input bytes of collectives by the arguments of their kernels, as far as these state elements and their type. */
  readonly collectiveBytes: Tally;
  /** Events that no trace of ops has a place for, by category. */
  readonly otherEvents: Readonly<Record<string, number>>;
}

/** Reasons that say no more than that one trace covers a longer time than the other. */
export const OUTSIDE_HOST_TRACE: readonly string[] = [
  'launched before the first op of the host trace',
  'launched after the last op of the host trace',
];

const GAP_REASONS: Readonly<Record<number, string>> = {
  [LaunchGap.before]: OUTSIDE_HOST_TRACE[0],
  [LaunchGap.after]: OUTSIDE_HOST_TRACE[1],
  [LaunchGap.noCall]: 'no launching call in the device trace',
  [LaunchGap.noEvent]: 'no host event around the launching call',
  [LaunchGap.noNode]: 'no host node around the launching call',
  [LaunchGap.noAnnotation]: 'no host event with the External id of the annotation',
};

const LAUNCHES = /(?:Launch(?!HostFunc)|Memcpy|Memset)/;

/** Collects a tally. */
class Tallying {
  #total = 0;
  #linked = 0;
  readonly #unlinked = new Map<string, number>();

  add(reason: string | undefined, amount = 1): void {
    this.#total += amount;
    if (reason === undefined) this.#linked += amount;
    else this.#unlinked.set(reason, (this.#unlinked.get(reason) ?? 0) + amount);
  }

  get tally(): Tally {
    return { total: this.#total, linked: this.#linked, unlinked: Object.fromEntries(this.#unlinked) };
  }
}

export function accountOf(
  host: HostTrace,
  device: DeviceTrace,
  match: HostMatch,
  nodeOf: Int32Array,
  launches: Launches,
): LinkAccount {
  const calls = new Tallying();
  for (let call = 0; call < device.calls.length; call++) {
    calls.add(
      launches.caller[call] >= 0
        ? undefined
        : launches.callEvent[call] >= 0
          ? 'no host node around the call'
          : 'no host event around the call',
    );
  }
  const { deviceEvents } = device;
  const kinds = [new Tallying(), new Tallying(), new Tallying(), new Tallying()]; // by DeviceKind
  const copyBytes = new Tallying();
  const collectiveBytes = new Tallying();
  const launching = new Uint8Array(device.calls.length);
  for (let i = 0; i < deviceEvents.length; i++) {
    const reason = launches.gap[i] === LaunchGap.none ? undefined : GAP_REASONS[launches.gap[i]];
    const kind = deviceEvents.kind[i];
    kinds[kind].add(reason);
    if ((kind === DeviceKind.copy || kind === DeviceKind.set) && deviceEvents.bytes[i] > 0) {
      copyBytes.add(reason, deviceEvents.bytes[i]);
    }
    if (launches.call[i] >= 0) launching[launches.call[i]] = 1;
    const collective = device.collectives.get(i);
    if (collective === undefined) continue;
    const bytes = (collective.inputElements ?? NaN) * elementBytes(collective.elementType ?? '');
    if (bytes > 0) collectiveBytes.add(reason, bytes);
  }
  const isLaunch = Uint8Array.from(device.names, (name) => (LAUNCHES.test(name) ? 1 : 0));
  let launchingCalls = 0;
  let launchesWithoutDeviceEvent = 0;
  for (let call = 0; call < device.calls.length; call++) {
    if (launching[call] === 1) launchingCalls++;
    else if (isLaunch[device.calls.name[call]] === 1) launchesWithoutDeviceEvent++;
  }
  return {
    hostNodes: hostNodes(host, match),
    hostEvents: hostEvents(device, nodeOf),
    calls: calls.tally,
    launchingCalls,
    launchesWithoutDeviceEvent,
    kernels: kinds[DeviceKind.kernel].tally,
    copies: kinds[DeviceKind.copy].tally,
    sets: kinds[DeviceKind.set].tally,
    annotations: kinds[DeviceKind.annotation].tally,
    copyBytes: copyBytes.tally,
    collectiveBytes: collectiveBytes.tally,
    otherEvents: Object.fromEntries(device.otherEvents),
  };
}

/** Host nodes without an event lie before, between or after those that have one, in the order in which they started. */
function hostNodes(host: HostTrace, { hostEvent, nodes }: HostMatch): Tally {
  const tally = new Tallying();
  const linked = nodes.nodes.map((node) => (hostEvent[node] >= 0 ? 1 : 0));
  const first = linked.indexOf(1);
  const last = linked.lastIndexOf(1);
  nodes.nodes.forEach((node, place) => {
    if (hostEvent[node] >= 0) tally.add(undefined);
    else if (place < first) tally.add('started before the first op of the device trace');
    else if (place > last && last >= 0) tally.add('started after the last op of the device trace');
    else tally.add('no host event for it in the device trace');
  });
  const roots = host.length - nodes.nodes.length;
  if (roots > 0) tally.add('root of the process or of a thread', roots);
  return tally.tally;
}

/** The same for host events without a node, in time. */
function hostEvents({ hostEvents: events }: DeviceTrace, nodeOf: Int32Array): Tally {
  let firstNs = Infinity;
  let lastNs = -Infinity;
  for (let event = 0; event < events.length; event++) {
    if (nodeOf[event] < 0) continue;
    firstNs = Math.min(firstNs, events.startNs[event]);
    lastNs = Math.max(lastNs, events.startNs[event]);
  }
  const tally = new Tallying();
  for (let event = 0; event < events.length; event++) {
    if (nodeOf[event] >= 0) tally.add(undefined);
    else if (events.startNs[event] < firstNs) tally.add('started before the first op of the host trace');
    else if (events.startNs[event] > lastNs) tally.add('started after the last op of the host trace');
    else tally.add('no node for it in the host trace');
  }
  return tally.tally;
}
