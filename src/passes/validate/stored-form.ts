/** How a rank's file is stored: what reading it undoes, and another reader may not. */
export interface StoredForm {
  /** Whether its bytes are gzip. */
  readonly gzip: boolean;
  /** `chakra-et`, `chakra-jsonl`, or the JSON of another program. */
  readonly format: string;
  /** Schema of its nodes, {@link CURRENT_SCHEMA} where they needed no conversion. */
  readonly schema: string;
  /** Bytes of the file, unpacked. */
  readonly bytes: number;
}

export const CURRENT_SCHEMA = '0.0.4';

/** A file of the current schema that nothing was done to. */
export const PLAIN: StoredForm = { gzip: false, format: 'chakra-et', schema: CURRENT_SCHEMA, bytes: 0 };

/** Whether the frames of the trace are those of the file: protobuf of the current schema. */
export function isAsStored({ format, schema }: Pick<StoredForm, 'format' | 'schema'>): boolean {
  return format === 'chakra-et' && schema === CURRENT_SCHEMA;
}
