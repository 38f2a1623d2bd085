import { finding } from '../base/catalogue.js';
import { counted, grouped } from '../base/counts.js';
import type { Finding } from '../base/finding.js';
import type { DeviceTrace } from '../formats/pytorch/device-trace.js';
import type { HostTrace } from '../formats/pytorch/host-trace.js';
import type { Launches } from './launches.js';
import { OUTSIDE_HOST_TRACE, type LinkAccount, type Tally } from './link-account.js';
import { WAYS_WEIGHED } from './match-by-name.js';
import type { HostMatch } from './match-hosts.js';
import type { ExclusiveTimes } from './nesting.js';

/** What is worth knowing about a link, besides its account. */
export function linkFindings(
  rank: number,
  host: HostTrace,
  device: DeviceTrace,
  match: HostMatch,
  times: ExclusiveTimes,
  launches: Launches,
  account: LinkAccount,
): Finding[] {
  const findings: Finding[] = [];
  const tell = (code: Parameters<typeof finding>[0], message: string, facts: Partial<Finding> = {}): void => {
    findings.push(finding(code, message, { rank, ...facts }));
  };
  const recorded = device.distributed?.rank;
  if (recorded !== undefined && recorded !== rank) {
    tell('LINK_RANK_DIFFERS', `${device.file} was recorded by rank ${recorded} and is linked as rank ${rank}`, {
      file: device.file,
      recorded,
    });
  }
  if (match.doubt !== undefined) tell('LINK_FORCED', `linked ${howForced(match)} by force: ${match.doubt}`);
  else if (match.agreeing < match.pairs) tell('LINK_NAMES_DIFFER', differingNames(host, device, match));
  if (match.method === 'external-id') {
    tell(
      'LINK_BY_EXTERNAL_ID',
      `${device.file} has no "Record function id": its External ids are taken for them, as ` +
        `${grouped(match.agreeing)} of ${counted(match.pairs, 'name')} agree`,
      { count: match.pairs },
    );
  }
  if (match.byName !== undefined) {
    const { byName } = match;
    const threads = byName.threads.map((t) => `${t.host} is ${t.device}`).join(', ');
    tell(
      'LINK_BY_NAME',
      `${device.file} has no "Record function id": ${grouped(match.pairs)} of ` +
        `${counted(match.nodes.nodes.length, 'op')} were found by name and order, ` +
        `${percent(match.confidence)} of them nested alike; threads: ${threads || 'none'}`,
      { count: match.pairs, confidence: match.confidence },
    );
    if (byName.equallyGood > 1) {
      tell(
        'LINK_ALIKE_ITERATIONS',
        `the ops of ${host.file} fit ${grouped(byName.equallyGood)}${byName.equallyGood === WAYS_WEIGHED ? ' or more' : ''} ` +
          `places of ${device.file} equally well; the first is taken`,
        { count: byName.equallyGood },
      );
    }
  }
  const doubled = [
    [match.doubledNodes, 'rf_id', 'host node'],
    [match.doubledEvents, match.method === 'external-id' ? 'External id' : 'Record function id', 'host event'],
    [launches.doubledCorrelations, 'correlation', 'call'],
  ] as const;
  for (const [count, id, noun] of doubled) {
    if (count === 0) continue;
    tell(
      'LINK_IDS_DOUBLED',
      `${counted(count, noun)} with ${withArticle(id)} that another had before; the first keeps it`,
      {
        count,
      },
    );
  }
  const timeless = { ...account.hostNodes.unlinked };
  delete timeless['root of the process or of a thread'];
  const withoutTime = sum(timeless);
  if (withoutTime > 0) {
    tell(
      'LINK_NODES_WITHOUT_TIME',
      `${grouped(withoutTime)} of ${counted(match.nodes.nodes.length, 'op')} ${has(withoutTime)} no time: ${reasons(timeless)}`,
      { count: withoutTime },
    );
  }
  if (sum(account.hostEvents.unlinked) > 0) {
    tell(
      'LINK_EVENTS_WITHOUT_NODE',
      `${partOf(account.hostEvents, 'host event')} ${has(sum(account.hostEvents.unlinked))} no node: ${reasons(account.hostEvents.unlinked)}`,
      { count: sum(account.hostEvents.unlinked) },
    );
  }
  const kinds = [
    [account.kernels, 'kernel', 'kernels'],
    [account.copies, 'copy', 'copies'],
    [account.sets, 'memset', 'memsets'],
    [account.annotations, 'device annotation', 'device annotations'],
  ] as const;
  const usual: Partial<Finding> = { severity: 'note', advice: 'record both traces over the same iterations' };
  for (const [tally, noun, plural] of kinds) {
    const count = sum(tally.unlinked);
    if (count === 0) continue;
    tell(
      'LINK_DEVICE_EVENTS_UNATTACHED',
      `${partOf(tally, noun, plural)} ${has(count)} no host node: ${reasons(tally.unlinked)}`,
      // That the device trace covers more than the host trace is usual.
      { count, ...(Object.keys(tally.unlinked).every((reason) => OUTSIDE_HOST_TRACE.includes(reason)) && usual) },
    );
  }
  if (launches.byExternalId > 0) {
    tell(
      'LINK_ATTACHED_BY_EXTERNAL_ID',
      `${counted(launches.byExternalId, 'device event')} without a launching call, or with nothing around it, ` +
        `${launches.byExternalId === 1 ? 'hangs' : 'hang'} under the op of ${launches.byExternalId === 1 ? 'its' : 'their'} External id`,
      { count: launches.byExternalId },
    );
  }
  if (launches.contradicted > 0) {
    tell(
      'LINK_EXTERNAL_ID_DIFFERS',
      `${counted(launches.contradicted, 'call')} of ${grouped(device.calls.length)} ` +
        `${has(launches.contradicted)} the External id of a host event that is not around ` +
        `${launches.contradicted === 1 ? 'it' : 'them'}; time decides`,
      { count: launches.contradicted },
    );
  }
  const overlaps = [
    times.overlapping === 0
      ? ''
      : `${counted(times.overlapping, 'pair')} of host events ${times.overlapping === 1 ? 'overlaps' : 'overlap'} without nesting`,
    times.cut === 0 ? '' : counted(times.cut, 'host event') + ' cut at the end of the one around',
    launches.outlasting === 0 ? '' : counted(launches.outlasting, 'call') + ' outlasting the host event around',
  ].filter((text) => text !== '');
  if (overlaps.length > 0) {
    const count = times.overlapping + times.cut + launches.outlasting;
    tell('LINK_EVENTS_OVERLAP', `${overlaps.join(', ')}`, { count });
  }
  return findings;
}

