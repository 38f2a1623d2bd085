/** Tags of sends and receives are below this; those of collectives and of rendezvous are not (astra-sim-semantics section 11). */
export const TAG_LIMIT = 500_000_000;
