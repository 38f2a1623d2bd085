import { SaxesParser } from 'saxes';
import { requestError, type PrepError } from '../../base/errors.js';

/** Where an element begins: line and column, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** An element with its attributes and what is in it. */
export class MscclElement {
  readonly children: MscclElement[] = [];

  /** @param file for messages */
  constructor(
    readonly name: string,
    readonly attributes: Readonly<Record<string, string>>,
    readonly place: Place,
    readonly file: string,
  ) {}

  /** An attribute, `undefined` where it is left out. */
  text(name: string): string | undefined {
    return Object.hasOwn(this.attributes, name) ? this.attributes[name] : undefined;
  }

  /** @throws PrepError `MSCCL_MALFORMED` where it is left out */
  demandText(name: string): string {
    const value = this.text(name);
    if (value !== undefined) return value;
    throw this.error(`<${this.name}> has no ${name}`);
  }

  /**
   * An attribute that is an integer of at least `least`.
   * @param otherwise where it is left out
   * @throws PrepError `MSCCL_MALFORMED` for another text, and where it is left out and there is no `otherwise`
   */
  integer(name: string, least: number, otherwise?: number): number {
    const value = this.text(name);
    if (value === undefined && otherwise !== undefined) return otherwise;
    const text = value ?? this.demandText(name);
    const number = /^\s*-?[0-9]+\s*$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= LARGEST) return number;
    throw this.error(`<${this.name}> has ${name}="${text}", expected an integer from ${least} to ${LARGEST}`);
  }

  /** The only names that children may have. @throws PrepError `MSCCL_MALFORMED` */
  demandChildren(...names: readonly string[]): void {
    const other = this.children.find(({ name }) => !names.includes(name));
    if (other === undefined) return;
    const expected = names.length === 0 ? 'nothing in it' : names.map((name) => `<${name}>`).join(' or ');
    throw other.error(`<${other.name}> in <${this.name}>, expected ${expected}`);
  }

  error(message: string): PrepError {
    return malformed(this.file, this.place, message);
  }
}

/** Counts and places are below this: products of two of them are whole numbers. */
const LARGEST = 2 ** 26 - 1;

/**
 * The outermost element of an XML text, with all in it.
 * @param file for messages
 * @throws PrepError `MSCCL_MALFORMED` with line and column
 */
export function parseElements(text: string, file: string): MscclElement {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const open: MscclElement[] = [];
  let outermost: MscclElement | undefined;
  let place: Place = { line: 1, column: 1 };
  parser.on('error', (error) => {
    const message = error.message.replace(/^.*?[0-9]+:[0-9]+:\s*/, '');
    throw malformed(file, { line: parser.line, column: parser.column + 1 }, `XML: ${message}`);
  });
  parser.on('opentagstart', ({ name }) => {
    // The parser is behind the name and the character after it.
    place = { line: parser.line, column: Math.max(1, parser.column - name.length - 1) };
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = new MscclElement(name, attributes, place, file);
    if (open.length > 0) open[open.length - 1].children.push(element);
    else outermost ??= element;
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.on('text', (content) => {
    if (open.length > 0 && content.trim() !== '') {
      throw malformed(
        file,
        { line: parser.line, column: 1 },
        `text "${content.trim().slice(0, 40)}" in <${open[open.length - 1].name}>, expected elements alone`,
      );
    }
  });
  parser.write(text).close();
  if (outermost !== undefined) return outermost;
  throw malformed(file, { line: 1, column: 1 }, 'no element, expected <algo>');
}

function malformed(file: string, { line, column }: Place, message: string): PrepError {
  return requestError('MSCCL_MALFORMED', `${file}:${line}:${column}: ${message}`);
}
