import { PrepError } from '../../src/base/errors.js';

/** What is promised, or the code of why the traces are refused. */
export async function unlessRefused<T>(promised: Promise<T>): Promise<T | string> {
  try {
    return await promised;
  } catch (error) {
    if (error instanceof PrepError && error.exitStatus === 1) return error.code;
    throw error;
  }
}
