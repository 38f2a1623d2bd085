import { CATALOGUE, finding } from '../../../src/base/catalogue.js';
import { chooseFindings, type FindingChoice } from '../../../src/base/chosen-findings.js';
import { inputError } from '../../../src/base/errors.js';
import type { Finding } from '../../../src/base/finding.js';
import { STOP_CODES } from '../../../src/base/stop-codes.js';
import { sarifDocument, stoppedSarifDocument } from '../../../src/records/findings/sarif-document.js';
import { sarifRule } from '../../../src/records/findings/sarif-rule.js';
import { codeScanningFaults, sarifFaults } from '../../support/sarif-schema.js';

const REQUEST = {
  workingDirectory: '/work/job',
  inputs: ['traces'],
  files: [
    { rank: 0, path: 'traces/job.0.et' },
    { rank: 1, path: '/work/job/traces/job.1.et' },
  ],
  exitStatus: 1,
  program: { version: '1.2.3' },
};

function runOf(findings: readonly Finding[], choice: FindingChoice = {}, request: Partial<typeof REQUEST> = {}) {
  const document = sarifDocument(chooseFindings(findings, choice), { ...REQUEST, ...request });
  expect(sarifFaults(document)).toEqual([]);
  expect(codeScanningFaults(document)).toEqual([]);
  return document.runs[0];
}

test('the checks of this test find what is wrong', () => {
  const document = sarifDocument(chooseFindings([finding('CYCLE', 'it')]), REQUEST);
  const [run] = document.runs;
  const [result] = run.results;
  const withResult = (changed: object) => ({ ...document, runs: [{ ...run, results: [{ ...result, ...changed }] }] });
  expect(sarifFaults(withResult({ message: undefined }))).toEqual([
    "/runs/0/results/0 must have required property 'message'",
  ]);
  expect(sarifFaults(withResult({ level: 'fatal' }))).not.toEqual([]);
  expect(codeScanningFaults(withResult({ locations: [] }) as typeof document)).toEqual(['0: location', '0: line']);
});

test('the driver is this program', () => {
  const { tool, invocations, results } = runOf([]);
  expect(tool.driver).toEqual({ name: 'chakra-prep', version: '1.2.3', semanticVersion: '1.2.3', rules: [] });
  expect(invocations).toEqual([{ executionSuccessful: true, exitCode: 1 }]);
  expect(results).toEqual([]);
});

test('a result names rule, level, text, place and facts', () => {
  const facts = { rank: 0, nodes: [4, '18446744073709551615'], file: 'traces/job.0.et', byteOffset: 96, count: 12 };
  const { results } = runOf([finding('DANGLING_DATA', 'rank 0: it', { ...facts, missingIds: 3 })]);
  expect(results).toEqual([
    {
      ruleId: 'DANGLING_DATA',
      ruleIndex: 0,
      level: 'error',
      message: { text: 'rank 0: it. Advice: add the node or drop the dependency; validate --fix drops it.' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'traces/job.0.et' },
            region: { startLine: 1, byteOffset: 96 },
          },
          logicalLocations: [
            { name: '0', fullyQualifiedName: 'rank 0', kind: 'rank' },
            { name: '4', fullyQualifiedName: 'rank 0/node 4', kind: 'node' },
            { name: '18446744073709551615', fullyQualifiedName: 'rank 0/node 18446744073709551615', kind: 'node' },
          ],
        },
      ],
      partialFingerprints: expect.any(Object) as object,
      occurrenceCount: 12,
      properties: {
        rank: 0,
        nodes: [4, '18446744073709551615'],
        file: 'traces/job.0.et',
        byteOffset: 96,
        missingIds: 3,
      },
    },
  ]);
});

