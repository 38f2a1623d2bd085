/** Attributes of nodes that keep what GOAL says and a Chakra trace has no place for; integers unless something else is told. */
export const GoalAttribute = {
  /** Of a compute node: its time in ns, where `duration_micros` has whole µs. */
  nanoseconds: 'duration_ns',
  cpu: 'goal_cpu',
  nic: 'goal_nic',
  /** bool, of a receive: it takes a message from any rank. */
  anySource: 'goal_any_source',
  /** bool, of a receive: it takes a message of any tag. */
  anyTag: 'goal_any_tag',
  /** List of ids: the node may start when these have started. */
  starts: 'goal_irequires',
} as const;
