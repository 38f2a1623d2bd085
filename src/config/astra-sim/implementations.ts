import { ownValue } from '../../base/named-values.js';
import { nearestName } from '../../base/nearest-name.js';
import {
  implementationKey,
  SYSTEM_COLLECTIVES,
  type Implementation,
  type SystemCollective,
} from '../../astra-sim/system-configuration.js';
import type { Settings } from './settings.js';

const IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  ring: { algorithm: 'ring', whole: false },
  direct: { algorithm: 'direct', whole: false },
  halvingDoubling: { algorithm: 'halvingDoubling', whole: false },
  doubleBinaryTree: { algorithm: 'doubleBinaryTree', whole: false },
  oneRing: { algorithm: 'ring', whole: true },
  oneDirect: { algorithm: 'direct', whole: true },
  oneHalvingDoubling: { algorithm: 'halvingDoubling', whole: true },
};

const EXPECTED =
  'ring, direct, halvingDoubling, doubleBinaryTree, oneRing, oneDirect, oneHalvingDoubling, or direct and oneDirect with a window such as direct4';

/** Largest window, which the program keeps in 32 bits. */
const MOST_IN_FLIGHT = 2 ** 31 - 1;

const HIERARCHICAL = 'hierarchicalRing';

export interface NamedImplementations {
  readonly implementations: Partial<Record<SystemCollective, readonly Implementation[]>>;
  /** Collectives that name `hierarchicalRing`; none without extensions. They have no entry in `implementations`. */
  readonly hierarchicalRing: ReadonlySet<SystemCollective>;
}

/**
 * Reads `<collective>-implementation` of every collective (section 1).
 * @throws PrepError `SYSTEM_MALFORMED` for a name that is none of an implementation
 */
export function implementationsOf(settings: Settings, extensions: boolean): NamedImplementations {
  const implementations: NamedImplementations['implementations'] = {};
  const hierarchicalRing = new Set<SystemCollective>();
  for (const collective of SYSTEM_COLLECTIVES) {
    const key = implementationKey(collective);
    const entries = entriesOf(settings, key);
    if (entries.length === 0) continue;
    if (extensions && entries.every(({ name }) => name === HIERARCHICAL)) {
      hierarchicalRing.add(collective);
      settings.find('SYSTEM_EXTENSION', key, `${key}: ${HIERARCHICAL} is applied, which ASTRA-sim does not know`);
    } else implementations[collective] = entries.map((entry) => implementationOf(settings, entry, extensions));
  }
  return { implementations, hierarchicalRing };
}

interface Entry {
  readonly name: string;
  /** Where it stands. */
  readonly steps: readonly string[];
}

/** The entries of a list, or of a text with `_` between them, as versions before JSON had it; none without the key. */
function entriesOf(settings: Settings, key: string): Entry[] {
  const given = settings.get<string | readonly string[]>(key) ?? [];
  if (typeof given !== 'string') return given.map((name, place) => ({ name, steps: [key, String(place)] }));
  const names = given.split('_');
  const list = names.map((name) => JSON.stringify(name)).join(', ');
  const dimensions = names.length === 1 ? 'the first dimension' : `the first ${names.length} dimensions`;
  settings.find('SYSTEM_IMPLEMENTATION_TEXT', key, `${key}: a text, read as [${list}], which is for ${dimensions}`);
  return names.map((name) => ({ name, steps: [key] }));
}

function implementationOf(settings: Settings, { name, steps }: Entry, extensions: boolean): Implementation {
  const plain = ownValue(IMPLEMENTATIONS, name);
  if (plain !== undefined) return plain;
  const [, windowed, digits] = /^(direct|oneDirect)(\d+)$/.exec(name) ?? [];
  const window = Number(digits);
  if (windowed !== undefined && window >= 1 && window <= MOST_IN_FLIGHT)
    return { ...IMPLEMENTATIONS[windowed], window };
  if (name === HIERARCHICAL) {
    const alone = 'it stands for all dimensions: name it alone';
    const advice = 'ASTRA-sim has it no more; --system-extensions applies it';
    throw settings.error(steps, EXPECTED, extensions ? alone : advice);
  }
  const nearest = nearestName(name, Object.keys(IMPLEMENTATIONS));
  throw settings.error(steps, nearest === undefined ? EXPECTED : `${EXPECTED} (did you mean ${nearest}?)`);
}
