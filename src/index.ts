export * from './base/errors.js';
export * from './base/finding.js';
export * from './base/catalogue.js';
export { STOP_CODES, type StopCode, type StopEntry } from './base/stop-codes.js';
export { explanationLines, explanationMarkdown, explanationOf, type Explanation } from './base/explanation.js';
export { chooseFindings, type ChosenFindings, type FindingChoice } from './base/chosen-findings.js';
export * from './base/byte-source.js';
export * from './trace/collective-type.js';
export * from './trace/node-type.js';
export * from './trace/process-group.js';
export * from './trace/rank-trace.js';
export * from './trace/rank-trace-builder.js';
export { CONVENTIONS, type Convention, type ConventionName } from './trace/conventions.js';
export { assumptionsOf, type Assumptions } from './trace/assumptions.js';
export { applyAssumptions, type AssumedTrace } from './trace/apply-assumptions.js';
export type { ConventionInUse, Observation } from './passes/validate/conventions-in-use.js';
export type { TraceWindows } from './trace/trace-windows.js';
export { openTraceSource, sourceFromBytes } from './formats/open-source.js';
export { readTrace, type ReadTrace } from './formats/read-trace.js';
export { readWindows } from './formats/read-windows.js';
export { detectFormat, FORMATS, type Detected, type Format } from './formats/detect.js';
export { discoverTraceset, type TracesetFiles } from './formats/discover.js';
export { encodeChakraEt, writeChakraEt } from './formats/et/encode.js';
export { jsonLinesToEt, writeJsonLines } from './formats/chakra-jsonl.js';
export { feederJsonToEt } from './formats/feeder-json.js';
export { openFeeder } from './feeder/open-feeder.js';
export type { FeederOptions } from './feeder/feeder-options.js';
export type { NodeFeeder } from './feeder/node-feeder.js';
export type { FeederNode } from './feeder/feeder-node.js';
export { NodeQueue } from './feeder/node-queue.js';
export * from './collectives/algorithm.js';
export type { AlgorithmChoice, ChosenAlgorithms, PlannedCollectives } from './collectives/algorithm-choice.js';
export * from './collectives/plan.js';
export { ALGORITHMS, algorithmOf, chooseAlgorithms, type AlgorithmChoices } from './collectives/catalogue.js';
export { planCollectives } from './collectives/build-plan.js';
export { surveyCollectives, type CollectiveSurvey } from './collectives/survey.js';
export {
  planPreparation,
  surveyRank,
  type PreparationOptions,
  type PreparationPlan,
  type RankSurvey,
} from './passes/preparation-plan.js';
export { prepareRank } from './passes/prepare.js';
export { balanceLines, type Balance } from './passes/balance.js';
export { ASTRA_CHANGES, type AstraChange, type AstraChanges } from './passes/for-astra-sim/changes.js';
export { mendForAstraSim, type MendedRank } from './passes/for-astra-sim/mend-rank.js';
export { planForAstraSim, surveyForAstraSim, type AstraPlan, type AstraSurvey } from './passes/for-astra-sim/plan.js';
export type { Network, ContentionFree, HeldUp, NetworkFactory, TransferListener } from './network/network.js';
export { analyticalAware } from './network/analytical-aware.js';
export { serverIdsOf, type AnalyticalPlacement } from './network/analytical-placement.js';
export { analyticalUnaware } from './network/analytical-unaware.js';
export { packetNetwork, type PacketNetwork, type PacketNetworkOptions } from './network/packet/packet-network.js';
export {
  packetSettings,
  type CompletedSettings,
  type PacketChoice,
} from './network/packet/settings/default-settings.js';
export type { NicKind, PacketNetworkSpec, PacketSettings } from './network/packet/settings/packet-settings.js';
export { packetTotals, type PacketTotals } from './network/packet/counts/packet-totals.js';
export type { StatedSettings } from './network/packet/settings/stated-settings.js';
export { scaleUpRouted } from './network/scale-up/scale-up-routed.js';
export type { ScaleUpGroup, ScaleUpSpec } from './network/scale-up/scale-up-spec.js';
export { ScaleUpStats, type IntervalCounts } from './network/scale-up/scale-up-stats.js';
export { parseAnalyticalNetwork, parseNetwork } from './network/parse-network.js';
export {
  hostsOf,
  type NodeKind,
  type Topology,
  type TopologyLink,
  type TopologyNode,
} from './network/topology/topology.js';
export { readTopology, type PhysicalForm, type ReadTopology } from './network/topology/read-topology.js';
export { isAnalyticalNetwork, TOPOLOGY_FORMS, type TopologyForm } from './network/topology/topology-form.js';
export { checkLogicalSize, readLogicalTopology, type LogicalTopology } from './network/topology/logical-topology.js';
export { checkTopology, type TopologyCheck, type TopologyFacts } from './network/topology/check/check-topology.js';
export { generatedTopology, GENERATORS } from './network/topology/generators/generators.js';
export { WRITTEN_FORMS, writtenTopology, type WrittenForm } from './network/topology/write/forms.js';
export { serverGroupsMapping, type ServerGroups } from './config/server-groups.js';
export {
  applicationName,
  placeRanks,
  scaleUpSpecOf,
  type Mapping,
  type Placement,
  type Server,
} from './replay/placement.js';
export { replay } from './replay/replay.js';
export { jobOf, type Job } from './replay/job.js';
export type { ReplayOptions, TraceFamily } from './replay/replay-options.js';
export type { ReplayOutcome } from './replay/outcome.js';
export { NO_STOPWATCH, Stopwatch, type Span, type StopwatchReading } from './base/stopwatch.js';
export {
  timingReport,
  type MeasuredExecutor,
  type MeasuredTest,
  type MeasuredTransfer,
  type TimingReport,
} from './records/timing/timing-report.js';
export { timingOfRun } from './records/timing/timing-of-run.js';
export { timingOfSpans } from './records/timing/timing-of-spans.js';
export { timingLines, type TimingLinesOptions } from './records/timing/timing-lines.js';
export { timingDocument, type TimingDocument } from './records/timing/timing-document.js';
export { RECORD_FORMATS, RECORDS, recordFileName, writeRecord, type RecordFormat } from './records/records.js';
export type { Cell, Column, Table } from './records/record.js';
export type { RunFacts, WallClock } from './records/run-facts.js';
export { sarifDocument, stoppedSarifDocument, type SarifRequest } from './records/findings/sarif-document.js';
export type { SarifLog } from './records/findings/sarif-log.js';
export { resultDocument, type PacketsResult, type ResultDocument } from './replay/result-document.js';
export { prepareTraceset, type PreparationReport } from './pipeline/prepare-traceset.js';
export {
  WRITING_TARGETS,
  type Output,
  type PreparationRequest,
  type Steps,
  type WritingTarget,
} from './pipeline/preparation-request.js';
export { validateTraceset, type Validation, type ValidationRequest } from './pipeline/validate-traceset.js';
export { TARGETS, type Target } from './passes/validate/target.js';
export type { Reading } from './pipeline/open-traceset.js';
export {
  repairTraceset,
  type RepairBalance,
  type RepairReport,
  type RepairRequest,
} from './pipeline/repair-traceset.js';
export { repairRank, type RepairedRank } from './passes/repair/repair.js';
export { REPAIRS, type Change, type Repair } from './passes/repair/change.js';
export { inspectFiles, type Inspection, type InspectionRequest, type NodesView } from './pipeline/inspect-files.js';
export type { InspectionViews } from './pipeline/inspect-file.js';
export type { AttributeDetails, DependencyDetails, NodeDetails } from './pipeline/selected-nodes.js';
export type { CollectivesView, CollectiveSum, CollectiveView } from './passes/views/collectives.js';
export type { Departure } from './passes/views/departures.js';
export type { GroupsView, GroupView, TypeSum } from './passes/views/groups.js';
export type { IdRange, NodeFilter } from './passes/views/nodes.js';
export type { PairsView, RankPair, RankSum } from './passes/views/pairs.js';
export type { StatedCollective } from './passes/views/stated.js';
export { simulateTraceset, type Simulation } from './pipeline/simulate-traceset.js';
export {
  simulateSystemTraceset,
  type SystemSimulation,
  type SystemSimulationRequest,
} from './pipeline/simulate-system-traceset.js';
export { simulateSystem } from './astra-sim/simulate-system.js';
export type { SystemRun, SystemOptions } from './astra-sim/system-run.js';
export type { RemoteMemoryConfiguration, SystemConfiguration } from './astra-sim/system-configuration.js';
export type {
  RankStatistics,
  RooflineStatistics,
  SystemCollectiveOutcome,
  SystemOutcome,
  SystemRankOutcome,
  SystemStall,
} from './astra-sim/outcome.js';
export { systemResultDocument, type SystemResultDocument } from './records/system-result-document.js';
export { astraSimReport } from './records/astra-sim-report.js';
export { systemOptions, type DerivedSystemOptions, type SystemRunOptions } from './config/system-options.js';
export {
  expansionOptions,
  type DerivedExpansionOptions,
  type ExpansionSystemOptions,
} from './config/expansion-options.js';
export type { SimulationRequest } from './pipeline/simulation-request.js';
export { readRunConfig, type RunConfig } from './config/run-config.js';
export { DEFAULT_RUN_OPTIONS, runOptions, type DerivedOptions, type RunOptions } from './config/run-options.js';
export { readMappingFile, type MappingFile } from './config/mapping-file.js';
export {
  parseSystemFile,
  readSystemFile,
  type SystemFile,
  type SystemFileReading,
} from './config/astra-sim/system-file.js';
export { parseMemoryFile, readMemoryFile, type MemoryFile } from './config/astra-sim/memory-file.js';
export { linkTraceset, type LinkReport, type LinkRequest } from './pipeline/link-traceset.js';
