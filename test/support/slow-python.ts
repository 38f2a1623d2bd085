/**
 * The slow, obvious twin of PythonBytes: what Python's `str` prints of what its JSON reader makes of a text. Numbers are
 * kept as they are written, so that integers and floats differ and integers keep their digits.
 */
export function slowPython(json: string): string {
  const marked = json.replace(
    /("(?:[^"\\]|\\.)*")|(-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)/g,
    (_all, text, number) => (text === undefined ? `{"number": "${number}"}` : text),
  );
  const value = JSON.parse(marked) as unknown;
  return typeof value === 'string' ? value : print(value);
}

function print(value: unknown): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return printText(value);
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  const { number } = value as { number: string };
  return /^-?[0-9]+$/.test(number) ? String(BigInt(number)) : printFloat(Number(number));
}

function printText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = [...text].map((character) => {
    if (character === '\\' || character === quote) return `\\${character}`;
    if (character === '\n') return '\\n';
    if (character === '\r') return '\\r';
    if (character === '\t') return '\\t';
    const code = character.codePointAt(0)!;
    if (code < 0x20 || (code >= 0x7f && code <= 0xa0) || code === 0xad)
      return `\\x${code.toString(16).padStart(2, '0')}`;
    if (code >= 0xd800 && code <= 0xdfff) return `\\u${code.toString(16)}`;
    return character;
  });
  return quote + body.join('') + quote;
}

/** The digits of JavaScript's fewest-digits form, with the point and the exponent where Python has them. */
function printFloat(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e16) return Number.isInteger(value) ? `${BigInt(value)}.0` : positional(value);
  return value.toExponential().replace(/e([+-])([0-9])$/, 'e$10$2');
}

function positional(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return value.toFixed(20).replace(/0+$/, '');
}
