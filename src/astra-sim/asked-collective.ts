/** A collective as a node asks for it. */
export interface AskedCollective {
  readonly type: number;
  readonly bytes: number;
  /** Name of the process group, '' for none. */
  readonly group: string;
  /** `involved_dim`. */
  readonly involved: readonly boolean[] | undefined;
  /** Node id. */
  readonly id: bigint;
  /** `rank 3 node 7 "all_reduce"`, for messages. */
  readonly label: string;
}
