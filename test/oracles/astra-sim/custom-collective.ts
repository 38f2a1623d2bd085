import { NodeType } from '../../../src/trace/node-type.js';
import type { Action, Timer } from './events.js';
import type { Messages } from './messages.js';
import { openNodes, type TraceNode } from './nodes.js';
import { traceTag } from './trace-tag.js';

/** Section 10: the nodes of one position of a custom collective, all issued as soon as they wait for nothing. */
export function runCustomCollective(
  nodes: readonly TraceNode[],
  rank: number,
  rankOf: (position: number) => number,
  timer: Timer,
  messages: Messages,
  done: Action,
): void {
  const open = openNodes(nodes);
  const complete = (node: TraceNode): void => {
    open.complete(node);
    issueReady();
    if (open.ready.length === 0 && open.inFlight === 0) done();
  };
  const issue = (node: TraceNode): void => {
    const { type, durationNs } = node;
    const completed = (): void => complete(node);
    if (type === NodeType.compute) timer(durationNs, completed);
    if (type === NodeType.send || type === NodeType.receive) {
      const { peer, commSize } = node;
      if (peer === undefined || commSize === undefined) throw new Error(`custom node ${node.id}: peer or size missing`);
      const other = rankOf(peer);
      const tag = traceTag(node);
      if (type === NodeType.send) messages.send(rank, other, commSize, tag, completed);
      else messages.receive(other, rank, commSize, tag, completed);
    }
    // Nodes of other types are taken and never end.
  };
  const issueReady = (): void => {
    for (const node of [...open.ready]) {
      open.take(node);
      issue(node);
    }
  };
  issueReady();
}
