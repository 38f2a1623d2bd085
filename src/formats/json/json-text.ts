const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * The text of the bytes [from, to) between the quotes of a JSON string. A backslash that begins no escape stays: PyTorch
 * writes paths and patterns without escaping them. Bytes that are no UTF-8 are U+FFFD.
 * @param surrogates keeps halves of surrogate pairs, as Python does; otherwise they are U+FFFD
 */
export function jsonText(bytes: Uint8Array, from: number, to: number, surrogates = false): string {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8');
  if (!raw.includes('\\')) return raw;
  const text = raw.replace(ESCAPE, (_whole, code: string | undefined, letter: string) =>
    code === undefined ? ESCAPES[letter] : String.fromCharCode(parseInt(code, 16)),
  );
  return surrogates ? text : text.replace(LONE_SURROGATE, '\ufffd');
}
