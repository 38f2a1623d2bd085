/**
 * Headroom that an ingress port needs so that nothing is lost after XOFF (SW-6): what the link holds both ways, the frame that
 * hinders the PFC frame and the one that is under way at the peer when it takes effect, and the PFC frame.
 * @param roundTripPs delays of the link, there and back, with those of the nodes at its ends
 */
export function neededHeadroomBytes(gbps: number, roundTripPs: number, frameBytes: number, pfcBytes: number): number {
  return Math.ceil((gbps * roundTripPs) / 8000) + 2 * frameBytes + pfcBytes;
}
