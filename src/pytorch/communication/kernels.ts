import { DeviceKind, type KernelCollective } from '../../formats/pytorch/device-trace.js';
import type { Links } from '../links.js';
import { communicationMeaning } from './collective-words.js';
import { kernelWord, type KernelWord } from './kernel-words.js';
import { titleNames, titlesAround } from './titles.js';

/** A kernel of a collective library. */
export interface CommunicationKernel {
  /** Place in deviceEvents. */
  readonly event: number;
  readonly name: string;
  /** What its name tells; absent where only its arguments say that it communicates. */
  readonly word: KernelWord | undefined;
  readonly stated: KernelCollective | undefined;
  /** Host node that launched it, −1. */
  readonly launcher: number;
  /** When it was launched, ns; when it started where nothing tells of the launch. */
  readonly issuedNs: number;
  /** Names of ops and annotations of communication around the launch, innermost first. */
  readonly titles: readonly string[];
  /** Host nodes of those that the host trace has. */
  readonly titleNodes: readonly number[];
  /** Which coalesced launch it is of: equal numbers for kernels of one; a host node where that is below host.length. −1 for none. */
  readonly coalesced: number;
}

/** The kernels of a rank that communicate, in the order of their launch. */
export function communicationKernels(
  { host, device, launcher, call }: Links,
  callers: Int32Array,
): CommunicationKernel[] {
  if (device === undefined) return [];
  const { deviceEvents, names, collectives } = device;
  const words = names.map((name) => kernelWord(name));
  const found: number[] = [];
  for (let event = 0; event < deviceEvents.length; event++) {
    if (deviceEvents.kind[event] !== DeviceKind.kernel) continue;
    if (words[deviceEvents.name[event]] !== undefined || collectives.get(event)?.collective !== undefined) {
      found.push(event);
    }
  }
  const around = titlesAround(device, [...new Set(found.map((event) => call[event]).filter((place) => place >= 0))]);
  const isTitle = titleNames(host.names);
  const kernels = found.map((event): CommunicationKernel => {
    const titleNodes: number[] = [];
    let steps = callers.length;
    for (let node = launcher[event]; node >= 0 && steps >= 0; node = callers[node], steps--) {
      if (isTitle[host.name[node]] === 1) titleNodes.push(node);
    }
    const titles = titleNodes.map((node) => host.names[host.name[node]]);
    const titleEvents = around.get(call[event]) ?? [];
    for (const title of titleEvents) {
      const name = names[device.hostEvents.name[title]];
      if (!titles.includes(name)) titles.push(name);
    }
    const stated = collectives.get(event);
    let coalesced = titleNodes.find((node) => isCoalesced(host.names[host.name[node]])) ?? -1;
    if (coalesced < 0) {
      const title = titleEvents.find((place) => isCoalesced(names[device.hostEvents.name[place]]));
      if (title !== undefined) coalesced = host.length + title;
      else if (isCoalesced(stated?.collective)) coalesced = host.length + device.hostEvents.length + event;
    }
    return {
      event,
      name: names[deviceEvents.name[event]],
      word: words[deviceEvents.name[event]],
      stated,
      launcher: launcher[event],
      issuedNs: call[event] >= 0 ? device.calls.startNs[call[event]] : deviceEvents.startNs[event],
      titles,
      titleNodes,
      coalesced,
    };
  });
  return kernels.sort(
    (left, right) =>
      left.issuedNs - right.issuedNs ||
      deviceEvents.startNs[left.event] - deviceEvents.startNs[right.event] ||
      left.event - right.event,
  );
}

function isCoalesced(name: string | undefined): boolean {
  return name !== undefined && communicationMeaning(name)?.kind === 'coalesced';
}
