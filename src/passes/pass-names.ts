import type { TraceMetadata } from '../trace/rank-trace.js';

/** Passes in the order `prepare` applies them; the names stand in `chakra_prep_passes`. */
export const PASS_NAMES = ['expand', 'serialize', 'sync', 'scale', 'annotate', 'astra-sim'] as const;

export type PassName = (typeof PASS_NAMES)[number];

/** The metadata with one more pass that ran; scaling counts each time, the others once. */
export function withPass(metadata: TraceMetadata, pass: PassName): TraceMetadata {
  if (pass !== 'scale' && metadata.passes.includes(pass)) return metadata;
  return { ...metadata, passes: [...metadata.passes, pass] };
}
