import type { DeviceTrace } from '../formats/pytorch/device-trace.js';
import type { HostTrace } from '../formats/pytorch/host-trace.js';

/** How host nodes and host events of the device trace were brought together. */
export type LinkMethod = 'record-id' | 'external-id' | 'name-and-order';

/** One rank's host trace and device trace, brought together. */
export interface Links {
  readonly rank: number;
  readonly host: HostTrace;
  /** Absent where only a host trace was given. */
  readonly device: DeviceTrace | undefined;
  readonly method: LinkMethod | undefined;
  /** Part of the linked host nodes of whose link the names give evidence, 0 to 1. */
  readonly confidence: number;
  readonly hostEvent: Int32Array; // [host.length] place in device.hostEvents, −1 where there is none
  /** Time in which the node itself ran: its event without the events of other nodes nested in it. */
  readonly exclusiveNs: Float64Array; // [host.length] NaN where there is no event
  /** Host node that launched a device event: the innermost op around its launching call; −1 where there is none. */
  readonly launcher: Int32Array; // [device.deviceEvents.length]
  /** Launching call of a device event, −1. */
  readonly call: Int32Array; // [device.deviceEvents.length] place in device.calls
  /** Host node that made a call, launching or not: the innermost op around it; −1 where there is none. */
  readonly caller: Int32Array; // [device.calls.length]
}
