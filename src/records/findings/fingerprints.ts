import { createHash } from 'node:crypto';
import type { Finding } from '../../base/finding.js';

/** Node ids that make a finding the same in another run. */
const NODES_COUNTED = 4;

/**
 * Gives findings names that stay the same from run to run: digests of code, rank, group and first nodes, and the number
 * among those that are equal. Neither the file nor the message counts, so a moved folder or another count changes nothing.
 */
export class Fingerprints {
  readonly #seen = new Map<string, number>();

  of({ code, rank, group, nodes = [] }: Finding): Readonly<Record<string, string>> {
    const identity = JSON.stringify([code, rank ?? null, group ?? null, nodes.slice(0, NODES_COUNTED).map(String)]);
    const digest = createHash('sha256').update(identity).digest('hex').slice(0, 32);
    const number = (this.#seen.get(digest) ?? 0) + 1;
    this.#seen.set(digest, number);
    const fingerprint = `${digest}:${number}`;
    // The second is the one that GitHub's code scanning compares.
    return { 'chakraPrep/v1': fingerprint, primaryLocationLineHash: fingerprint };
  }
}
