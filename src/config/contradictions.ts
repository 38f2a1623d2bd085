import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { FLAG_OF_ATTRIBUTE } from './attributes.js';
import { shownValue } from './check-config.js';
import type { ConfigDocument } from './config-document.js';

type Values = Readonly<Record<string, unknown>>;

/** ProfilingInterval by default, ps. */
const PROFILING_INTERVAL_PS = 1e9;

/**
 * Refuses a configuration that says one thing under two names with different values.
 * @param values as written
 * @param read the same with times in ps and sizes in bytes
 * @throws PrepError `CONFIG_INVALID` at the second of the two
 */
export function demandNoContradiction(document: ConfigDocument, values: Values, read: Values): void {
  const saidBy = new Map<string, string>();
  for (const name of document.names()) {
    const flag = FLAG_OF_ATTRIBUTE[name] ?? name;
    const other = saidBy.get(flag);
    if (other === undefined) saidBy.set(flag, name);
    else if (read[other] !== read[name]) throw contradiction(document, values, other, name);
  }
  demandOneScale(document, values);
  demandOneProfile(document, values, read);
}

/** `scale` says what Scaling and ScalingFactor say together. */
function demandOneScale(document: ConfigDocument, values: Values): void {
  const { scale, Scaling, ScalingFactor } = values;
  if (scale === undefined || Scaling === undefined) return;
  if (scale === (Scaling === true ? (ScalingFactor ?? 1) : 1)) return;
  throw contradiction(
    document,
    values,
    Scaling === true && ScalingFactor !== undefined ? 'ScalingFactor' : 'Scaling',
    'scale',
  );
}

/** `profiling` says what ProfilingEnabled and ProfilingInterval say together. */
function demandOneProfile(document: ConfigDocument, values: Values, read: Values): void {
  if (values.profiling === undefined) return;
  if (values.ProfilingEnabled === false) throw contradiction(document, values, 'ProfilingEnabled', 'profiling');
  const { profiling, ProfilingInterval = values.ProfilingEnabled === true ? PROFILING_INTERVAL_PS : profiling } = read;
  if (profiling === ProfilingInterval) return;
  const other = values.ProfilingInterval === undefined ? 'ProfilingEnabled' : 'ProfilingInterval';
  throw contradiction(document, values, other, 'profiling');
}

function contradiction(document: ConfigDocument, values: Values, one: string, other: string): Error {
  const [first, second] = [one, other].sort((a, b) => document.keyOffset(a) - document.keyOffset(b));
  return document.error(
    document.valueOffset([second]),
    `${second}: ${shownValue(values[second])}, but ${first}: ${shownValue(values[first])} on ${document.line(first)} ` +
      'says the same thing otherwise; expected one of the two',
  );
}

/**
 * Notes on settings that another one leaves without effect.
 * @param documentOf where an attribute stands
 */
export function unusedSettings(values: Values, documentOf: (name: string) => ConfigDocument): Finding[] {
  const unused = (name: string, why: string): Finding => {
    const document = documentOf(name);
    const place = document.place(document.keyOffset(name));
    const message = `${place}: ${name} ${shownValue(values[name])} is not used: ${why}`;
    return finding('SETTING_UNUSED', message, document.isFile ? { file: document.path } : {});
  };
  const findings: Finding[] = [];
  if (values.ScalingFactor !== undefined && values.Scaling !== true) {
    findings.push(unused('ScalingFactor', 'Scaling is not true'));
  }
  if (values.ProfilingInterval !== undefined && values.ProfilingEnabled !== true && values.profiling === undefined) {
    findings.push(unused('ProfilingInterval', 'ProfilingEnabled is not true'));
  }
  return findings;
}
