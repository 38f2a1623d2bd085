/** What a mapping file says of one scale-up group. */
export interface ScaleUpGroup {
  readonly id: number;
  readonly bandwidthGbps: number;
  /** h, of one switch hop, ps. */
  readonly switchLatencyPs: number;
  /** c, of one cable segment, ps. */
  readonly cableLatencyPs: number;
}

/** Which ranks a scale-up fabric joins, and how it cuts transfers. */
export interface ScaleUpSpec {
  readonly groups: readonly ScaleUpGroup[];
  readonly groupOf: Int32Array; // [ranks] index in groups, −1 for a rank in none
  readonly subgroupOf: Uint32Array; // [ranks] subgroup id, 0 where there is no group
  /** P, at least 1. */
  readonly maxPayloadBytes: number;
  /** H. */
  readonly headerBytes: number;
}
