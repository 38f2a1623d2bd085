import type { Algorithm, Share } from '../../collectives/algorithm.js';
import type { CollectiveScript, CustomScript } from './collective-script.js';
import { PhasedShare } from './phased-share.js';

/** The algorithm of a script: what a plan of collectives names and what writes its transfers. */
export function scriptAlgorithm(script: object): Algorithm {
  const known = script as CollectiveScript;
  const facts = { name: known.name, powerOfTwo: false, family: 'chained' as const, script: known };
  if (known.kind === 'custom') {
    return {
      ...facts,
      indexCount: () => known.indexCount,
      share: (position, _shape, out) => writeCustom(known, position, out),
    };
  }
  const share = new PhasedShare(known);
  return {
    ...facts,
    bytesInChunks: known.chunks * known.chunkBytes,
    indexCount: () => share.indexCount,
    share: (position, _shape, out) => share.write(position, out),
  };
}

function writeCustom({ positions }: CustomScript, position: number, out: Share): void {
  out.clear();
  const { send, peer, bytes, index, dependencies } = positions[position];
  for (let transfer = 0; transfer < send.length; transfer++) {
    out.add(send[transfer] === 1 ? 1 : 0, peer[transfer], bytes[transfer], index[transfer]);
    for (const before of dependencies[transfer]) out.after(before);
  }
}
