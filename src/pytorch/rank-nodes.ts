import type { Communication, RankCommunications } from './communication.js';
import type { LinkedDependencies } from './dependencies/dependencies.js';
import type { Links } from './links.js';
import type { NodeOrder } from './node-order.js';
import type { RankPlace } from './rank-metadata.js';

/** What looking at all ranks together tells of one: by the place of a communication as `inOrder` lists them. */
export interface RankSettlement {
  readonly peers: Int32Array; // rank at the other end of a send or receive, −1 for none
  readonly roots: Int32Array; // root of a collective, −1 for none
  readonly tags: Int32Array; // tag of a send or receive, −1 for none
}

/** A rank that is linked and can be written. */
export interface RankNodes {
  readonly links: Links;
  readonly order: NodeOrder;
  readonly dependencies: LinkedDependencies;
  readonly communications: RankCommunications;
  readonly place: RankPlace;
  /** Whether durations of host nodes are written without the time in which they waited. */
  readonly waitsLeftOut: boolean;
  /** Absent where the rank was not compared with others. */
  readonly settlement: RankSettlement | undefined;
}

/** A communication of a node, with its place as `inOrder` lists them. */
export interface PlacedCommunication {
  readonly communication: Communication;
  readonly place: number;
}

/** Communications of a rank by origin: host node h as h, device event d as −1 − d. */
export function communicationsByOrigin({
  onDevice,
  onHost,
}: Pick<RankCommunications, 'onDevice' | 'onHost'>): ReadonlyMap<number, readonly PlacedCommunication[]> {
  const byOrigin = new Map<number, PlacedCommunication[]>();
  let next = 0;
  const take = (origin: number, list: readonly Communication[]): void => {
    byOrigin.set(
      origin,
      list.map((communication) => ({ communication, place: next++ })),
    );
  };
  for (const [event, list] of onDevice) take(-1 - event, list);
  for (const [node, list] of onHost) take(node, list);
  return byOrigin;
}
