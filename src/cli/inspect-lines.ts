import { counted, grouped } from '../base/counts.js';
import { textTable } from '../base/text-table.js';
import { FORMATS, type Format } from '../formats/detect.js';
import type { RankFacts } from '../passes/inspect.js';
import type { FileReport } from '../pipeline/inspect-file.js';
import type { Inspection } from '../pipeline/inspect-files.js';

/** Files shown one by one; of a larger traceset the rest is summed up only. */
const FILES_SHOWN = 16;

/** What `inspect` prints for a person. */
export function inspectLines({ files, traceset }: Inspection): string[] {
  const traces: RankFacts[] = [];
  const lines: string[] = [];
  for (const [path, facts] of Object.entries(files)) {
    if (isTrace(facts)) traces.push(facts);
    else if (facts.format !== 'error')
      lines.push(`${path}: ${facts.format}`, ...otherLines(facts), ...nextLines(facts));
  }
  const paths = Object.entries(files).filter(([, facts]) => isTrace(facts));
  if (paths.length > 0) {
    lines.push(
      ...textTable(
        [
          ['file', 'nodes', 'data deps', 'control deps', 'cycles', 'communication bytes', 'duration µs'],
          ...paths.slice(0, FILES_SHOWN).map(([path, facts]) => fileRow(path, facts as RankFacts)),
        ],
        'lrrrrrr',
      ),
    );
    if (paths.length > FILES_SHOWN) lines.push(`… and ${paths.length - FILES_SHOWN} more files; --json has them all`);
    lines.push('', ...sumLines(traces));
  }
  if (traceset && Object.keys(traceset.groups).length > 0) {
    lines.push('', ...groupLines(traceset.groups));
  }
  if (traceset?.p2p) {
    const { sends, recvs, unmatched_sends, unmatched_recvs } = traceset.p2p;
    lines.push(
      '',
      `${counted(sends, 'send')} and ${counted(recvs, 'receive')}; unmatched: ${counted(unmatched_sends, 'send')}, ` +
        counted(unmatched_recvs, 'receive'),
    );
  }
  return lines;
}

function isTrace(facts: FileReport): facts is RankFacts {
  return 'by_type' in facts && 'cycles' in facts && 'data' in (facts.cycles as object);
}

function fileRow(path: string, facts: RankFacts): string[] {
  const { deps, cycles } = facts;
  return [
    path,
    grouped(facts.nodes),
    grouped(deps.data_deps),
    grouped(deps.ctrl_deps),
    grouped(cycles.both.sccs),
    grouped(facts.comm_bytes_total),
    grouped(facts.duration_us_total),
  ];
}

function sumLines(traces: readonly RankFacts[]): string[] {
  const types = new Map<string, number>();
  const durations = new Map<string, number>();
  const collectives = new Map<string, { count: number; bytes: number; without: number }>();
  for (const facts of traces) {
    for (const [type, count] of Object.entries(facts.by_type)) types.set(type, (types.get(type) ?? 0) + count);
    for (const [type, sum] of Object.entries(facts.duration_us_by_type))
      durations.set(type, (durations.get(type) ?? 0) + sum);
    for (const [name, { count, bytes, without_comm_size }] of Object.entries(facts.comm)) {
      const sum = collectives.get(name) ?? { count: 0, bytes: 0, without: 0 };
      sum.count += count;
      sum.bytes += bytes;
      sum.without += without_comm_size;
      collectives.set(name, sum);
    }
  }
  const lines = textTable(
    [
      ['node type', 'nodes', 'duration µs'],
      ...[...types].map(([type, count]) => [type, grouped(count), grouped(durations.get(type) ?? 0)]),
    ],
    'lrr',
  );
  if (collectives.size === 0) return lines;
  return [
    ...lines,
    '',
    ...textTable(
      [
        ['communication', 'nodes', 'bytes', 'without size'],
        ...[...collectives].map(([name, { count, bytes, without }]) => [
          name,
          grouped(count),
          grouped(bytes),
          grouped(without),
        ]),
      ],
      'lrrr',
    ),
  ];
}

function groupLines(groups: NonNullable<Inspection['traceset']>['groups']): string[] {
  const rows = Object.entries(groups).map(([name, facts]) => [
    name,
    Array.isArray(facts.ranks) ? facts.ranks.join(' ') : `${facts.ranks} ranks`,
    typeof facts.collectives_per_rank === 'number' ? grouped(facts.collectives_per_rank) : 'differs',
    facts.same_type_and_size_sequence_in_id_order ? 'agree' : facts.same_multiset ? 'differ in order' : 'differ',
  ]);
  return textTable([['process group', 'ranks', 'collectives a rank', 'types and sizes'], ...rows], 'llrl');
}

/** What a file is that is no trace, and how to go on with it. */
function nextLines({ format }: FileReport): string[] {
  const { name, about } = FORMATS[format as Format];
  return about.includes('chakra-prep ') ? [`  it is ${name}`, `  ${about}`] : [];
}

/** Facts that are a single value, one a line. */
function otherLines(facts: FileReport): string[] {
  return Object.entries(facts)
    .filter(([name]) => !['format', 'name', 'about'].includes(name))
    .map(
      ([name, value]) =>
        `  ${name}: ${typeof value === 'object' ? JSON.stringify(value).slice(0, 200) : String(value)}`,
    );
}
