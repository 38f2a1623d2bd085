import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { SarifLog } from '../../src/records/findings/sarif-log.js';
import { REPOSITORY } from './repository.js';

/** The schema, with its formats checked as far as a parser of URIs goes. */
function compiled(): (document: unknown) => string[] {
  const path = join(REPOSITORY, 'test', 'support', 'sarif', 'sarif-2.1.0-rtm.5.json');
  const schema = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  // Draft 4, of which it uses nothing that draft 7 reads otherwise but the name of the identifier.
  delete schema.$schema;
  delete schema.id;
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  ajv.addFormat(
    'uri-reference',
    (text: string) => URL.canParse(text, 'https://base.example/') && !/[ {}\\"]/.test(text),
  );
  ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)));
  const check = ajv.compile(schema);
  return (document) =>
    check(document) ? [] : check.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** What the schema of SARIF 2.1.0 objects to. */
export const sarifFaults = compiled();

/**
 * What GitHub's code scanning asks for beyond the schema ("SARIF support for code scanning"): one run, at most 25,000
 * results, each with a location that names a file and a line and with the fingerprint it compares; rules with texts.
 */
export function codeScanningFaults({ runs }: SarifLog): string[] {
  const faults: string[] = [];
  const demand = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  demand(runs.length === 1, 'runs');
  const [{ results, tool }] = runs;
  demand(results.length <= 25_000, 'too many results');
  for (const [place, result] of results.entries()) {
    const [location] = result.locations;
    demand(location !== undefined && location.physicalLocation.artifactLocation.uri !== '', `${place}: location`);
    demand(location?.physicalLocation.region.startLine >= 1, `${place}: line`);
    demand(result.message.text !== '', `${place}: message`);
    demand(/^[0-9a-f]+:\d+$/.test(result.partialFingerprints.primaryLocationLineHash), `${place}: fingerprint`);
    demand(tool.driver.rules[result.ruleIndex]?.id === result.ruleId, `${place}: rule`);
  }
  for (const { id, name, shortDescription, fullDescription, help } of tool.driver.rules) {
    for (const { text } of [shortDescription, fullDescription])
      demand(text !== '' && text.length <= 1024, `${id}: text`);
    demand(name.length <= 255 && help.text !== '', `${id}: help`);
  }
  return faults;
}
