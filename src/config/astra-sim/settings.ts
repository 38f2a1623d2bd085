import { finding, type FindingCode } from '../../base/catalogue.js';
import type { PrepError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import { shownValue } from '../check-config.js';
import { checkSettings, type SettingsSchemaName } from './check-settings.js';
import type { SettingsFile } from './settings-file.js';

/** The checked values of a settings file, and what is found on the way to a configuration. */
export class Settings {
  readonly findings: Finding[] = [];
  readonly #values: Readonly<Record<string, unknown>>;
  /** Keys that are not given, with what they count as. */
  readonly #defaults: string[] = [];

  /** @throws PrepError with the file's code where a value is wrong */
  constructor(
    readonly file: SettingsFile,
    schema: SettingsSchemaName,
  ) {
    this.#values = checkSettings(file, schema);
  }

  /** Whether the file has the key. */
  has(key: string): boolean {
    return Object.hasOwn(this.#values, key);
  }

  /** The value of a key; the schema vouches for its type. */
  get<T>(key: string): T | undefined {
    return this.has(key) ? (this.#values[key] as T) : undefined;
  }

  /** The value of a key, or a default that is told of. */
  getOr<T>(key: string, standard: T): T {
    if (this.has(key)) return this.get<T>(key)!;
    this.#defaults.push(`${key} ${String(standard)}`);
    return standard;
  }

  /** A whole number: ASTRA-sim cuts off what stands behind the point. */
  whole(key: string, standard: number): number {
    const value = this.getOr(key, standard);
    return this.cut(key, value, Math.trunc(value));
  }

  /** What a number counts as, which is told of where it is another. */
  cut(key: string, value: number, counts: number): number {
    if (counts !== value) {
      this.find('SYSTEM_VALUE_CUT', key, `${key}: ${value} counts as ${counts}, ASTRA-sim takes whole numbers here`);
    }
    return counts;
  }

  /** 0 or 1, also as `false` and `true`; off where it is not given. */
  flag(key: string): boolean {
    return Boolean(this.get(key));
  }

  /** Adds a finding about a key, behind its file and line. */
  find(code: FindingCode, key: string, message: string, facts: Partial<Finding> = {}): void {
    const line = this.file.line(key);
    this.findings.push(
      finding(code, `${this.file.path}:${line}: ${message}`, { file: this.file.path, line, ...facts }),
    );
  }

  /** Adds a note that an option, or a key, counts for nothing because of the file. */
  findUnused(setting: string, why: string): void {
    const { path } = this.file;
    this.findings.push(finding('SETTING_UNUSED', `${setting} is not used: ${path} ${why}`, { file: path }));
  }

  /** An error about a value: a key, then positions in its list. */
  error(steps: readonly string[], expected: string, advice?: string): PrepError {
    const [key, ...inner] = steps;
    const value = inner.reduce<unknown>((list, step) => (list as unknown[])[Number(step)], this.get(key));
    const shown = this.has(key) ? shownValue(value) : 'missing';
    return this.file.error(this.file.valueOffset(steps), `${key}: ${shown}, expected ${expected}`, advice);
  }

  /** All findings, with one that tells of the defaults. */
  allFindings(): Finding[] {
    if (this.#defaults.length === 0) return this.findings;
    const { path } = this.file;
    const told = `${path}: keys that are not given count as ${this.#defaults.join(', ')}`;
    return [finding('SYSTEM_DEFAULT', told, { file: path }), ...this.findings];
  }
}