function howForced({ method, shift }: HostMatch): string {
  if (method === 'name-and-order') return 'by name and order';
  if (shift === 0) return 'by rf_id';
  return `by rf_id ${shift < 0 ? '−' : '+'} ${grouped(Math.abs(shift))}`;
}

function differingNames(host: HostTrace, device: DeviceTrace, { pairs, agreeing, hostEvent }: HostMatch): string {
  const node = hostEvent.findIndex(
    (event, i) => event >= 0 && host.names[host.name[i]] !== device.names[device.hostEvents.name[event]],
  );
  const example =
    node < 0
      ? ''
      : `, such as rf_id ${host.recordId[node]}: ${host.names[host.name[node]]} and ` +
        device.names[device.hostEvents.name[hostEvent[node]]];
  return `${grouped(pairs - agreeing)} of ${counted(pairs, 'op')} ${has(pairs - agreeing)} another name in the device trace${example}; ids decide`;
}

function partOf({ total, unlinked }: Tally, noun: string, plural = `${noun}s`): string {
  return `${grouped(sum(unlinked))} of ${counted(total, noun, plural)}`;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** `no such id 12, started too early 3`: the most frequent first. */
function reasons(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort((a, b) => b[1] - a[1])
    .map(([reason, count]) => `${reason} (${grouped(count)})`)
    .join(', ');
}

function has(count: number): string {
  return count === 1 ? 'has' : 'have';
}

function percent(part: number): string {
  return `${Math.floor(1000 * part) / 10} %`;
}

function withArticle(noun: string): string {
  return `${/^[aeiourEAIO]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
