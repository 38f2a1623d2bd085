/** What the file says that the model does not hold. */
export interface FileFacts {
  /** `et`, or `et-0.0.2` and so on for a trace of an older schema, which was converted. */
  readonly format: string;
  readonly gzip: boolean;
  /** Bytes after unzipping. */
  readonly bytes: number;
  /** Frames: metadata, where the schema has it, and nodes. */
  readonly frames: number;
  /** Attributes of the global metadata, in order. */
  readonly globalAttributes: Readonly<Record<string, { readonly type: string; readonly value: string }>>;
}
