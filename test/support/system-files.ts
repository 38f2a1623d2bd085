import { PrepError } from '../../src/base/errors.js';
import type { Finding } from '../../src/base/finding.js';
import { parseSystemFile, type SystemFile, type SystemFileReading } from '../../src/config/astra-sim/system-file.js';

const PLAIN: SystemFileReading = { injectionScale: 1, extensions: false };

/** Keys that are given wherever a test is not about defaults. */
const GIVEN = {
  'scheduling-policy': 'LIFO',
  'collective-optimization': 'localBWAware',
  'preferred-dataset-splits': 4,
  'active-chunks-per-dimension': 1,
  'endpoint-delay': 10,
  'local-mem-bw': 1600,
};

/** A system file of these keys beside those of every file, read as `system.json`. A key of `undefined` is left out. */
export function systemFile(keys: Readonly<Record<string, unknown>>, how: Partial<SystemFileReading> = {}): SystemFile {
  return parseSystemFile(JSON.stringify({ ...GIVEN, ...keys }), 'system.json', { ...PLAIN, ...how });
}

/** A system file of this text. */
export function systemText(text: string, how: Partial<SystemFileReading> = {}): SystemFile {
  return parseSystemFile(text, 'system.json', { ...PLAIN, ...how });
}

/** `severity CODE: message` of each finding. */
export function told({ findings }: { readonly findings: readonly Finding[] }): string[] {
  return findings.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
}

/** `CODE: message` of the error that a call ends with, with its exit status 2. */
export function refusalOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (!(error instanceof PrepError)) throw error;
    expect(error.exitStatus).toBe(2);
    return `${error.code}: ${error.message}`;
  }
  throw new Error('accepted');
}
