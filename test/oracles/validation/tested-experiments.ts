import { isAsExpected, type Experiment } from './experiments/figure.js';
import { sectionOf, sectionOnPage, takeOver } from './page.js';

/** The longest takes 10 s of an idle core. */
const TIMEOUT_MS = 300_000;

/** With UPDATE_EXAMPLES=1 and --runInBand docs/validation.md takes over what comes out, to be read before it is committed. */
const UPDATE = process.env.UPDATE_EXAMPLES === '1';

/**
 * A test for each experiment that is not too long: all figures come to what they must, and docs/validation.md has them.
 * @param file of the test, without `.test.ts`
 */
export function testExperiments(experiments: readonly Experiment[], file: string): void {
  for (const experiment of experiments.filter(({ isLong }) => isLong !== true)) {
    test(
      `${experiment.id}: ${experiment.what}`,
      async () => {
        const figures = await experiment.figures();
        expect(figures.filter((each) => !isAsExpected(each))).toEqual([]);
        const section = sectionOf(experiment, figures, `test/oracles/validation/${file}.test.ts`);
        if (UPDATE) takeOver(experiment.id, section);
        else expect(section).toBe(sectionOnPage(experiment.id));
      },
      TIMEOUT_MS,
    );
  }
}