test.each([
  [{ file: 'comm_group.json', rank: 1 }, 'comm_group.json'],
  [{ rank: 1 }, 'traces/job.1.et'],
  [{ rank: 7 }, 'traces'],
  [{}, 'traces'],
])('a finding with %j lies at %s', (facts, uri) => {
  const { results } = runOf([finding('CYCLE', 'it', facts)]);
  expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
});

test('a finding of the working directory has a location as well', () => {
  const { results } = runOf([finding('CYCLE', 'it')], {}, { inputs: ['.'] });
  expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('./');
});

test('a message that begins with the bare name of a group says that it is one', () => {
  const { results } = runOf([finding('COLLECTIVE_COUNT', '0: 2 on rank 0', { group: '0' })]);
  expect(results[0].message.text).toMatch(/^group 0: 2 on rank 0\. Advice: /);
  expect(results[0].locations[0].logicalLocations).toEqual([
    { name: '0', fullyQualifiedName: 'process group 0', kind: 'process group' },
  ]);
});

test('braces are doubled: {0} would stand for an argument', () => {
  const { results } = runOf([finding('CYCLE', '2 "{lambda(int)#1}::operator()"', { advice: 'x' })]);
  expect(results[0].message.text).toBe('2 "{{lambda(int)#1}}::operator()". Advice: x.');
});

test('rules are the codes that occur, each once; results point at them', () => {
  const run = runOf([finding('CYCLE', 'a'), finding('PEER_SELF', 'b'), finding('CYCLE', 'c')]);
  expect(run.tool.driver.rules.map(({ id, name }) => [id, name])).toEqual([
    ['CYCLE', 'Cycle'],
    ['PEER_SELF', 'PeerSelf'],
  ]);
  expect(run.results.map(({ ruleIndex }) => ruleIndex)).toEqual([0, 1, 0]);
});

test('what is left out and ignored is said', () => {
  const findings = [finding('CYCLE', 'a'), finding('PEER_SELF', 'b'), finding('COMM_ON_CPU', 'c')];
  const run = runOf(findings, { maxFindings: 1, ignore: ['COMM_ON_CPU'] });
  expect(run.results).toHaveLength(1);
  expect(run.properties).toEqual({ leftOut: 1, ignored: { COMM_ON_CPU: 1 } });
  expect(run.invocations[0].toolExecutionNotifications).toEqual([
    { level: 'note', message: { text: '1 further finding is not listed.' } },
  ]);
});

test('a check that was stopped is a notification, with its findings', () => {
  const document = stoppedSarifDocument(inputError('NO_TRACES', 'x: no traces', 'name some'), REQUEST);
  expect(sarifFaults(document)).toEqual([]);
  expect(document.runs[0].invocations).toEqual([
    {
      executionSuccessful: false,
      exitCode: 1,
      toolExecutionNotifications: [
        { level: 'error', message: { text: 'x: no traces. Advice: name some.' }, descriptor: { id: 'NO_TRACES' } },
      ],
    },
  ]);
});

test('with a public repository every rule has an address, and the driver too', () => {
  const program = { version: '1.2.3', repository: 'https://git.example/a/b' };
  const { driver } = runOf([finding('CYCLE', 'a')], {}, { program }).tool;
  expect(driver.informationUri).toBe('https://git.example/a/b');
  expect(driver.rules[0].helpUri).toBe('https://git.example/a/b/blob/HEAD/docs/errors.md#cycle');
});

test('every code makes a rule that code scanning takes', () => {
  const codes = [...Object.keys(CATALOGUE), ...Object.keys(STOP_CODES), 'SOMETHING_ELSE'];
  const run = runOf(codes.map((code) => ({ code, severity: 'error', message: 'it' })));
  expect(run.tool.driver.rules).toHaveLength(codes.length);
  expect(sarifRule('SOMETHING_ELSE', 'error')).toMatchObject({
    name: 'SomethingElse',
    defaultConfiguration: { level: 'error' },
  });
  expect(sarifRule('COMM_ON_CPU', 'error').defaultConfiguration.level).toBe('warning');
});
