import { discardUnfinished } from '../base/output-files.js';

/** Signals that ask a program to end. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Leaves no half-written output behind when the process is told to end; it then ends as it would have. */
export function cleanUpWhenStopped(stopped: NodeJS.Process): void {
  for (const signal of SIGNALS) {
    stopped.once(signal, () => {
      discardUnfinished();
      stopped.kill(stopped.pid, signal);
    });
  }
}
