import type { Finding } from '../base/finding.js';
import { OutputFiles } from '../base/output-files.js';
import { NO_STOPWATCH } from '../base/stopwatch.js';
import { readMappingFile } from '../config/mapping-file.js';
import { packetTotals, type PacketTotals } from '../network/packet/counts/packet-totals.js';
import type { RunFacts, WallClock } from '../records/run-facts.js';
import type { NodeGathering } from '../replay/gather-nodes.js';
import { NodeKind } from '../replay/node-table.js';
import type { ReplayOutcome } from '../replay/outcome.js';
import type { Placement } from '../replay/placement.js';
import { replayGathered } from '../replay/replay.js';
import { resultDocument, type ResultDocument } from '../replay/result-document.js';
import { assumed } from './assume.js';
import { demandNoErrors } from './demand-no-errors.js';
import { logicalRanks } from './logical-ranks.js';
import { readNetwork } from './named-network.js';
import { demandAllRanks, openTraceset, type OpenTraceset } from './open-traceset.js';
import { readyToReplay } from './ready-to-replay.js';
import { simulatedNetwork } from './simulated-network.js';
import { gatheringOptions, NOT_REPLAYED, type SimulationRequest } from './simulation-request.js';
import { watchedTransfers } from './watched-transfers.js';
import { writeRecords } from './write-records.js';
import { TimelineFile } from './timeline-file.js';

export interface Simulation {
  readonly outcome: ReplayOutcome;
  /** Where every rank runs. */
  readonly placement: Placement;
  readonly document: ResultDocument;
  /** Of a packet network. */
  readonly packets?: PacketTotals;
  readonly findings: readonly Finding[];
  /** Who waits for whom, where the run did not finish. */
  readonly stallLines: readonly string[];
}

/**
 * Replays a traceset, raw or prepared. Raw collectives are replayed without expanding them where the network allows it and
 * nothing is asked about single transfers.
 * @throws PrepError when the input cannot be read, the request is wrong, or the traces have errors
 */
export async function simulateTraceset(request: SimulationRequest): Promise<Simulation> {
  const setting = settingOf(request);
  const before = [...(request.findings ?? []), ...(setting.mapped?.findings ?? [])];
  const opened = await assumed(await openTraceset({ ...request, findings: before }), request);
  return simulate(request, opened, setting);
}

/**
 * The same of a traceset that is open.
 * @throws PrepError as {@link simulateTraceset}
 */
export function simulateOpened(request: SimulationRequest, opened: OpenTraceset): Simulation {
  const setting = settingOf(request);
  const findings = [...opened.findings, ...(setting.mapped?.findings ?? [])];
  return simulate(request, { ...opened, findings }, setting);
}

/** What files beside the traces say; they are read first. */
function settingOf({ network, mapping, useMapping }: SimulationRequest): {
  named: ReturnType<typeof readNetwork>;
  mapped: ReturnType<typeof readMappingFile> | undefined;
} {
  const named = readNetwork(network);
  return { named, mapped: mapping !== undefined && useMapping ? readMappingFile(mapping) : undefined };
}

function simulate(
  request: SimulationRequest,
  opened: OpenTraceset,
  { named, mapped }: ReturnType<typeof settingOf>,
): Simulation {
  const stopwatch = request.stopwatch ?? NO_STOPWATCH;
  demandAllRanks(opened);
  const logical = request.logical === undefined ? [] : logicalRanks(request.logical, opened.files.length);
  demandNoErrors(logical, request, NOT_REPLAYED);
  const simulated = simulatedNetwork(named, opened.files.length, request, mapped?.mapping);
  const { factory, placement, scaleUp, packets, hasContention } = simulated;
  const records = request.recordsFolder === undefined ? undefined : new OutputFiles(request.recordsFolder);
  const timeline = request.timeline === undefined ? undefined : new TimelineFile(request.timeline, opened.files.length);
  const keepTransfers = records !== undefined || timeline !== undefined || request.keepTransfers === true;
  const expandAll = keepTransfers || hasContention;
  const ready = readyToReplay(request, opened, expandAll);
  const { job, gathered, plan, sync } = ready;
  const { onTransfers } = request;
  const findings = [...logical, ...simulated.findings, ...ready.findings];
  const wallClock = request.wallClock ? realTime() : undefined;
  try {
    records?.prepare(); // before the replay, which may take long
    timeline?.prepare();
    const outcome = replayGathered(job, gathered, {
      ...gatheringOptions(request),
      network: onTransfers === undefined ? factory : watchedTransfers(factory, sendsOf(gathered), onTransfers),
      sync,
      useMaxAsStart: request.useMaxStart,
      startPs: request.startPs,
      stopPs: request.stopPs,
      beaconIntervalPs: request.beaconIntervalPs,
      recordTransfers: keepTransfers,
      beforeRun: (found) => demandNoErrors([...findings, ...found], request, NOT_REPLAYED),
      stopwatch,
      ...(plan === undefined ? {} : { plan }),
    });
    const drawn = timeline?.write(outcome, job) ?? [];
    const all = [...findings, ...outcome.findings, ...drawn];
    if (records) {
      const { prefix } = opened;
      const { recordsFormat: format, profilingIntervalPs, beaconIntervalPs } = request;
      const facts: RunFacts = {
        prefix,
        placement,
        linkBytesPerNs: outcome.linkBytesPerNs,
        beaconIntervalPs,
        wallClock,
        ...(scaleUp === undefined ? {} : { scaleUp }),
        ...(packets?.stats === undefined ? {} : { packet: { ...packets.spec, stats: packets.stats } }),
      };
      const profiling = profilingIntervalPs === undefined ? {} : { profilingIntervalPs };
      writeRecords(records, { run: prefix, format, outcome, facts, job, stopwatch, ...profiling });
      records.commit();
    }
    timeline?.commit();
    const network = packets?.network();
    const totals = network && packetTotals(network);
    return {
      outcome,
      placement,
      document: resultDocument(outcome, all, totals),
      ...(totals === undefined ? {} : { packets: totals }),
      findings: all,
      stallLines: outcome.stall?.lines ?? [],
    };
  } catch (error) {
    records?.discard();
    timeline?.discard();
    throw error;
  } finally {
    job.close();
  }
}

function sendsOf({ nodes }: NodeGathering): number {
  let sends = 0;
  for (let node = 0; node < nodes.length; node++) if (nodes.kind(node) === NodeKind.send) sends++;
  return sends;
}

function realTime(): WallClock {
  return { startedMs: Date.now(), nowMs: () => Date.now() };
}
