import { PrepError } from '../base/errors.js';
import { carry, type CarriedError } from './carried-error.js';
import { TASKS } from './rank-tasks.js';

/** The tasks as worker threads run them: an expected error comes back as data, since a thrown one would lose its code. */
function carried<I, O>(task: (input: I) => O): (input: I) => { result: O } | { error: CarriedError } {
  return (input) => {
    try {
      return { result: task(input) };
    } catch (error) {
      if (!(error instanceof PrepError)) throw error;
      return { error: carry(error) };
    }
  };
}

export const survey = carried(TASKS.survey);
export const surveyForAstraSim = carried(TASKS.surveyForAstraSim);
export const write = carried(TASKS.write);
export const inspect = carried(TASKS.inspect);
export const repair = carried(TASKS.repair);
export const convert = carried(TASKS.convert);
export const writeMade = carried(TASKS.writeMade);
export const link = carried(TASKS.link);
