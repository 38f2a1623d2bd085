/** Programs whose demands `validate --for` adds to the rules. */
export const TARGETS = ['astra-sim', 'feeder'] as const;

export type Target = (typeof TARGETS)[number];
