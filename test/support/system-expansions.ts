import { SystemChoice, type ExpansionSetting } from '../../src/astra-sim/expansion/system-choice.js';
import type { Implementation, SystemConfiguration } from '../../src/astra-sim/system-configuration.js';
import { Share } from '../../src/collectives/algorithm.js';
import type { Algorithm } from '../../src/collectives/algorithm.js';
import type { Balance } from '../../src/passes/balance.js';
import type { PreparationOptions } from '../../src/passes/preparation-plan.js';
import { pairCollectives } from '../../src/collectives/build-plan.js';
import { surveyCollectives, withInvolvedDimensions } from '../../src/collectives/survey.js';
import { parseAnalyticalNetwork } from '../../src/network/parse-network.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { groupsOf, prepareAll } from './preparation.js';

/** `ring`, `direct4`, `oneDirect`, `halvingDoubling` as in a system file. */
export function implementation(name: string): Implementation {
  const whole = name.startsWith('one');
  const [, algorithm, window] = /^([A-Za-z]+)(\d*)$/.exec(whole ? name[3].toLowerCase() + name.slice(4) : name)!;
  return {
    algorithm: algorithm as Implementation['algorithm'],
    whole,
    ...(window !== '' && { window: Number(window) }),
  };
}

/** A system without delays of its own, whose collectives all have this list. */
export function systemWith(list: readonly string[], more: Partial<SystemConfiguration> = {}): SystemConfiguration {
  const implementations = list.map(implementation);
  return {
    file: 'system.json',
    schedulingPolicy: 'LIFO',
    collectiveOptimization: 'localBWAware',
    datasetSplits: 1,
    activeChunksPerDimension: 1,
    endpointDelayNs: 0,
    localMemoryGBps: 0,
    implementations: {
      allReduce: implementations,
      allGather: implementations,
      reduceScatter: implementations,
      allToAll: implementations,
    },
    customImplementations: {},
    customByNode: new Map(),
    roofline: false,
    peakTflops: 0,
    replayOnly: false,
    ...more,
  };
}

/** A network of full meshes with these numbers of ranks. */
export function meshes(...npus: number[]): ExpansionSetting['network'] {
  const list = (value: string): string => `[ ${npus.map(() => value).join(', ')} ]`;
  const text = `topology: ${list('FullyConnected')}\nnpus_count: [ ${npus.join(', ')} ]\nbandwidth: ${list('50.0')}\nlatency: ${list('500.0')}\n`;
  return parseAnalyticalNetwork(text, 'network.yml');
}

export interface SystemExpansion {
  readonly network: ExpansionSetting['network'];
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
