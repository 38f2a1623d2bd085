import { existsSync, statSync } from 'node:fs';
import { inputError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { demandNoErrors, type WarningRule } from './demand-no-errors.js';
import { withRank } from './read-rank.js';

/** Traces that describe the algorithm of a custom collective. */
export class CustomTraces {
  /** What reading them found, each file once. */
  readonly findings: Finding[] = [];
  readonly #read = new Set<string>();

  /** @param ending how a command that is stopped ends: `nothing written` */
  constructor(
    readonly rule: WarningRule,
    readonly ending: string,
  ) {}

  /** @throws PrepError `FILE_UNREADABLE`; `TRACES_REFUSED` and `WARNING_ABORTS` for what is found in the file */
  withTrace<T>(prefix: string, position: number, use: (trace: RankTrace) => T): T {
    const path = `${prefix}.${position}.et`;
    if (!existsSync(path)) {
      throw inputError(
        'FILE_UNREADABLE',
        `${path}: no such file; the custom collective ${prefix} needs it for position ${position}`,
        'give it a trace for every position of the group, from 0',
      );
    }
    return withRank({ rank: position, path, size: statSync(path).size }, ({ trace, findings }) => {
      if (!this.#read.has(path)) {
        this.#read.add(path);
        demandNoErrors(findings, this.rule, this.ending);
        this.findings.push(...findings);
      }
      return use(trace);
    });
  }
}
