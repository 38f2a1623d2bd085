import { Arm } from '../formats/et/attribute-arms.js';
import { attributeHead, type AttributeHead, type EtWriter } from '../formats/et/et-writer.js';
import { MessageWriter } from '../formats/et/wire-write.js';
import { HostNodeReader, type HostAttribute } from '../formats/pytorch/host-node.js';
import type { HostTrace } from '../formats/pytorch/host-trace.js';

/** The `double_val` arm on the wire: its field number and the wire type of eight bytes. */
const DOUBLE_TAG = (Arm.double << 3) | 1;

/**
 * Attributes of a host node that would be taken for those of a communication: on a record of a collective beside its kernel they
 * would count it twice. What they say is in the texts of the inputs and on the kernel.
 */
const TAKEN = new Set(['pg_name', 'comm_type', 'comm_size', 'comm_src', 'comm_dst', 'comm_tag', 'comm_group', 'root']);

/**
 * Writes what only the host trace says of a node: texts of inputs and outputs as the official converter stores them, and all
 * attributes under their own names, integers as int64 as it does.
 */
export class HostNodeWriter {
  /** Attributes left out because their names mean something else on a Chakra node. */
  leftOut = 0;
  readonly #reader: HostNodeReader;
  readonly #integers = new Map<string, AttributeHead>();
  readonly #texts = new Map<string, AttributeHead>();

  constructor(host: HostTrace) {
    this.#reader = new HostNodeReader(host);
  }

  /** Adds them to the node at hand. @param place host node */
  write(place: number, out: EtWriter): void {
    const reader = this.#reader;
    reader.read(place);
    const { inputs, outputs, attributes, attributeCount } = reader;
    out.io('inputs', inputs.values, inputs.shapes, inputs.types);
    out.io('outputs', outputs.values, outputs.shapes, outputs.types);
    for (let at = 0; at < attributeCount; at++) {
      if (TAKEN.has(attributes[at].name)) this.leftOut++;
      else this.#writeAttribute(attributes[at], out);
    }
  }

  #writeAttribute({ name, kind, number, large, text }: HostAttribute, out: EtWriter): void {
    switch (kind) {
      case 'integer':
        if (large === undefined) out.integer(head(this.#integers, name, Arm.int64), number);
        else out.text(head(this.#texts, name, Arm.string), String(large));
        break;
      case 'text':
        out.text(head(this.#texts, name, Arm.string), text);
        break;
      case 'boolean':
        out.integer(attributeHead(name, Arm.bool), number);
        break;
      case 'float': {
        const value = new Uint8Array(8);
        new DataView(value.buffer).setFloat64(0, number, true);
        out.attribute(new MessageWriter().delimited(1, name).raw(Uint8Array.of(DOUBLE_TAG)).raw(value).finish());
        break;
      }
      case 'null':
        out.attribute(new MessageWriter().delimited(1, name).finish());
    }
  }
}

function head(heads: Map<string, AttributeHead>, name: string, arm: number): AttributeHead {
  let known = heads.get(name);
  if (known === undefined) heads.set(name, (known = attributeHead(name, arm)));
  return known;
}
