import type { LinkReport } from '../pipeline/link-traceset.js';

/** The document of `link --json`. */
export function linkDocument({ ranks, worldSize, groups, files, findings }: LinkReport) {
  return {
    schema: 'chakra-prep/link/1',
    worldSize,
    files,
    ranks: ranks.map(({ rank, host, device, method, confidence, account, nodes, communications }, place) => ({
      ...{ rank, file: files[place], host, device, method, confidence, account, nodes },
      communications: communications.tallies,
    })),
    groups: Object.fromEntries(groups),
    findings,
  };
}
