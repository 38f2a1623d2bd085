import type { ByteSource } from '../../base/byte-source.js';
import { inputError } from '../../base/errors.js';
import { JsonScanner, JsonSyntaxError, type JsonToken } from '../json-scan.js';
import { FeederNodeProblem, readFeederNode, skipValue, type FeederJsonNode } from './feeder-node.js';
import { FeederTally } from './feeder-tally.js';

const ADVICE = 'see docs/formats.md for the form of feeder JSON';

/**
 * Takes the nodes of a feeder JSON file one after the other. The text is scanned as bytes through a window, so it may
 * be longer than a string can be.
 */
export class FeederNodes {
  readonly tally = new FeederTally();
  readonly #scan: JsonScanner;
  readonly #file: string;
  #place: 'before' | 'inside' | 'behind' = 'before';
  #count = 0;

  /** @param file name for messages */
  constructor(source: ByteSource, file: string) {
    const bom = source.length >= 3 && Buffer.from(source.read(0, 3)).equals(Buffer.from('\ufeff'));
    this.#scan = new JsonScanner(source, { start: bom ? 3 : 0, strict: true });
    this.#file = file;
  }

  /** Takes the window up again: whoever read from the source since may have moved what it shows. */
  refresh(): void {
    this.#scan.refresh();
  }

  /**
   * The next node, `undefined` behind the last.
   * @throws PrepError `JSON_MALFORMED` (exit status 3) with node and byte
   */
  next(): FeederJsonNode | undefined {
    const scan = this.#scan;
    try {
      if (this.#place === 'before') this.#findList();
      if (this.#place === 'behind') return undefined;
      const token = scan.next();
      if (token === 'endArray') {
        this.#passRest();
        return undefined;
      }
      if (token !== 'beginObject') throw new FeederNodeProblem(scan.offset, 'expected an object for a node');
      const node = readFeederNode(scan);
      this.#count++;
      this.tally.add(node);
      return node;
    } catch (error) {
      if (!(error instanceof FeederNodeProblem || error instanceof JsonSyntaxError)) throw error;
      const node = this.#place === 'inside' ? `node ${this.#count} of workload_graph, ` : '';
      throw inputError('JSON_MALFORMED', `${this.#file}: ${node}byte ${error.offset}: ${error.message}`, ADVICE);
    }
  }

  /** Goes into the list of nodes. */
  #findList(): void {
    const scan = this.#scan;
    if (scan.next() !== 'beginObject') throw new FeederNodeProblem(scan.offset, 'expected {"workload_graph": [...]}');
    while (scan.next() !== 'endObject') {
      const { text } = scan;
      const token = scan.next();
      if (text !== 'workload_graph') {
        this.#passOver(text, token);
        continue;
      }
      if (token !== 'beginArray') throw new FeederNodeProblem(scan.offset, 'workload_graph is not a list of nodes');
      this.#place = 'inside';
      return;
    }
    throw new FeederNodeProblem(scan.offset, 'there is no workload_graph');
  }

  /** What comes behind the list; a second one would be a second trace. */
  #passRest(): void {
    const scan = this.#scan;
    this.#place = 'behind';
    while (scan.next() !== 'endObject') {
      const { text, offset } = scan;
      if (text === 'workload_graph') throw new FeederNodeProblem(offset, 'there is a second workload_graph');
      this.#passOver(text, scan.next());
    }
    if (scan.next() !== 'end') throw new FeederNodeProblem(scan.offset, 'something follows the object');
  }

  #passOver(key: string, token: JsonToken): void {
    this.tally.addBeside(key);
    skipValue(this.#scan, token);
  }
}
