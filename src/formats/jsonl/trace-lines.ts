import type { RankTrace } from '../../trace/rank-trace.js';
import { writeChakraEt } from '../et/encode.js';
import { ByteWriter } from './byte-writer.js';
import { metadataLine, nodeLine, type MetadataLine, type NodeLine } from './frame-line.js';
import { FrameCutter } from './frames.js';
import { writeMetadataFrame, writeNodeFrame } from './line-frame.js';

/** Takes a trace as the lines of Chakra JSON lines say it. */
export interface LineVisitor {
  /** @param whole whether the line says everything that the message does: writing it gives the same bytes */
  metadata(line: MetadataLine, message: Uint8Array, whole: boolean): void;
  node(line: NodeLine, message: Uint8Array, whole: boolean): void;
}

/** Hands every frame of a trace, as it would be written, to `visitor`. */
export function visitLines(trace: RankTrace, visitor: LineVisitor): void {
  const again = new ByteWriter();
  let first = true;
  const cutter = new FrameCutter((frame, messageStart) => {
    const message = frame.subarray(messageStart);
    again.length = 0;
    if (first) {
      const line = metadataLine(message);
      writeMetadataFrame(again, { ...line });
      visitor.metadata(line, message, Buffer.compare(again.bytes, frame) === 0);
      first = false;
    } else {
      const line = nodeLine(message);
      writeNodeFrame(again, { ...line });
      visitor.node(line, message, Buffer.compare(again.bytes, frame) === 0);
    }
  });
  writeChakraEt(trace, (bytes) => cutter.push(bytes));
}
