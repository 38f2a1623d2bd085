import { delayOf, rateOf, rateOfGigabytes, type TimeUnit } from '../link-values.js';
import { shownValue } from '../malformed.js';
import type { Fields, UnreadKeys } from './fields.js';

/** A named kind of link; what it does not state is `undefined`. */
export interface LinkKind {
  readonly name: string;
  readonly gbps?: number;
  readonly delayPs?: number;
  /** Its bandwidth is in transfers, whose width is not given. */
  readonly inTransfers: boolean;
}

/** Words for a billion bits, bytes or transfers a second, of today's schema and of those before it. */
const RATE_UNITS: Readonly<Record<string, 'bits' | 'bytes' | 'transfers'>> = {
  gigabits_per_second: 'bits',
  giga_bits_per_second: 'bits',
  g_bits_per_second: 'bits',
  gbps: 'bits',
  gigabytes_per_second: 'bytes',
  giga_bytes_per_second: 'bytes',
  g_bytes_per_second: 'bytes',
  gigatransfers_per_second: 'transfers',
  giga_transfers_per_second: 'transfers',
  g_transfers_per_second: 'transfers',
};
const TIME_UNITS: readonly TimeUnit[] = ['ms', 'us', 'ns'];

/** Kinds of links by name. @throws PrepError `TOPOLOGY_MALFORMED` */
export function linkKindsOf(owner: Fields, unread: UnreadKeys): Map<string, LinkKind> {
  const kinds = new Map<string, LinkKind>();
  for (const link of owner.objects('links')) {
    link.countUnread(['name', 'description', 'physical', 'bandwidth', 'latency'], unread);
    const name = link.text('name');
    if (kinds.has(name)) throw link.error('name', `link ${name} given twice, expected once`);
    const physical = link.fields('physical');
    physical?.countUnread(['bandwidth', 'latency'], unread);
    kinds.set(name, { name, ...bandwidthOf(physical ?? link), ...latencyOf(physical ?? link) });
  }
  return kinds;
}

function bandwidthOf(link: Fields): Pick<LinkKind, 'gbps' | 'inTransfers'> {
  const bandwidth = link.fields('bandwidth');
  const unit = bandwidth && unitOf(bandwidth, Object.keys(RATE_UNITS));
  if (bandwidth === undefined || unit === undefined) return { inTransfers: false };
  const text = numberOf(bandwidth, unit);
  if (RATE_UNITS[unit] === 'transfers') return { inTransfers: true };
  const read = RATE_UNITS[unit] === 'bytes' ? rateOfGigabytes : rateOf;
  return { gbps: bandwidth.document.value(bandwidth.at(unit), () => read(text)), inTransfers: false };
}

function latencyOf(link: Fields): Pick<LinkKind, 'delayPs'> {
  const latency = link.fields('latency');
  const unit = latency && (unitOf(latency, TIME_UNITS) as TimeUnit | undefined);
  if (latency === undefined || unit === undefined) return {};
  const text = numberOf(latency, unit);
  return { delayPs: latency.document.value(latency.at(unit), () => delayOf(text, unit)) };
}

/** The unit that `choice` names, or the one key there is. */
function unitOf(quantity: Fields, units: readonly string[]): string | undefined {
  if (quantity.has('choice')) {
    const choice = quantity.text('choice');
    if (units.includes(choice)) return choice;
    throw quantity.error('choice', `choice: ${choice}, expected one of ${units.join(', ')}`);
  }
  const given = units.filter((unit) => quantity.has(unit));
  if (given.length > 1) throw quantity.error(given[1], `${given.join(' and ')} without choice, expected one of them`);
  return given[0];
}

function numberOf(quantity: Fields, unit: string): string {
  const value = quantity.get(unit);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw quantity.error(
    unit,
    value === undefined ? `${unit} missing, as choice names it` : `${unit}: ${shownValue(value)}, expected a number`,
  );
}
