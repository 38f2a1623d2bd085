import { deviation, digits, isAsExpected, verdict } from '../oracles/validation/experiments/figure.js';
import { EXPERIMENTS, PUBLISHED } from '../oracles/validation/experiments/experiments.js';
import { sectionOf, takeOver } from '../oracles/validation/page.js';

/** With UPDATE_EXAMPLES=1 docs/validation.md takes over what comes out of the experiments that are too long for a test. */
const UPDATE = process.env.UPDATE_EXAMPLES === '1';
const FILE = 'test/bench/validation.ts';

/**
 * `npm run bench -- validation [ids]`: every experiment of docs/validation.md with expected value, what came out, and the
 * deviation.
 * @param ids such as `V-12`; all where there are none
 */
export async function* report(ids: readonly string[]): AsyncGenerator<string> {
  let figureCount = 0;
  let wrong = 0;
  for (const experiment of [...EXPERIMENTS, ...PUBLISHED]) {
    if (ids.length > 0 && !ids.includes(experiment.id)) continue;
    const before = process.cpuUsage();
    const figures = await experiment.figures();
    const { user, system } = process.cpuUsage(before);
    yield `\n${experiment.id}: ${experiment.what} (${((user + system) / 1e6).toFixed(2)} s)`;
    yield '\n| figure | expected | got | deviation | verdict |\n| --- | ---: | ---: | ---: | --- |';
    for (const each of figures) {
      const { what, unit, expected, got } = each;
      yield `| ${what} | ${expected.text} ${unit} | ${digits(got)} | ${deviation(each)} | ${verdict(each)} |`;
    }
    figureCount += figures.length;
    wrong += figures.filter((each) => !isAsExpected(each)).length;
    if (UPDATE && experiment.isLong) takeOver(experiment.id, sectionOf(experiment, figures, FILE));
  }
  yield `\n${figureCount} figures, ${wrong} that do not come out`;
}
