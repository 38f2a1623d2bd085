import { finding } from '../base/catalogue.js';
import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import {
  demandNoContradiction,
  demandNoneOfSystem,
  isTrue,
  OWN_ALGORITHMS,
  queuesOf,
  settingText,
  type Flags,
} from './system-settings.js';

/** An expansion by the algorithms of ASTRA-sim's system layer. */
export interface ExpansionSystemOptions {
  /** Path of the system file. */
  readonly systemFile: string;
  /** Path of an analytical network file. */
  readonly network: string;
  /** Default 1. */
  readonly queuesPerDimension: number;
  /** Whether settings of the system file that ASTRA-sim no longer has count. Default `false`. */
  readonly extensions: boolean;
}

/** Settings of the system layer that transfers have no place for. */
const NOT_IN_TRANSFERS: readonly (readonly [flag: string, isMeant: (value: unknown) => boolean, why: string])[] = [
  ['injection-scale', (value) => Number(value) !== 1, 'transfers have no endpoint delay'],
  ['rendezvous', isTrue, 'transfers are not asked for'],
];

export interface DerivedExpansionOptions {
  /** Absent where no `--system` is given. */
  readonly system?: ExpansionSystemOptions;
  /** Settings that count for nothing. */
  readonly findings: readonly Finding[];
}

/**
 * What a command that expands collectives is told of ASTRA-sim's system layer.
 * @param command for messages
 * @throws PrepError `SYSTEM_CONTRADICTED` where an algorithm is named as well, `NETWORK_MISSING`, `SYSTEM_MISSING` for a setting of the
 *   system layer without `--system`, `USAGE` for a value out of range
 */
export function expansionOptions(flags: Flags, command: string): DerivedExpansionOptions {
  const { system, network } = flags;
  if (system === undefined) {
    demandNoneOfSystem(flags, ['num-queues-per-dim', 'system-extensions']);
    if (network === undefined) return { findings: [] };
    const message = `--network ${String(network)} is not used: without --system ${command} needs no network`;
    return { findings: [finding('SETTING_UNUSED', message)] };
  }
  demandNoContradiction(flags, OWN_ALGORITHMS);
  if (network === undefined) {
    throw requestError(
      'NETWORK_MISSING',
      `${command}: --network is missing; the algorithms of --system follow from the dimensions of a network`,
      'such as --network network.yml, an analytical one with as many NPUs as there are ranks',
    );
  }
  const findings = NOT_IN_TRANSFERS.filter(([flag, isMeant]) => flags[flag] !== undefined && isMeant(flags[flag])).map(
    ([flag, , why]) => finding('SETTING_UNUSED', `${settingText(flag, flags[flag])} is not used by ${command}: ${why}`),
  );
  return {
    system: {
      systemFile: String(system),
      network: String(network),
      queuesPerDimension: queuesOf(flags),
      extensions: isTrue(flags['system-extensions']),
    },
    findings,
  };
}
