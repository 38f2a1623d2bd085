import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { NO_STOPWATCH, type Stopwatch } from '../base/stopwatch.js';
import type { SystemOutcome } from '../astra-sim/outcome.js';
import { simulateSystem } from '../astra-sim/simulate-system.js';
import type { SystemRun } from '../astra-sim/system-run.js';
import type { RemoteMemoryConfiguration, SystemConfiguration } from '../astra-sim/system-configuration.js';
import { readMemoryFile } from '../config/astra-sim/memory-file.js';
import { readSystemFile } from '../config/astra-sim/system-file.js';
import type { SystemRunOptions } from '../config/system-options.js';
import { groupsDeclaredIn } from '../formats/process-group-init.js';
import { systemResultDocument, type SystemResultDocument } from '../records/system-result-document.js';
import { foldAssumptions } from '../trace/assumption-findings.js';
import type { GroupDeclaration } from '../trace/group-declarations.js';
import { groupUse, type GroupUse } from '../trace/group-use.js';
import { analyticalNetwork, rankEachNpu } from './analytical-network.js';
import { assumed } from './assume.js';
import { CustomTraces } from './custom-traces.js';
import { demandNoErrors, type WarningRule } from './demand-no-errors.js';
import { demandAllRanks, openTraceset, type OpenTraceset, type Reading } from './open-traceset.js';
import { withRank } from './read-rank.js';
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
export type SystemSimulator = (run: SystemRun) => SystemOutcome;

/**
 * Runs a traceset on ASTRA-sim's system layer, as its analytical simulators would: traces as they are, groups by its rules.
 * @param simulator another one than {@link simulateSystem}, for who wants to see what it is given
 * @throws PrepError when the input cannot be read, the request is wrong, the traces have errors, or the engine refuses them
 */
export async function simulateSystemTraceset(
  request: SystemSimulationRequest,
  simulator: SystemSimulator = simulateSystem,
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
    ...policyCounts(system.configuration),
  ];
  const found = rankEachNpu(network, request.network, await openTraceset({ ...request, findings: before }));
  const opened = await assumed(found, request);
  demandAllRanks(opened);
  const { groups, findings } = surveyed(opened, request, stopwatch);
  demandNoErrors(findings, request, NOT_REPLAYED);
  const custom = new CustomTraces(request, NOT_REPLAYED);
  const job = new TracesetJob(opened.files);
  const span = stopwatch.begin('simulate', 'run');
  try {
    const outcome = simulator({
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

/** Collectives of a rank run at the same time under `--system-extensions`, whatever else the file asks for. */
function policyCounts({ file, schedulingPolicy, extensions }: SystemConfiguration): Finding[] {
  if (extensions === undefined) return [];
  const told = `${file}: scheduling-policy: ${schedulingPolicy} counts`;
  const message = `${told}, collectives of a rank run at the same time here and one after another in ASTRA-sim`;
  return [finding('SYSTEM_EXTENSION', message, { file })];
}

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
