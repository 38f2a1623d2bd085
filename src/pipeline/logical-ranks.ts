import { readFileSync } from 'node:fs';
import { finding } from '../base/catalogue.js';
import { inputError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { checkLogicalRanks, readLogicalTopology } from '../network/topology/logical-topology.js';

/**
 * What is to be said of a logical topology that a run is given: that its ranks are not those of the traceset, and that its dimensions
 * change nothing.
 * @throws PrepError `FILE_UNREADABLE`, and what {@link readLogicalTopology} throws
 */
export function logicalRanks(file: string, rankCount: number): Finding[] {
  const logical = readLogicalTopology(textOf(file), file);
  const dimensions = logical.dimensions.join(' × ');
  const message = `--logical ${file} (${dimensions} ranks) is not used: collectives run over their process groups, whatever the dimensions`;
  return [...checkLogicalRanks(logical, rankCount, file), finding('SETTING_UNUSED', message)];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw inputError('FILE_UNREADABLE', `${file}: cannot be read (${(cause as Error).message})`);
  }
}
