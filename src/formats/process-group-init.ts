import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import type { GroupDeclaration } from '../trace/group-declarations.js';
import { nodeId } from '../trace/listed-ids.js';
import { NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { parseListPrefix, PythonDict, type ListPrefix, type PythonValue } from '../base/python-literal.js';

/*
 * The `## process_group:init ##` node of PyTorch traces (chakra-format section 8). Its `inputs.values` is a list of one
 * text, as Python repr or JSON, and that text is a JSON list of
 *   {pg_name, backend_id, backend_config, ranks, group_size, group_count}  (March 2024), or
 *   {pg_name, pg_desc, backend_config, ranks, group_size, group_count}     (April 2024 on).
 * The inner list without the outer one is read too. Only pg_name, ranks and group_size are looked at.
 */

/** What the text of one such node declares. */
export interface InitGroups {
  readonly groups: { name: string; ranks: number[] }[];
  /** Entries, or whole texts, that are not what they must be; one line each. */
  readonly problems: string[];
  /** Whether the text ends too early; the complete entries before the cut are in `groups`. */
  readonly cut: boolean;
}

/** Reads the `inputs.values` text of a process_group:init node. */
export function parseProcessGroupInit(text: string): InitGroups {
  const { outer, list } = listsOf(text);
  const groups: InitGroups['groups'] = [];
  const problems: string[] = [];
  list.elements.forEach((entry, place) => {
    const group = readEntry(entry);
    if (typeof group === 'string') problems.push(`entry ${place}: ${group}`);
    else groups.push(group);
  });
  const error = list.error ?? outer.error;
  if (error !== undefined && !error.cut) {
    problems.push(`${error.message} at character ${error.offset} of ${JSON.stringify(text.slice(0, 60))}`);
  }
  return { groups, problems, cut: error?.cut ?? false };
}

/** Names by `backend_id`, the address by which communication records of the first form tell groups apart. */
export function groupHandles(text: string): ReadonlyMap<number, string> {
  const handles = new Map<number, string>();
  for (const entry of listsOf(text).list.elements) {
    if (!(entry instanceof PythonDict)) continue;
    const handle = entry.get('backend_id');
    const name = entry.get('pg_name');
    if (typeof handle === 'number' && name !== undefined) handles.set(handle, String(name));
  }
  return handles;
}

/** The list of entries, and the list around its text where there is one. */
function listsOf(text: string): { outer: ListPrefix; list: ListPrefix } {
  const outer = parseListPrefix(text);
  const inner = typeof outer.elements[0] === 'string' ? outer.elements[0] : outer.cutText;
  return { outer, list: inner === undefined ? outer : parseListPrefix(inner) };
}

function readEntry(entry: PythonValue): { name: string; ranks: number[] } | string {
  if (!(entry instanceof PythonDict)) return 'expected an object with pg_name, ranks and group_size';
  const name = entry.get('pg_name');
  const ranks = entry.get('ranks');
  const size = entry.get('group_size');
  if (typeof name !== 'string' && typeof name !== 'number') return 'pg_name is missing';
  const label = `group ${JSON.stringify(String(name))}`;
  if (!Array.isArray(ranks)) return `${label}: ranks is not a list`;
  if (!ranks.every((rank): rank is number => Number.isSafeInteger(rank))) {
    return `${label}: ranks holds something that is no rank`;
  }
  if (ranks.length > 0) return { name: String(name), ranks };
  // An empty list stands for all ranks.
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0 || size > 2 ** 31) {
    return `${label}: ranks is empty, which stands for ranks 0 to group_size − 1, and group_size is missing`;
  }
  return { name: String(name), ranks: Array.from({ length: size }, (_, rank) => rank) };
}

/** The groups a rank's trace declares, in its metadata and in its process_group:init nodes. */
export function groupsDeclaredIn(trace: RankTrace): { declarations: GroupDeclaration[]; findings: Finding[] } {
  const { rank, file, metadata, kept } = trace;
  const declarations: GroupDeclaration[] = [];
  const findings: Finding[] = [];
  for (const [name, ranks] of Object.entries(metadata.groups ?? {})) {
    declarations.push({ name, ranks, origin: 'metadata', rank, file });
  }
  if (kept === undefined) return { declarations, findings };
  for (let node = 0; node < trace.length; node++) {
    if (trace.type[node] !== NodeType.metadata || trace.frameOffset[node] < 0) continue;
    const offset = trace.frameOffset[node];
    const length = trace.frameLength[node];
    const text = kept.inputValues(offset, length);
    const named = kept.name(offset, length).includes('process_group:init');
    if (!named && !text.includes('pg_name')) continue;
    const init = parseProcessGroupInit(text);
    // Other metadata that merely mentions a group is left alone.
    if (!named && init.groups.length === 0) continue;
    const id = nodeId(trace, node);
    for (const group of init.groups) {
      declarations.push({ ...group, origin: 'process_group:init', rank, file, node: id });
    }
    const place = { rank, file, nodes: [id] };
    for (const problem of init.problems) {
      findings.push(finding('GROUP_MALFORMED', `process_group:init: ${problem}`, place));
    }
    if (init.cut) {
      const names = init.groups.map((group) => JSON.stringify(group.name)).join(', ') || 'none';
      findings.push(
        finding('GROUP_CUT', `process_group:init: the text ends too early; groups read before: ${names}`, place),
      );
    }
  }
  return { declarations, findings };
}
