import { finding } from '../../../base/catalogue.js';
import { counted, grouped } from '../../../base/counts.js';
import type { Finding } from '../../../base/finding.js';
import type { Topology } from '../../topology/topology.js';
import type { FrameSettings, SwitchSettings } from './packet-settings.js';
import { dataWireBytes, wireBytes } from './frame-sizes.js';
import { neededHeadroomBytes } from './needed-headroom.js';
import { settingRefused } from './setting-refused.js';
import { linkCounts } from './switch-profile.js';

/** SW-4, SW-5. */
const STATIC_BUFFER_BYTES = 256_000_000;
const DYNAMIC_BUFFER_BYTES = 2 ** 25;
/** SW-5: of a port and class. */
const RESERVE_BYTES = 4096;
const CLASSES = 2;

type Pfc = Pick<SwitchSettings, 'pfc' | 'xoffBytes' | 'headroomBytes'>;

export interface SwitchBuffer {
  readonly bytes: number;
  /** What the pools of class 0 and 1 share between them: the buffer without headroom and reserves. */
  readonly pooledBytes: number;
  readonly findings: readonly Finding[];
}

/**
 * The shared buffer of every switch. By default with static PFC it is as large as it must be for all ports of the largest
 * switch to reach Xoff and to use their headroom, with a finding where that is more than the usual 256,000,000 bytes.
 * @throws PrepError `PACKET_SETTING` where headroom and reserves leave nothing of it
 */
export function switchBuffer(topology: Topology, pfc: Pfc, statedBytes: number | undefined): SwitchBuffer {
  const setAside = setAsideBytes(topology, pfc);
  const usual = pfc.pfc === 'dynamic' ? DYNAMIC_BUFFER_BYTES : STATIC_BUFFER_BYTES;
  const needed = pfc.pfc === 'static' ? neededBytes(mostPorts(topology), pfc) : 0;
  const bytes = statedBytes ?? Math.max(usual, needed);
  if (bytes <= setAside) {
    const own = pfc.pfc === 'static' ? 'headroom' : 'headroom and reserves';
    throw settingRefused(
      `BufferBytes ${grouped(bytes)}: ${own} of the ports of a switch take ${grouped(setAside)} B; expected more`,
      pfc.pfc === 'static' ? 'make BufferBytes larger or Headroom smaller' : 'make BufferBytes larger',
    );
  }
  const findings: Finding[] = [];
  if (statedBytes === undefined && bytes > usual) {
    const ports = counted(mostPorts(topology), 'port');
    const message = `BufferBytes is ${grouped(bytes)}, not ${grouped(usual)}: so much is needed where all ${ports} of a switch reach Xoff`;
    findings.push(finding('BUFFER_ENLARGED', message));
  }
  return { bytes, pooledBytes: bytes - setAside, findings };
}

function mostPorts(topology: Topology): number {
  return linkCounts(topology).reduce(
    (most, ports, id) => (topology.nodes[id].kind === 'host' ? most : Math.max(most, ports)),
    0,
  );
}

/** The pool of class 0, nine tenths of what headroom leaves, takes Xoff bytes and the headroom of each port. */
function neededBytes(ports: number, { xoffBytes, headroomBytes }: Pfc): number {
  return Math.ceil((ports * (xoffBytes + headroomBytes) * 10) / 9) + ports * headroomBytes;
}

/** The most that a switch sets aside for its ports, bytes. */
function setAsideBytes(topology: Topology, { pfc, headroomBytes }: Pfc): number {
  if (pfc === 'off') return 0;
  if (pfc === 'static') return mostPorts(topology) * headroomBytes;
  const bytes = new Float64Array(topology.nodes.length); // [nodes] bytes
  for (const { a, b, gbps, delayPs } of topology.links) {
    const port = (3 * gbps * delayPs) / 8000 + CLASSES * RESERVE_BYTES;
    bytes[a] += port;
    bytes[b] += port;
  }
  return Math.ceil(
    bytes.reduce((most, own, id) => (topology.nodes[id].kind === 'host' ? most : Math.max(most, own)), 0),
  );
}

/**
 * Says where the headroom of static PFC is smaller than what still arrives after an XOFF (SW-6): frames under way in the
 * round trip, one frame just begun at each end, and the PFC frame.
 * @param rxLatencyPs of hosts, which act on the XOFF that much later
 */
export function headroomFindings(
  topology: Topology,
  switches: SwitchSettings,
  frames: FrameSettings,
  rxLatencyPs: number,
): Finding[] {
  const { pfc, headroomBytes, latencyPs } = switches;
  if (pfc !== 'static') return [];
  const fullBytes = dataWireBytes(frames, frames.mssBytes);
  const pfcBytes = wireBytes(frames, frames.pfcBytes);
  let short = 0;
  let worst: { text: string; bytes: number } = { text: '', bytes: 0 };
  for (const { a, b, gbps, delayPs } of topology.links) {
    const switchEnds = [a, b].filter((id) => topology.nodes[id].kind !== 'host').length;
    if (switchEnds === 0) continue;
    const roundTripPs = 2 * delayPs + switchEnds * latencyPs + (2 - switchEnds) * rxLatencyPs;
    const bytes = neededHeadroomBytes(gbps, roundTripPs, fullBytes, pfcBytes);
    if (bytes <= headroomBytes) continue;
    short++;
    if (bytes > worst.bytes) worst = { bytes, text: `${topology.nodes[a].name} – ${topology.nodes[b].name}` };
  }
  if (short === 0) return [];
  const links = `${counted(short, 'link')} can fill it after an XOFF, ${worst.text} with ${grouped(worst.bytes)} B`;
  return [finding('HEADROOM_SHORT', `Headroom ${grouped(headroomBytes)} B: ${links}`)];
}
