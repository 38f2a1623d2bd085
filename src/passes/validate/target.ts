/** Programs whose demands `validate --for` adds to the rules. */
export const TARGETS = ['astra-sim', 'feeder'] as const;

export type Target = (typeof TARGETS)[number];

/** How a rank's file is stored: what reading it undoes, and another reader may not. */
export interface StoredForm {
  /** Whether its bytes are gzip. */
  readonly gzip: boolean;
  /** `chakra-et`, `chakra-jsonl` or `feeder-json`. */
  readonly format: string;
  /** Schema of its nodes, `0.0.4` for every current one. */
  readonly schema: string;
  /** Bytes of the file, unpacked. */
  readonly bytes: number;
}

/** A file of the current schema that nothing was done to. */
export const PLAIN: StoredForm = { gzip: false, format: 'chakra-et', schema: '0.0.4', bytes: 0 };
