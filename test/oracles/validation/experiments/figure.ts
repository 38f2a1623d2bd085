/** What a figure must come to: bounds, and the words that the page has for them. */
export interface Expectation {
  readonly least: number;
  readonly most: number;
  /** What deviations are told from; absent where only a bound is known. */
  readonly value?: number;
  /** The value or the bound, as the page shows it. */
  readonly text: string;
  /** How far the figure may be off, as the page shows it. */
  readonly tolerance: string;
}

/** One number of an experiment: what is measured, what it must come to, what came out. */
export interface Figure {
  /** Such as `RoCEv2: received`. */
  readonly what: string;
  /** Such as `µs`; empty for a count or a ratio. */
  readonly unit: string;
  readonly expected: Expectation;
  readonly got: number;
  /** Where the product differs from the text: what it must come to instead. Why stands on the page. */
  readonly instead?: Expectation;
}

/** An experiment of network-models section 12, or a published one of section 13. */
export interface Experiment {
  /** Such as `V-1`. */
  readonly id: string;
  /** What is run, in a line. */
  readonly what: string;
  /** Whether only the benchmark runs it: it takes too long for a test. */
  readonly isLong?: boolean;
  figures(): readonly Figure[] | Promise<readonly Figure[]>;
}

export function figure(what: string, unit: string, expected: Expectation, got: number, instead?: Expectation): Figure {
  return { what, unit, expected, got, ...(instead === undefined ? {} : { instead }) };
}

export function exactly(value: number): Expectation {
  return { least: value, most: value, value, text: digits(value), tolerance: 'exact' };
}

/** @param share of the value, such as 0.05 */
export function within(value: number, share: number): Expectation {
  const slack = share * Math.abs(value);
  const tolerance = share >= 1e-6 ? `${digits(100 * share)} %` : String(share);
  return { least: value - slack, most: value + slack, value, text: digits(value), tolerance };
}

/** @param slack in the unit of the value */
export function near(value: number, slack: number): Expectation {
  return { least: value - slack, most: value + slack, value, text: digits(value), tolerance: `± ${digits(slack)}` };
}

export function atLeast(least: number): Expectation {
  return { least, most: Infinity, text: `≥ ${digits(least)}`, tolerance: 'bound' };
}

export function atMost(most: number): Expectation {
  return { least: -Infinity, most, text: `≤ ${digits(most)}`, tolerance: 'bound' };
}

export function between(least: number, most: number): Expectation {
  return { least, most, text: `${digits(least)} … ${digits(most)}`, tolerance: 'bound' };
}

/** For a figure of another model than ours, which nothing has to come to. */
export function published(value: number): Expectation {
  return { least: -Infinity, most: Infinity, value, text: digits(value), tolerance: 'compared' };
}

function holds({ least, most }: Expectation, got: number): boolean {
  return got >= least && got <= most;
}

/** Whether a figure comes to what it must: where the product differs from the text, to what is given in its place. */
export function isAsExpected({ expected, instead = expected, got }: Figure): boolean {
  return holds(instead, got);
}

/** The deviation from the expected value, in percent; empty where there is only a bound. */
export function deviation({ expected: { value }, got }: Figure): string {
  if (value === undefined) return '';
  if (got === value) return '0';
  const share = (100 * (got - value)) / Math.abs(value);
  const sign = share > 0 ? '+' : '−';
  const size = Math.abs(share);
  if (size < 1e-7) return `${sign}${size.toExponential(0)} %`;
  return `${sign}${size < 0.01 ? size.toPrecision(1) : size.toFixed(2)} %`;
}

/** A figure with a value in place of the text's is said to differ, even where it comes to within the tolerance. */
export function verdict({ expected, instead, got }: Figure): string {
  if (instead !== undefined) return holds(instead, got) ? 'differs' : 'DOES NOT HOLD';
  if (!holds(expected, got)) return 'DOES NOT HOLD';
  return expected.tolerance === 'compared' ? '' : 'holds';
}

/** Ten digits of a value at most, thousands apart. */
export function digits(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 10 });
}
