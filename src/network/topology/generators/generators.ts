import { requestError, type PrepError } from '../../../base/errors.js';
import { nearestName } from '../../../base/nearest-name.js';
import { ValueFault, delayOf, rateOf } from '../link-values.js';
import type { Topology } from '../topology.js';
import { dragonfly } from './dragonfly.js';
import { fatTree } from './fat-tree.js';
import { tooLarge, type Generator, type LinkRates, type Values } from './generator.js';
import { leafSpine } from './leaf-spine.js';
import { railOptimised } from './rail-optimised.js';
import { singleSwitch } from './single-switch.js';

/** Every kind of topology that can be generated, in the order of the documentation (TOPO-5). */
export const GENERATORS: readonly Generator[] = [singleSwitch, leafSpine, fatTree, railOptimised, dragonfly];

const RATE_PARAMETERS = ['gbps', 'delayNs'] as const;
/** Of links between switches; those of hosts where they are left out. */
const UP_PARAMETERS = ['upGbps', 'upDelayNs'] as const;

/** @throws PrepError `TOPOLOGY_GENERATOR` for a type that does not exist */
export function generatorOf(type: string, place?: string): Generator {
  const found = GENERATORS.find((generator) => generator.type === type);
  if (found !== undefined) return found;
  throw refused(
    place,
    `unknown type of topology: ${type}, expected one of ${GENERATORS.map((one) => one.type).join(', ')}`,
  );
}

/** Names of all that a generator takes. */
export function parameterNames({ parameters, hasSecondTier }: Generator): string[] {
  return [...parameters.map(({ name }) => name), ...RATE_PARAMETERS, ...(hasSecondTier ? UP_PARAMETERS : [])];
}

/**
 * A topology of a generator (TOPO-5): host ids first, then switches tier by tier.
 *
 * @param given its parameters with `gbps` and `delayNs`, and `upGbps` and `upDelayNs` for links between switches
 * @param place for messages, where a file has the parameters
 * @throws PrepError `TOPOLOGY_GENERATOR`
 */
export function generatedTopology(type: string, given: Values, place?: string): Topology {
  const generator = generatorOf(type, place);
  const wrong = (message: string): PrepError => refused(place, `${type}: ${message}`);
  const known = parameterNames(generator);
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    throw wrong(
      `unknown parameter ${name} (${nearest === undefined ? `known: ${known.join(', ')}` : `did you mean ${nearest}?`})`,
    );
  }
  const values: Record<string, number> = {};
  for (const { name, describe, least, otherwise } of generator.parameters) {
    const value = given[name] ?? otherwise;
    if (value === undefined) throw wrong(`${name} missing, expected the ${describe}`);
    if (!Number.isSafeInteger(value) || value < least) {
      throw wrong(`${name} ${value}: expected a whole number, at least ${least}`);
    }
    values[name] = value;
  }
  const contradiction = generator.contradiction?.(values) ?? tooLarge(generator.counts(values));
  if (contradiction !== undefined) throw wrong(contradiction);
  return generator.build(values, ratesOf(given, wrong));
}

function ratesOf(given: Values, wrong: (message: string) => PrepError): LinkRates {
  const read = (name: string, reader: (text: string) => number): number => {
    if (given[name] === undefined) throw wrong(`${name} missing`);
    try {
      return reader(String(given[name]));
    } catch (error) {
      if (error instanceof ValueFault) throw wrong(`${name}: ${error.message}`);
      throw error;
    }
  };
  const nanoseconds = (text: string): number => delayOf(text, 'ns');
  const gbps = read('gbps', rateOf);
  const delayPs = read('delayNs', nanoseconds);
  return {
    gbps,
    delayPs,
    upGbps: given.upGbps === undefined ? gbps : read('upGbps', rateOf),
    upDelayPs: given.upDelayNs === undefined ? delayPs : read('upDelayNs', nanoseconds),
  };
}

function refused(place: string | undefined, message: string): PrepError {
  return requestError('TOPOLOGY_GENERATOR', place === undefined ? message : `${place}: ${message}`);
}
