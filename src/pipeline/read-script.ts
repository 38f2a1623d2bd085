import { scriptAlgorithm } from '../astra-sim/expansion/script-algorithm.js';
import type { Algorithm } from '../collectives/algorithm.js';
import { programAlgorithm, type ProgramScript } from '../collectives/programs/program-algorithm.js';
import { tracedAlgorithm, type TracedScript } from '../collectives/programs/traced-algorithm.js';

/** The algorithm of a script that is of none of the catalogue: of a program, of traces, or of ASTRA-sim's system layer. */
export function readScript(script: object): Algorithm {
  const { kind } = script as { readonly kind: string };
  if (kind === 'chunk-program') return programAlgorithm(script as ProgramScript);
  if (kind === 'traced') return tracedAlgorithm(script as TracedScript);
  return scriptAlgorithm(script);
}
