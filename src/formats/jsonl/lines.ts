import type { ByteSource } from '../../base/byte-source.js';

/**
 * Visits the lines of a source through a window, so that a file may be longer than a string can be. Ends of lines
 * are LF or CRLF; blank lines count and are not visited. The bytes are valid during the call.
 */
export function forEachLine(
  source: ByteSource,
  windowBytes: number,
  visit: (line: Uint8Array, number: number) => void,
): void {
  let number = 0;
  let begun: Uint8Array[] = []; // of a line that no window has shown the end of
  const end = (tail: Uint8Array): void => {
    number++;
    const line = begun.length === 0 ? tail : Buffer.concat([...begun, tail]);
    begun = [];
    const length = line[line.length - 1] === 0x0d ? line.length - 1 : line.length;
    const content = line.subarray(0, length);
    if (content.some((byte) => byte !== 0x20 && byte !== 0x09)) visit(content, number);
  };
  for (let offset = 0; offset < source.length;) {
    const window = source.read(offset, Math.min(windowBytes, source.length - offset));
    let start = 0;
    for (let at = window.indexOf(0x0a); at >= 0; at = window.indexOf(0x0a, start)) {
      end(window.subarray(start, at));
      start = at + 1;
    }
    if (start < window.length) begun.push(window.slice(start));
    offset += window.length;
  }
  if (begun.length > 0) end(new Uint8Array(0));
}
