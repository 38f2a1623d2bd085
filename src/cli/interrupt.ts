import { discardUnfinished, watchBegun } from '../base/output-files.js';

/** Signals that ask a program to end. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Leaves no half-written output behind when the process is told to end; it then ends as it would have. Signals are listened to only
 * while there is such output: a listener has to wait for a simulation, which never pauses, and without one the process ends at once.
 */
export function cleanUpWhenStopped(stopped: NodeJS.Process): void {
  const end = (signal: NodeJS.Signals): void => {
    stopped.off(signal, end);
    discardUnfinished();
    stopped.kill(stopped.pid, signal);
  };
  watchBegun((isAny) => {
    for (const signal of SIGNALS) {
      stopped.off(signal, end);
      if (isAny) stopped.on(signal, end);
    }
  });
}
