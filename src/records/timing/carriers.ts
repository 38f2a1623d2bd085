import type { Placement } from '../../replay/placement.js';

/** What carries the transfers that a rank sends, in the order of the report. */
export const Carrier = { scaleUp: 0, nic: 1, itself: 2 } as const;
export type Carrier = (typeof Carrier)[keyof typeof Carrier];

/** The route of R-060: scale-up within a group, else the NIC of the sender; nothing from a rank to itself. */
export function carrierOf(sender: number, receiver: number, placement: Placement | undefined): Carrier {
  if (sender === receiver) return Carrier.itself;
  const group = placement?.groupOf[sender] ?? -1;
  return group >= 0 && group === placement?.groupOf[receiver] ? Carrier.scaleUp : Carrier.nic;
}

/** `rank 0 NIC`. */
export function carrierName(rank: number, carrier: Carrier): string {
  return `rank ${rank} ${carrier === Carrier.nic ? 'NIC' : carrier === Carrier.scaleUp ? 'scale-up' : 'to itself'}`;
}

/**
 * `rank 0 -> NIC -> rank 1`, `rank 0 -> scale-up 0/1 -> rank 2`: the group's id, then the subgroup in which it arrives.
 */
export function transferPath(
  sender: number,
  receiver: number,
  carrier: Carrier,
  placement: Placement | undefined,
): string {
  if (carrier === Carrier.itself) return `rank ${sender} -> rank ${receiver}`;
  const subgroup = carrier === Carrier.scaleUp ? `/${placement!.subgroupOf[receiver]}` : '';
  return `rank ${sender} -> ${through(sender, carrier, placement)}${subgroup} -> rank ${receiver}`;
}

/** `rank 0 -> NIC -> ring of 8 ranks "dp"`. */
export function collectivePath(
  sender: number,
  carrier: Carrier,
  placement: Placement | undefined,
  pattern: string,
): string {
  if (carrier === Carrier.itself) return `rank ${sender} -> ${pattern}`;
  return `rank ${sender} -> ${through(sender, carrier, placement)} -> ${pattern}`;
}

function through(sender: number, carrier: Carrier, placement: Placement | undefined): string {
  return carrier === Carrier.nic ? 'NIC' : `scale-up ${placement!.groups[placement!.groupOf[sender]].id}`;
}
