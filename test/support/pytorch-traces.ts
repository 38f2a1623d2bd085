import { MemorySource } from '../../src/base/byte-source.js';
import type { DeviceTrace } from '../../src/formats/pytorch/device-trace.js';
import type { HostTrace } from '../../src/formats/pytorch/host-trace.js';
import { readDeviceTrace } from '../../src/formats/pytorch/read-device-trace.js';
import { readHostTrace } from '../../src/formats/pytorch/read-host-trace.js';

/** A document, or its text where that is to be other than JSON.stringify writes it. */
export type Document = object | string | Uint8Array;

export function source(document: Document, name: string): MemorySource {
  if (document instanceof Uint8Array) return new MemorySource(document, name);
  return new MemorySource(Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)), name);
}

export function hostTrace(document: Document): HostTrace {
  return readHostTrace(source(document, 'host_0.json'));
}

export function deviceTrace(document: Document): DeviceTrace {
  return readDeviceTrace(source(document, 'device_0.json'));
}

/** A list as attributes of a node: integers are int64, texts are strings. */
export function attrs(values: Readonly<Record<string, number | string>>): object[] {
  return Object.entries(values).map(([name, value]) => ({
    ...{ name, type: typeof value === 'string' ? 'string' : 'int64', value },
  }));
}
