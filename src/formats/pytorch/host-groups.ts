import { rankList } from '../../base/rank-runs.js';
import type { JsonValue } from '../json/json-value.js';
import { groupHandles, parseProcessGroupInit } from '../process-group-init.js';
import type { CommunicationRecord, HostTrace } from './host-trace.js';

/** Gathers what the `process_group:init` nodes of a host trace declare (chakra-format section 8). */
export class HostGroups {
  readonly #groups = new Map<string, readonly number[]>();
  readonly #handles = new Map<number, string>();
  readonly #broken: HostTrace['brokenGroups'][number][] = [];

  clear(): void {
    this.#groups.clear();
    this.#handles.clear();
    this.#broken.length = 0;
  }

  /** @param value first input of the node: the text of a JSON list */
  add(node: number, value: JsonValue | undefined): void {
    if (typeof value !== 'string') {
      this.#broken.push({
        node,
        code: 'GROUP_MALFORMED',
        reason: 'its first input is no text, expected a list of groups',
      });
      return;
    }
    const { groups, problems, cut } = parseProcessGroupInit(value);
    for (const { name, ranks } of groups) {
      const known = this.#groups.get(name);
      if (known === undefined) this.#groups.set(name, ranks);
      else if (known.join() !== ranks.join()) {
        const reason = `group ${JSON.stringify(name)} was declared before with ${rankList(known)}, here with ${rankList(ranks)}; the first counts`;
        this.#broken.push({ node, code: 'GROUP_CONFLICT', reason });
      }
    }
    for (const [handle, name] of groupHandles(value)) this.#handles.set(handle, name);
    for (const reason of problems) this.#broken.push({ node, code: 'GROUP_MALFORMED', reason });
    if (cut) {
      const names = groups.map(({ name }) => JSON.stringify(name)).join(', ') || 'none';
      this.#broken.push({ node, code: 'GROUP_CUT', reason: `the text ends too early; groups read before: ${names}` });
    }
  }

  /** Groups, and names for the records that only have the address of their group. */
  finish(communications: Map<number, CommunicationRecord>): {
    groups: HostTrace['groups'];
    broken: HostTrace['brokenGroups'];
  } {
    for (const [node, record] of communications) {
      const { groupHandle, ...rest } = record;
      const name = groupHandle === undefined ? undefined : this.#handles.get(groupHandle);
      if (name !== undefined) communications.set(node, { ...rest, group: record.group ?? name });
    }
    return { groups: this.#groups, broken: this.#broken };
  }
}
