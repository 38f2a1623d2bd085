import { PrepError } from '../base/errors.js';
import { TASKS } from './rank-tasks.js';
import type { CarriedError } from './workers.js';

/** The tasks as worker threads run them: an expected error comes back as data, since a thrown one would lose its code. */
function carried<I, O>(task: (input: I) => O): (input: I) => { result: O } | { error: CarriedError } {
  return (input) => {
    try {
      return { result: task(input) };
    } catch (error) {
      if (!(error instanceof PrepError)) throw error;
      const { code, exitStatus, message, advice, findings } = error;
      return { error: { code, exitStatus, message, advice, findings } };
    }
  };
}

export const survey = carried(TASKS.survey);
export const write = carried(TASKS.write);
export const inspect = carried(TASKS.inspect);
