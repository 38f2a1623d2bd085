import type { RankTarget } from '../conversion.js';
import { visitLines } from '../jsonl/trace-lines.js';
import { countOddities } from '../jsonl/wire-oddities.js';
import { metadataText, nodeText } from './jsonizer-text.js';

/** Characters collected before they are written. */
const AT_ONCE = 1 << 16;

/** What chakra_jsonizer prints of a trace, objects back to back. */
export const JSONIZER_TARGET: RankTarget = {
  name: 'jsonizer',
  title: 'protobuf JSON of chakra_jsonizer',
  fileName: (prefix, rank) => `${prefix}.${rank}.json`,
  groupFileName: () => 'comm_group.json',
  write: (trace, write, losses) => {
    let text = '';
    /** What of a frame does not come back from the text. */
    const count = (message: Uint8Array, isMetadata: boolean, place: string): void => {
      const example = `rank ${trace.rank} ${place}`;
      const { unknownFields, brokenTexts } = countOddities(losses, message, isMetadata, example);
      if (unknownFields > 0 || brokenTexts > 0) return;
      losses.add('encodings other than the shortest', example, 'what the nodes say is the same');
    };
    visitLines(trace, {
      metadata(line, message, whole) {
        text += metadataText(line);
        if (!whole) count(message, true, 'metadata');
      },
      node(line, message, whole) {
        text += nodeText(line);
        if (!whole) count(message, false, `node ${line.id}`);
        if (text.length < AT_ONCE) return;
        write(Buffer.from(text));
        text = '';
      },
    });
    if (text !== '') write(Buffer.from(text));
  },
};
