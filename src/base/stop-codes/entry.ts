/** The page of a code that stops a command. Texts as in the catalogue of findings. */
export interface StopEntry {
  /** 1 the traces have problems, 2 the request is wrong, 3 the input cannot be read. */
  readonly exitStatus: 1 | 2 | 3;
  readonly title: string;
  /** When it comes. */
  readonly meaning: string;
  /** Steps that mend it, in order. */
  readonly remedy: readonly string[];
  /** What to do, one line. */
  readonly advice: string;
}
