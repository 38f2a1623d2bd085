import { explanationLines, explanationMarkdown, explanationOf } from '../../base/explanation.js';
import type { Severity } from '../../base/finding.js';
import type { SarifRule } from './sarif-log.js';

/** Characters that GitHub's code scanning takes of a description. */
const LONGEST_DESCRIPTION = 1024;

/**
 * The page of a code as a rule.
 * @param severity of its first finding, for codes whose page has none
 * @param repository address of the repository, in which docs/errors.md lies
 */
export function sarifRule(code: string, severity: Severity, repository?: string): SarifRule {
  const page = explanationOf(code);
  const level = page?.severity ?? severity;
  const { title, meaning, consequence = '' } = page ?? { title: code, meaning: code };
  const text = page === undefined ? code : explanationLines(page).join('\n');
  return {
    id: code,
    name: pascalCase(code),
    shortDescription: { text: literal(title) },
    fullDescription: { text: literal(`${meaning} ${consequence}`.trim()).slice(0, LONGEST_DESCRIPTION) },
    help: { text: literal(text), markdown: literal(page === undefined ? code : explanationMarkdown(page)) },
    ...(repository === undefined ? {} : { helpUri: `${repository}/blob/HEAD/docs/errors.md#${code.toLowerCase()}` }),
    defaultConfiguration: { level },
    properties: { 'problem.severity': level === 'note' ? 'recommendation' : level },
  };
}

/** Text of a message, in which `{0}` would stand for an argument (SARIF section 3.11.5). */
export function literal(text: string): string {
  return text.replace(/[{}]/g, '$&$&');
}

/** `NoInitialNode`. */
function pascalCase(code: string): string {
  return code
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
