import { requestError } from '../../base/errors.js';
import type { ChunkProgram } from '../../collectives/programs/program.js';
import { largerBuffer } from '../../collectives/programs/program-algorithm.js';

/**
 * The `comm_size` of a file that is for one size alone; minBytes and maxBytes are bytes of the larger buffer.
 * @throws PrepError `OPTION_MISSING` for a file that is for a range of sizes
 */
export function statedSize({ others, type, ranks }: ChunkProgram, file: string): number {
  const least = Number(others.get('minBytes') ?? 0);
  const most = Number(others.get('maxBytes') ?? 0);
  const parts = largerBuffer(type, { groupSize: ranks.length, bytes: 1, root: 0 });
  if (least > 0 && least === most && Number.isSafeInteger(least / parts)) return least / parts;
  throw requestError(
    'OPTION_MISSING',
    `${file}: the program does not say for how many bytes`,
    '--size 1MiB states the comm_size of the collective',
  );
}
