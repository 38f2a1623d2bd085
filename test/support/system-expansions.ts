import { SystemChoice, type ExpansionSetting } from '../../src/astra-sim/expansion/system-choice.js';
import type { SystemConfiguration } from '../../src/astra-sim/system-configuration.js';
import { Share, type Algorithm } from '../../src/collectives/algorithm.js';
import type { Balance } from '../../src/passes/balance.js';
import type { PreparationOptions } from '../../src/passes/preparation-plan.js';
import { pairCollectives } from '../../src/collectives/build-plan.js';
import { surveyCollectives, withInvolvedDimensions } from '../../src/collectives/survey.js';
import type { AnalyticalSpec } from '../../src/network/network-spec.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { groupsOf, prepareAll } from './preparation.js';
import { networkOf, systemOf } from './system-runs.js';

/** A system without delays of its own, whose collectives all have this list. */
export function systemWith(list: readonly string[], more: Partial<SystemConfiguration> = {}): SystemConfiguration {
  return systemOf(list.join(' '), { endpointDelayNs: 0, localMemoryGBps: 0, ...more });
}

/** A network of full meshes with these numbers of ranks. */
export function meshes(...npus: number[]): AnalyticalSpec {
  return networkOf(...npus.map((count) => `FullyConnected ${count}`));
}

export interface SystemExpansion {
  readonly network: AnalyticalSpec;
  readonly system: SystemConfiguration;
  readonly queuesPerDimension?: number;
  readonly groups?: Record<string, number[]>;
  readonly withCustomTrace?: ExpansionSetting['withCustomTrace'];
}

export function choiceOf(rankCount: number, how: SystemExpansion): SystemChoice {
  const { network, system, queuesPerDimension = 1, groups = {} } = how;
  const withCustomTrace =
    how.withCustomTrace ??
    ((): never => {
      throw new Error('no custom traces');
    });
  return new SystemChoice({
    rankCount,
    network,
    system,
    queuesPerDimension,
    deps: 'both',
    groups: groupsOf(groups),
    withCustomTrace,
  });
}

/** Expands a traceset by the algorithms of a system. */
export function expandWith(
  traces: readonly RankTrace[],
  how: SystemExpansion,
  more: Partial<PreparationOptions> = {},
): { traces: RankTrace[]; balance: Balance } {
  const { groups = {} } = how;
  return prepareAll(traces, { expand: true, groups: groupsOf(groups), choice: choiceOf(traces.length, how), ...more });
}

/** The algorithms of the collectives of a traceset, by place. */
export function algorithmsOf(traces: readonly RankTrace[], how: SystemExpansion): Algorithm[] {
  const surveys = traces.map((trace) => withInvolvedDimensions(surveyCollectives(trace), trace));
  const plan = pairCollectives(surveys, groupsOf(how.groups ?? {}), {}, traces.length, choiceOf(traces.length, how));
  return plan.instances.map(({ algorithm }) => algorithm);
}

/**
 * What a position does, a line a transfer: `0: send 3, 100 B, index 2, after 1 4` with the place in the share, the
 * position at the other end, and the places that it waits for.
 */
export function shareLines(algorithm: Algorithm, position: number): string[] {
  const share = new Share();
  algorithm.share(position, { groupSize: 0, bytes: 0, root: 0 }, share);
  return Array.from({ length: share.length }, (_, place) => {
    const before = [...share.dependency.subarray(share.dependencyStart[place], share.dependencyStart[place + 1])];
    return (
      `${place}: ${share.send[place] === 1 ? 'send' : 'receive'} ${share.peer[place]}, ${share.bytes[place]} B, ` +
      `index ${share.index[place]}${before.length === 0 ? '' : `, after ${before.join(' ')}`}`
    );
  });
}
