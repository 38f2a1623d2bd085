import { existsSync, statSync } from 'node:fs';
import { finding } from '../base/catalogue.js';
import { counted } from '../base/counts.js';
import { inputError, requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { ranksText } from '../base/rank-runs.js';
import { NO_STOPWATCH, type Stopwatch } from '../base/stopwatch.js';
import type { SystemOutcome } from '../astra-sim/outcome.js';
import { simulateSystem } from '../astra-sim/simulate-system.js';
import type { SystemRun } from '../astra-sim/system-run.js';
import type { RemoteMemoryConfiguration, SystemConfiguration } from '../astra-sim/system-configuration.js';
import { readMemoryFile } from '../config/astra-sim/memory-file.js';
import { readSystemFile } from '../config/astra-sim/system-file.js';
import type { SystemRunOptions } from '../config/system-options.js';
import { groupsDeclaredIn } from '../formats/process-group-init.js';
import type { AnalyticalSpec } from '../network/network-spec.js';
import { isShortNetworkForm } from '../network/parse-network.js';
import { systemResultDocument, type SystemResultDocument } from '../records/system-result-document.js';
import { foldAssumptions } from '../trace/assumption-findings.js';
import type { GroupDeclaration } from '../trace/group-declarations.js';
import { groupUse, type GroupUse } from '../trace/group-use.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { assumed } from './assume.js';
import { demandNoErrors, type WarningRule } from './demand-no-errors.js';
import { demandAllRanks, openTraceset, type OpenTraceset, type Reading } from './open-traceset.js';
import { withRank } from './read-rank.js';
import { readNetwork } from './simulated-network.js';
import { NOT_REPLAYED } from './simulation-request.js';
import { systemGroups, type SystemGroups } from './system-groups.js';
import { TracesetJob } from './traceset-job.js';

/** How a traceset runs on ASTRA-sim's system layer. */
export interface SystemSimulationRequest extends Reading, SystemRunOptions, WarningRule {
  /** Path of an analytical network file. */
  readonly network: string;
  /** Last instant that may be simulated, ps; Infinity for none. */
  readonly stopPs: number;
  /** Simulate every rank, also where one could stand for all: for the order in which they finish. Default `false`. */
  readonly everyRank?: boolean;
  /** Told what takes how long. Default: nobody is. */
  readonly stopwatch?: Stopwatch;
}

export interface SystemSimulation {
  readonly outcome: SystemOutcome;
  readonly document: SystemResultDocument;
  readonly findings: readonly Finding[];
}

/** What runs a traceset: {@link simulateSystem}. */
export type SystemEngine = (run: SystemRun) => SystemOutcome;

/**
 * Runs a traceset on ASTRA-sim's system layer, as its analytical simulators would: traces as they are, groups by its rules.
 * @param engine another one than {@link simulateSystem}, for who wants to see what it is given
 * @throws PrepError when the input cannot be read, the request is wrong, the traces have errors, or the engine refuses them
 */
export async function simulateSystemTraceset(
  request: SystemSimulationRequest,
  engine: SystemEngine = simulateSystem,
): Promise<SystemSimulation> {
  const { injectionScale, extensions, queuesPerDimension, rendezvous, backend, deps } = request;
  const stopwatch = request.stopwatch ?? NO_STOPWATCH;
  const network = analyticalNetwork(request.network);
  const system = readSystemFile(request.systemFile, { injectionScale, extensions });
  const memory =
    request.memoryFile === undefined ? { configuration: NO_MEMORY, findings: [] } : readMemoryFile(request.memoryFile);
  const before = [
    ...(request.findings ?? []),
    ...system.findings,
    ...memory.findings,
    ...untracked(system.configuration),
  ];
  const found = rankEachNpu(network, request.network, await openTraceset({ ...request, findings: before }));
  const opened = await assumed(found, request);
  demandAllRanks(opened);
  const { groups, findings } = surveyed(opened, request, stopwatch);
  demandNoErrors(findings, request, NOT_REPLAYED);
  const custom = new CustomTraces(request);
  const job = new TracesetJob(opened.files);
  const span = stopwatch.begin('simulate', 'run');
  try {
    const outcome = engine({
      rankCount: opened.files.length,
      withTrace: (rank, use) => job.withTrace(rank, use),
      withCustomTrace: (prefix, position, use) => custom.withTrace(prefix, position, use),
      groups,
      network,
      backend,
      system: system.configuration,
      memory: memory.configuration,
      options: {
        queuesPerDimension,
        rendezvous,
        deps,
        everyRank: request.everyRank ?? false,
        stopNs: wholeNs(request.stopPs),
      },
    });
    const all = [...findings, ...custom.findings, ...outcome.findings];
    return { outcome, document: systemResultDocument(outcome, all), findings: all };
  } finally {
    stopwatch.end(span);
    job.close();
  }
}

/** Without `--memory`: no access is possible, and who tries is told so. */
const NO_MEMORY: RemoteMemoryConfiguration = {
  file: 'no --memory file',
  kind: 'NO_MEMORY_EXPANSION',
  latencyNs: 0,
  bytesPerNs: 0,
  ranksPerNode: 1,
};

/** The one setting of a system file that a run takes no notice of. */
function untracked({ file, localMemoryTrace }: SystemConfiguration): Finding[] {
  if (localMemoryTrace === undefined) return [];
  const message = `${file}: track-local-mem is not used: no trace of the memory in use is written`;
  return [finding('SETTING_UNUSED', message, { file, advice: 'leave track-local-mem out' })];
}

/** The last whole ns that a stop of ps leaves within the run. */
function wholeNs(stopPs: number): number {
  // Doubles of ns below 2^53 ps are less than 2 ps apart, so that no quotient is rounded up to the next whole ns.
  return Math.floor(stopPs / 1000);
}

/** @throws PrepError `SYSTEM_CONTRADICTED` for a network that is no analytical one, and what {@link readNetwork} throws */
function analyticalNetwork(text: string): AnalyticalSpec {
  const isForm = isShortNetworkForm(text) && !existsSync(text);
  const spec = isForm ? undefined : readNetwork(text);
  if (spec?.kind === 'analytical') return spec;
  throw requestError(
    'SYSTEM_CONTRADICTED',
    `--network ${text} does not go with --system: expected an analytical network file`,
    'name a .yml file with topology, npus_count, bandwidth and latency',
  );
}

/**
 * The traceset with a rank for every NPU: the program reads the files of ranks below the number of NPUs, and no others.
 * @throws PrepError `NETWORK_SIZE` where there are fewer
 */
function rankEachNpu({ dimensions }: AnalyticalSpec, network: string, opened: OpenTraceset): OpenTraceset {
  const { files } = opened;
  const counts = dimensions.map(({ npus }) => npus);
  const npus = counts.reduce((product, count) => product * count, 1);
  const within = files.filter(({ rank }) => rank < npus);
  const beyond = files.filter(({ rank }) => rank >= npus).map(({ rank }) => rank);
  const product = counts.length === 1 ? '' : ` = ${counts.join(' × ')}`;
  // What is missing or doubled beyond does not matter.
  const findings = opened.findings.filter(({ rank = 0, severity }) => rank < npus || severity !== 'error');
  const isWhole = !findings.some(({ severity }) => severity === 'error');
  if (within.length < npus && isWhole) {
    throw requestError(
      'NETWORK_SIZE',
      `${network}: npus_count is ${npus}${product}, the traceset has ${counted(files.length, 'rank')}; expected a rank for every NPU`,
    );
  }
  if (beyond.length === 0) return opened;
  const message = `${network}: ${npus} NPUs for ${files.length} trace files: ${ranksText(beyond)} ${beyond.length === 1 ? 'is' : 'are'} left out`;
  const leftOut = finding('SYSTEM_TRACES_LEFT_OUT', message, { count: beyond.length });
  return { ...opened, files: within, findings: [...findings, leftOut] };
}

/** Reads every rank once for its groups and for what there is to say of it. */
function surveyed(opened: OpenTraceset, { onProgress }: Reading, stopwatch: Stopwatch): SystemGroups {
  const findings: Finding[] = [...opened.findings];
  const declarations: GroupDeclaration[] = [];
  const uses: GroupUse[] = [];
  for (const file of opened.files) {
    const span = stopwatch.begin('load', `rank ${file.rank}`, file.path);
    withRank(file, ({ trace, findings: found }) => {
      const declared = groupsDeclaredIn(trace);
      findings.push(...found, ...declared.findings);
      declarations.push(...declared.declarations);
      uses.push(groupUse(trace));
    });
    stopwatch.end(span, file.size);
    onProgress?.(uses.length, opened.files.length);
  }
  const resolved = systemGroups(opened, declarations, uses);
  return {
    groups: resolved.groups,
    findings: foldAssumptions([...findings, ...resolved.findings], opened.assumptions),
  };
}

/** Traces that describe the algorithm of a custom collective. */
class CustomTraces {
  /** What reading them found, each file once. */
  readonly findings: Finding[] = [];
  readonly #read = new Set<string>();

  constructor(readonly rule: WarningRule) {}

  /** @throws PrepError `FILE_UNREADABLE`; `TRACES_REFUSED` and `WARNING_ABORTS` for what is found in the file */
  withTrace<T>(prefix: string, position: number, use: (trace: RankTrace) => T): T {
    const path = `${prefix}.${position}.et`;
    if (!existsSync(path)) {
      throw inputError(
        'FILE_UNREADABLE',
        `${path}: no such file; the custom collective ${prefix} needs it for position ${position}`,
        'give it a trace for every position of the group, from 0',
      );
    }
    return withRank({ rank: position, path, size: statSync(path).size }, ({ trace, findings }) => {
      if (!this.#read.has(path)) {
        this.#read.add(path);
        demandNoErrors(findings, this.rule, NOT_REPLAYED);
        this.findings.push(...findings);
      }
      return use(trace);
    });
  }
}
