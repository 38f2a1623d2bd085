/** What the file says that the model does not hold. */
export interface FileFacts {
  readonly gzip: boolean;
  /** Bytes after unzipping. */
  readonly bytes: number;
  /** Frames: metadata, where the schema has it, and nodes. */
  readonly frames: number;
  /** Attributes of the global metadata, in order. */
  readonly globalAttributes: Readonly<Record<string, { readonly type: string; readonly value: string }>>;
}
