/** Not printable for Python: control, format, surrogate, private, unassigned, and all blanks but the space. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/u;
const SHORT: ReadonlyMap<number, string> = new Map([
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x5c, '\\\\'],
]);

/** A text as `repr` of Python 3 writes it: in single quotes, or in double ones if it has single and no double ones. */
export function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let result = quote;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (character === quote) result += `\\${quote}`;
    else result += SHORT.get(code) ?? (isPrintable(character, code) ? character : escaped(code));
  }
  return result + quote;
}

function isPrintable(character: string, code: number): boolean {
  if (code < 0x7f) return code >= 0x20;
  return !UNPRINTABLE.test(character);
}

function escaped(code: number): string {
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/** A float as `repr` of Python 3 writes it: fewest digits, an exponent below 1e-4 and from 1e16 on. */
export function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [, sign, first, rest = '', exponent] = /^(-?)([0-9])(?:\.([0-9]+))?e([+-][0-9]+)$/.exec(
    value.toExponential(),
  ) as RegExpExecArray;
  const power = Number(exponent);
  if (power < -4 || power >= 16) {
    const point = rest === '' ? '' : `.${rest}`;
    return `${sign}${first}${point}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  const digits = first + rest;
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
  const whole = digits.slice(0, power + 1).padEnd(power + 1, '0');
  return `${sign}${whole}.${digits.slice(power + 1) || '0'}`;
}
