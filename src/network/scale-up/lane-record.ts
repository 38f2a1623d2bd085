/**
 * Places in the record of a lane: 64 bytes, integers and then two doubles, so that all that a packet touches of its lane lies
 * in one cache line. −1 stands for no transfer and no lane.
 */
export const INTEGERS = 16;
export const DOUBLES = 8;

/** Idle, ready or busy. */
export const STATE = 0;
/** Transfer whose packet starts next, −1 when every packet of every transfer has started. */
export const HEAD = 1;
/** Transfer added last. */
export const TAIL = 2;
/** Transfer whose last packet is in service, −1 when another packet or none is. */
export const ENDING = 3;
/** Next lane of the list of ready lanes. */
export const NEXT_READY = 4;
/** Rank whose bandwidth the lane shares. */
export const OWNER = 5;
/** Rank at the other end. */
export const PEER = 6;
/** 0 inside a subgroup, 1 between subgroups. */
export const CROSSING = 7;
/** Packets of the head that have not started; a double. */
export const LEFT = 4;
/** Packets that may start; a double. */
export const WAITING = 5;
