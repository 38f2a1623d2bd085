/** What is written in pieces, as the buffer that `hyparquet` reads. */
export function bufferOf(fill: (write: (bytes: Uint8Array) => void) => void): ArrayBuffer {
  const pieces: Uint8Array[] = [];
  fill((bytes) => pieces.push(bytes.slice()));
  const buffer = new ArrayBuffer(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    new Uint8Array(buffer, offset, piece.length).set(piece);
    offset += piece.length;
  }
  return buffer;
}
