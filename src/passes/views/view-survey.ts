import { surveyCollectives, type CollectiveSurvey } from '../../collectives/survey.js';
import type { GroupDeclaration } from '../../trace/group-declarations.js';
import { groupUse, type GroupUse } from '../../trace/group-use.js';
import { isTransfer, NodeType } from '../../trace/node-type.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { transferColumns } from '../transfer-columns.js';
import { surveyTransfers, type TransferSurvey } from '../transfer-survey.js';

/** Views that look at all ranks together. */
export interface TracesetViews {
  readonly groups?: boolean;
  readonly pairs?: boolean;
  readonly collectives?: boolean;
}

/** What the views need of the collectives of one rank. */
export interface CollectiveViewSurvey {
  readonly rank: number;
  /** Groups that the trace declares. */
  readonly declarations: readonly GroupDeclaration[];
  readonly use: GroupUse;
  readonly collectives: CollectiveSurvey;
  /** [collectives] duration that is recorded, µs, 0 when absent. */
  readonly durationMicros: Float64Array;
}

/** What they need of its sends and receives. */
export interface TransferViewSurvey {
  readonly transfers: TransferSurvey;
  /** Sends and receives that name no partner rank, and are in no pair. */
  readonly sendsWithoutPartner: number;
  readonly receivesWithoutPartner: number;
  /** Sends and receives without `comm_size`. */
  readonly withoutSize: number;
  /** Collectives that are not expanded: nodes. */
  readonly rawCollectives: number;
}

/** What views over the traceset need of one rank; typed arrays and short texts, so that it can be moved out of a worker. */
export interface ViewSurvey {
  readonly rank: number;
  /** For groups and collectives. */
  readonly collective?: CollectiveViewSurvey;
  /** For pairs. */
  readonly transfer?: TransferViewSurvey;
}

/**
 * @param declarations groups that the trace declares
 * @param known the survey of its transfers where there is one already
 */
export function surveyForViews(
  trace: RankTrace,
  views: TracesetViews,
  declarations: readonly GroupDeclaration[],
  known?: TransferSurvey,
): ViewSurvey {
  const { rank } = trace;
  return {
    rank,
    ...(views.groups || views.collectives ? { collective: collectiveSurvey(trace, declarations) } : {}),
    ...(views.pairs ? { transfer: transferSurvey(trace, known ?? surveyTransfers(transferColumns(trace))) } : {}),
  };
}

function collectiveSurvey(trace: RankTrace, declarations: readonly GroupDeclaration[]): CollectiveViewSurvey {
  const collectives = surveyCollectives(trace);
  return {
    rank: trace.rank,
    declarations,
    use: groupUse(trace),
    collectives,
    durationMicros: Float64Array.from(collectives.node, (node) => trace.durationMicros[node]),
  };
}

function transferSurvey(trace: RankTrace, transfers: TransferSurvey): TransferViewSurvey {
  const { length, type, peer, commSize } = trace;
  const without = { sends: 0, receives: 0, size: 0 };
  let rawCollectives = 0;
  for (let node = 0; node < length; node++) {
    if (type[node] === NodeType.collective) rawCollectives++;
    if (!isTransfer(type[node])) continue;
    if (Number.isNaN(commSize[node])) without.size++;
    if (peer[node] >= 0) continue;
    if (type[node] === NodeType.send) without.sends++;
    else without.receives++;
  }
  return {
    transfers,
    sendsWithoutPartner: without.sends,
    receivesWithoutPartner: without.receives,
    withoutSize: without.size,
    rawCollectives,
  };
}
