import { finding } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { nearestName } from '../../base/nearest-name.js';
import {
  HEADER_KEYS,
  LAYER_LIST_KEYS,
  WORKLOAD_MODES,
  type HeaderKey,
  type HeaderValue,
  type LayerListKey,
  type WorkloadMode,
} from './text-workload.js';
import { LineWords, shown } from './words.js';

/** What line 1 says. */
export interface WorkloadHeader {
  readonly mode: WorkloadMode;
  readonly lastBottomLayer?: HeaderValue;
  readonly values: Map<HeaderKey, HeaderValue>;
  readonly layerLists: Map<LayerListKey, HeaderValue<readonly number[]>>;
}

const KNOWN_KEYS: readonly string[] = [...Object.keys(HEADER_KEYS), ...LAYER_LIST_KEYS];

/**
 * Line 1: the mode, the last bottom layer in a DLRM mode, then `key: value` in any order. The colon may stand apart, be joined
 * to the value, or be missing (`pp_comm 50331648` in files of AICB).
 * @param findings takes `WORKLOAD_HEADER_UNUSED` for keys that nobody knows
 * @throws PrepError `WORKLOAD_MALFORMED`
 */
export function readHeader(text: string, file: string, findings: Finding[]): WorkloadHeader {
  // The colon becomes a blank so that columns stay what they are in the file.
  const words = new LineWords(text.replace(/:/g, ' '), file, 1);
  const mode = modeOf(words);
  let next = 1;
  let lastBottomLayer: HeaderValue | undefined;
  if (mode === 'HYBRID_DLRM' || mode === 'HYBRID_DLRM_ENHANCED') {
    const value = words.integer(next, `${mode}: number of the last bottom layer`);
    lastBottomLayer = { value, place: words.place(next++) };
  }
  const values = new Map<HeaderKey, HeaderValue>();
  const layerLists = new Map<LayerListKey, HeaderValue<readonly number[]>>();
  while (next < words.count) {
    const key = words.text(next);
    const place = words.place(next);
    if (values.has(key as HeaderKey) || layerLists.has(key as LayerListKey)) {
      throw words.error(next, `${key} stands twice: expected each key once`);
    }
    next++;
    if (Object.hasOwn(HEADER_KEYS, key)) {
      const value = words.integer(next++, key, HEADER_KEYS[key as HeaderKey]);
      values.set(key as HeaderKey, { value, place });
    } else if ((LAYER_LIST_KEYS as readonly string[]).includes(key)) {
      const count = words.integer(next++, `${key}: number of layers`);
      const layers: number[] = [];
      while (layers.length < count)
        layers.push(words.integer(next++, `${key}: layer ${layers.length + 1} of ${count}`));
      layerLists.set(key as LayerListKey, { value: layers, place });
    } else {
      if (!/^[A-Za-z_]/.test(key)) {
        throw words.error(next - 1, `${shown(key)}: expected a key such as ep: (known: ${KNOWN_KEYS.join(', ')})`);
      }
      while (next < words.count && /^[0-9.+-]/.test(words.text(next))) next++;
      const meant = nearestName(key, KNOWN_KEYS);
      const guess = meant === undefined ? `known: ${KNOWN_KEYS.join(', ')}` : `did you mean ${meant}?`;
      findings.push(
        finding('WORKLOAD_HEADER_UNUSED', `${place}: key ${shown(key)} is not known and not used (${guess})`, { file }),
      );
    }
  }
  return { mode, ...(lastBottomLayer && { lastBottomLayer }), values, layerLists };
}

function modeOf(words: LineWords): WorkloadMode {
  const text = words.text(0);
  const mode = WORKLOAD_MODES.find((name) => name === text);
  if (mode !== undefined) return mode;
  const meant = nearestName(text, WORKLOAD_MODES);
  throw words.error(
    0,
    `mode ${shown(text)}: expected one of ${WORKLOAD_MODES.join(', ')}`,
    meant === undefined ? undefined : `did you mean ${meant}?`,
  );
}
