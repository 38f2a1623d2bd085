import { finding } from '../base/catalogue.js';
import { counted } from '../base/counts.js';
import type { Finding } from '../base/finding.js';
import { nodeTypeName } from '../trace/node-type.js';
import type { DrawnDependencies } from './neighbourhood.js';
import type { MessageTally } from './messages.js';

/** What a picture shows and what it leaves out. */
export class DrawingTally {
  nodes = 0;
  missing = 0;
  data = 0;
  control = 0;
  paths = 0;
  /** Nodes that a filter lets through and the limit does not, by NodeType. */
  readonly beyondLimit = new Map<number, number>();
  /** Nodes that a filter does not let through, by NodeType. */
  readonly filtered = new Map<number, number>();
  /** Dependencies of drawn nodes on nodes that are not drawn. */
  cutDependencies = 0;
  /** Control dependencies that `--deps data` leaves out. */
  controlLeftOut = 0;
  /** Dependencies that close a cycle and that no way through nodes left out leads over. */
  onCycles = 0;
  /** Edges that close a cycle and are drawn upwards. */
  upwards = 0;
  /** Nodes whose id others before them have. */
  repeated = 0;
  messages: MessageTally = {
    messages: 0,
    unpairedSends: 0,
    unpairedReceives: 0,
    withoutPartner: 0,
    elsewhere: 0,
    pairedByOrder: 0,
  };

  /** `120 nodes, 200 data and 30 control dependencies, 56 messages`. */
  summary(ranks: number): string {
    const parts = [
      counted(ranks, 'rank'),
      counted(this.nodes, 'node'),
      counted(this.data, 'data dependency', 'data dependencies'),
      counted(this.control, 'control dependency', 'control dependencies'),
    ];
    if (this.messages.messages > 0) parts.push(counted(this.messages.messages, 'message'));
    if (this.paths > 0) parts.push(counted(this.paths, 'way through nodes left out', 'ways through nodes left out'));
    if (this.missing > 0) parts.push(counted(this.missing, 'missing id'));
    return parts.join(', ');
  }

  /** What is left out, a line each, for the picture itself. */
  notes(deps: DrawnDependencies, limit: number | undefined): string[] {
    const notes: string[] = [];
    if (this.beyondLimit.size > 0) {
      notes.push(`not drawn, beyond the limit of ${counted(limit ?? 0, 'node')}: ${byType(this.beyondLimit)}`);
    }
    if (this.filtered.size > 0) notes.push(`not drawn, not asked for: ${byType(this.filtered)}`);
    if (this.cutDependencies > 0) {
      const count = counted(this.cutDependencies, 'dependency', 'dependencies');
      notes.push(`not drawn: ${count} on nodes that are not drawn`);
    }
    if (deps === 'data' && this.controlLeftOut > 0) {
      notes.push(
        `not drawn: ${counted(this.controlLeftOut, 'control dependency', 'control dependencies')} (--deps data)`,
      );
    }
    return notes;
  }

  /** @param several whether there is more than one rank in the picture, so that messages have two ends in it */
  findings(notes: readonly string[], several: boolean): Finding[] {
    const found: Finding[] = notes.map((note) => finding('DRAWING_LEFT_OUT', note));
    if (this.nodes === 0) found.push(finding('DRAWING_EMPTY', 'no node is drawn: none of the ranks drawn passes the filters'));
    if (this.repeated > 0) {
      const count = counted(this.repeated, 'node');
      found.push(
        finding(
          'DRAWING_ID_REPEATED',
          `${count} ${this.repeated === 1 ? 'has' : 'have'} the id of a node before: _2, _3 … stand behind the id in the picture; dependencies lead to the first`,
          { count: this.repeated },
        ),
      );
    }
    if (this.onCycles > 0) {
      const count = counted(this.onCycles, 'dependency', 'dependencies');
      const close = this.onCycles === 1 ? 'closes' : 'close';
      found.push(
        finding('DRAWING_CYCLE', `${count} ${close} a cycle: no way through nodes left out is drawn over them`, {
          count: this.onCycles,
        }),
      );
    }
    if (this.upwards > 0) {
      const message = `${counted(this.upwards, 'edge')} ${this.upwards === 1 ? 'closes' : 'close'} a cycle: drawn upwards`;
      found.push(finding('DRAWING_CYCLE', message, { count: this.upwards }));
    }
    return several ? [...found, ...this.#messageFindings()] : found;
  }

  #messageFindings(): Finding[] {
    const { unpairedSends, unpairedReceives, withoutPartner, elsewhere, pairedByOrder } = this.messages;
    const found: Finding[] = [];
    const parts = [
      unpairedSends > 0 ? `${counted(unpairedSends, 'send')} that no drawn rank receives` : '',
      unpairedReceives > 0 ? `${counted(unpairedReceives, 'receive')} that no drawn rank sends to` : '',
      elsewhere > 0
        ? `${counted(elsewhere, 'send or receive', 'sends and receives')} with a rank that is not drawn`
        : '',
      withoutPartner > 0
        ? `${counted(withoutPartner, 'send or receive', 'sends and receives')} without a partner rank`
        : '',
    ].filter((part) => part !== '');
    if (parts.length > 0) {
      found.push(finding('DRAWING_UNPAIRED', `no message is drawn for ${parts.join(', ')}`, { count: parts.length }));
    }
    if (pairedByOrder > 0) {
      found.push(
        finding(
          'DRAWING_PAIRED_BY_ORDER',
          `${counted(pairedByOrder, 'message')} of one tag between the same two ranks: the first send is drawn to the first receive`,
          { count: pairedByOrder },
        ),
      );
    }
    return found;
  }
}

/** `12 COMP_NODE, 3 COMM_SEND_NODE`, the most frequent first. */
function byType(counts: ReadonlyMap<number, number>): string {
  const sorted = [...counts].sort(([left, a], [right, b]) => b - a || left - right);
  return sorted.map(([type, count]) => counted(count, nodeTypeName(type), nodeTypeName(type))).join(', ');
}
