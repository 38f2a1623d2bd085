/** What becomes of rows of the reference table in which the program stops, stalls or misleads. */
export interface DifferingRows {
  readonly rows: readonly string[];
  /** Exit status of `simulate --system`. */
  readonly status: 0 | 1 | 2 | 3 | 4;
  /** Code of the error, of the finding that says it, or of a stall reason; '' where nothing can be said. */
  readonly code: string;
  /** What the program does, in a word. */
  readonly program: 'aborts' | 'crashes' | 'exits' | 'hangs' | 'stalls' | 'throws' | 'misleads';
}

function rows(ids: string, program: DifferingRows['program'], status: DifferingRows['status'], code: string) {
  return { rows: ids.split(' '), program, status, code };
}

/** docs/astra-sim.md has the same rows, and why. */
export const DIFFERING_ROWS: readonly DifferingRows[] = [
  // Settings and files.
  rows('r168 r169', 'aborts', 0, 'SYSTEM_START_ABORTS'),
  rows('r446 r447', 'aborts', 0, 'SYSTEM_START_ABORTS'),
  rows('r268 r269', 'aborts', 2, 'SYSTEM_IMPLEMENTATION'),
  rows('r256', 'exits', 0, 'SYSTEM_NETWORK_BEYOND'),
  rows('r316 r318 r320', 'aborts', 0, 'SYSTEM_NETWORK_BEYOND'),
  rows('r554 r555', 'exits', 2, 'NETWORK_MALFORMED'),
  rows('r545', 'exits', 3, 'INPUT_NOT_FOUND'),
  rows('r560 r561', 'exits', 2, 'NETWORK_SIZE'),
  rows('r558 r559', 'misleads', 0, 'SYSTEM_TRACES_LEFT_OUT'),
  // Collectives.
  rows('r289 r290', 'hangs', 0, 'ASTRA_GATHER_SMALL'),
  rows('r273 r274 r279 r280', 'misleads', 0, 'SYSTEM_SIZE_RAISED'),
  rows('r272', 'stalls', 0, 'SYSTEM_COLLECTIVE_EMPTY'),
  rows('r267', 'misleads', 0, 'SYSTEM_DIMENSIONS_LEFT_OUT'),
  rows('r351 r356 r361 r366', 'misleads', 0, 'SYSTEM_GROUP_RING'),
  rows('r331 r332', 'stalls', 2, 'SYSTEM_IMPLEMENTATION'),
  rows('r339 r340', 'misleads', 0, 'SYSTEM_HALVING_RANKS'),
  rows('r604 r605', 'aborts', 0, 'SYSTEM_HALVING_SIZE'),
  rows('r606 r607', 'misleads', 0, 'SYSTEM_HALVING_SIZE'),
  rows('r343 r344', 'exits', 2, 'SYSTEM_IMPLEMENTATION'),
  rows('r333 r334', 'crashes', 2, 'SYSTEM_IMPLEMENTATION'),
  rows('r378 r379', 'crashes', 0, 'SYSTEM_TREE_IN_GROUP'),
  rows('r230 r345 r346', 'misleads', 0, 'SYSTEM_TREE_STANDS_IN'),
  rows('r525 r526 r608 r609', 'stalls', 0, 'SYSTEM_CUSTOM_SPLITS'),
  rows('r521 r522', 'aborts', 0, 'SYSTEM_CUSTOM_UNSORTED'),
  rows('r600 r601', 'stalls', 4, 'crossed-collectives'),
  rows('r602 r603', 'misleads', 0, ''),
  rows('r380 r381', 'exits', 1, 'GROUP_UNDECLARED'),
  rows('r406 r407 r408 r409', 'throws', 1, 'ASTRA_COLLECTIVE_TYPE'),
  rows('r402 r403 r404 r405', 'misleads', 0, 'ASTRA_BROADCAST'),
  rows('r547', 'throws', 1, 'ASTRA_ATTRIBUTE_MISSING'),
  // Nodes.
  rows('r410 r411 r548', 'aborts', 0, 'ASTRA_METADATA_NODE'),
  rows('r550', 'stalls', 0, 'ASTRA_NODE_SKIPPED'),
  rows('r549', 'misleads', 0, 'ASTRA_GROUP_UNKNOWN'),
  rows('r444 r445 r476', 'misleads', 0, 'ASTRA_ROOFLINE'),
  rows('r398 r399 r456 r458 r462 r464 r466 r468 r470', 'misleads', 0, 'ASTRA_STATISTICS'),
  rows('r472', 'exits', 1, 'ASTRA_REMOTE_MEMORY'),
  rows('r418 r419', 'throws', 1, 'DANGLING_DATA'),
  rows('r420 r421', 'throws', 1, 'CYCLE'),
  rows('r544', 'throws', 1, 'NO_NODES'),
  rows('r481 r482', 'stalls', 4, 'unmatched-receive'),
  rows('r485 r486', 'stalls', 4, 'size-mismatch'),
  rows('r551', 'misleads', 0, 'SETTING_UNUSED'),
];
