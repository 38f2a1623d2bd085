import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { SystemChoice } from '../astra-sim/expansion/system-choice.js';
import type { SystemConfiguration } from '../astra-sim/system-configuration.js';
import { readSystemFile } from '../config/astra-sim/system-file.js';
import type { ExpansionSystemOptions } from '../config/expansion-options.js';
import type { AnalyticalSpec } from '../network/network-spec.js';
import type { ProcessGroup } from '../trace/process-group.js';
import { analyticalNetwork, demandRankEachNpu } from './analytical-network.js';
import { CustomTraces } from './custom-traces.js';
import type { WarningRule } from './demand-no-errors.js';
import type { OpenTraceset, Reading } from './open-traceset.js';
import { NOTHING_WRITTEN } from './preparation-request.js';

/** The files of ASTRA-sim that an expansion takes its algorithms from. */
export class ExpansionSystem {
  /** What reading the system file found. */
  readonly findings: readonly Finding[];
  readonly #options: ExpansionSystemOptions;
  readonly #network: AnalyticalSpec;
  readonly #system: SystemConfiguration;
  readonly #rankCount: number;
  readonly #deps: Reading['deps'];
  readonly #custom: CustomTraces;

  /** @throws PrepError what reading the files throws, and `NETWORK_SIZE` */
  constructor(options: ExpansionSystemOptions, opened: OpenTraceset, request: WarningRule & Pick<Reading, 'deps'>) {
    const { systemFile, network, extensions } = options;
    this.#options = options;
    this.#network = analyticalNetwork(network);
    demandRankEachNpu(this.#network, network, opened);
    const { configuration, findings } = readSystemFile(systemFile, { injectionScale: 1, extensions });
    this.#system = configuration;
    this.findings = [...findings, ...replayOnly(configuration), ...unusedExtensions(configuration)];
    this.#rankCount = opened.files.length;
    this.#custom = new CustomTraces(request, NOTHING_WRITTEN);
    this.#deps = request.deps;
  }

  /** What reading traces of custom collectives found. */
  get customFindings(): readonly Finding[] {
    return this.#custom.findings;
  }

  choice(groups: ReadonlyMap<string, ProcessGroup>): SystemChoice {
    return new SystemChoice({
      rankCount: this.#rankCount,
      groups,
      network: this.#network,
      system: this.#system,
      queuesPerDimension: this.#options.queuesPerDimension,
      deps: this.#deps,
      withCustomTrace: (prefix, position, use) => this.#custom.withTrace(prefix, position, use),
    });
  }
}

/** What a graph has of extensions is in two settings: policies decide when there is something to choose. */
function unusedExtensions({ file, extensions }: SystemConfiguration): Finding[] {
  if (extensions === undefined) return [];
  const { interDimensionScheduling, hierarchicalRing } = extensions;
  if (interDimensionScheduling !== 'ascending' || hierarchicalRing.size > 0) return [];
  const message = `--system-extensions is not used: ${file} asks for no order of dimensions and no hierarchicalRing`;
  return [finding('SETTING_UNUSED', message, { file })];
}

function replayOnly({ file, replayOnly: isSet }: SystemConfiguration): Finding[] {
  if (!isSet) return [];
  const message = `${file}: replay-only is not used: collectives are expanded, where ASTRA-sim gives them their recorded durations`;
  return [finding('SETTING_UNUSED', message, { file, advice: 'leave replay-only out' })];
}
