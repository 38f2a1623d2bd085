import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTopology } from '../../../src/network/topology/read-topology.js';
import { isAnalyticalNetwork, recognisedForm } from '../../../src/network/topology/topology-form.js';
import { REPOSITORY } from '../../support/repository.js';
import { describeShared, shared, sharedFiles } from '../../support/shared.js';

const formOf = (text: string): string => recognisedForm(text, 'f').form;

test.each([
  ['9 1 8\n8\n', 'ns3'],
  ['\n  9 1 8\n', 'ns3'],
  ['2 1 1 1 0 1 400Gbps 500ns 0\n', 'ns3'], // all in one line
  ['18 8 1 9 24 H100\n', 'simai'],
  ['0 1 100 1.0 0.0 1024000\n', 'link-list'],
  ['0 1 100 1.0 0.0\n', 'link-list'],
  ['# links\n\n0 1 100 1e0 0 # slow\n', 'link-list'],
  ['{"version":1,"nodes":[]}', 'own'],
  ['{"version":1,"generator":{}}', 'own'],
  ['version: 1\nlinks: []\n', 'own'],
  ['# a fabric\nversion: 1\nnodes: []\n', 'own'],
  ['name: x\nlinks: []\ndevices: []\n', 'infragraph'],
  ['infrastructure:\n  links: []\n', 'infragraph'],
  ['instances: []\n', 'infragraph'],
  ['{"logical-dims": ["8"]}', 'logical'],
  ['topology: [ Ring ]\nnpus_count: [ 4 ]\n', 'analytical'],
  ['{"topology": ["Ring"], "npus_count": [4]}', 'analytical'],
])('%j is told by its content: %s', (text, form) => {
  expect(formOf(text)).toBe(form);
});

test.each([
  ['', 'f: the file is empty'],
  ['# nothing\n', 'f: there are only comments'],
  ['{}', 'f: it has no keys'],
  ['a: 1\nb: 2\n', 'f: its keys are a, b'],
  ['no links here\n', 'f: the first line is no links here'],
  ['1 2\n3 4\n', 'f: the first line has 2 words: 1 2'],
  ['[1, 2]', 'f: the first line is [1, 2]'],
  ['int main() {\n', 'f: the first line is int main() {'],
])('%j is no topology, and what is accepted is said', (text, message) => {
  expect(() => formOf(text)).toThrow(
    expect.objectContaining({
      code: 'TOPOLOGY_UNKNOWN',
      message: `${message}, expected an ns-3, SimAI or InfraGraph topology, a list of links, or JSON or YAML with nodes and links or a generator`,
    }),
  );
});

test.each([
  ['{"logical-dims": ["8"]}', /^f: a logical topology/],
  ['topology: [ Ring ]\nnpus_count: [ 4 ]\n', /^f: an analytical network of ASTRA-sim/],
])('%j is told apart from a topology with hosts and links', (text, message) => {
  expect(() => readTopology(text, 'f')).toThrow(
    expect.objectContaining({ code: 'TOPOLOGY_UNKNOWN', message: expect.stringMatching(message) as string }),
  );
});

test('an analytical network is none of the others', () => {
  expect(isAnalyticalNetwork('topology: [ Ring ]\nnpus_count: [ 4 ]\n')).toBe(true);
  expect(isAnalyticalNetwork('# two\n"npus_count": [ 4 ]\n')).toBe(true);
  for (const text of ['9 1 8\n8\n', '{"version":1,"nodes":[]}', 'name: topology\ndevices: []\n', '', 'topology: [\n']) {
    expect(isAnalyticalNetwork(text)).toBe(false);
  }
});

test('every sample is read in the form it shows', () => {
  const folder = join(REPOSITORY, 'samples', 'topologies');
  const forms = Object.fromEntries(
    readdirSync(folder).map((name) => [name, formOf(readFileSync(join(folder, name), 'utf8'))]),
  );
  expect(forms).toEqual({
    'dotted.yaml': 'infragraph',
    'leaf-spine.yaml': 'own',
    'links.txt': 'link-list',
    'logical.json': 'logical',
    'own.json': 'own',
    'star.txt': 'ns3',
    'switch-ring.yaml': 'own',
    'two-hosts.yaml': 'infragraph',
    'two-servers.simai': 'simai',
  });
});

describeShared('files of other programs', () => {
  const networks = sharedFiles('reference/astra-sim-inputs/network', /\.yml$/);
  test('every analytical network is told as one', () => {
    expect(networks.length).toBeGreaterThan(40);
    expect(networks.filter((path) => !isAnalyticalNetwork(readFileSync(shared(path), 'utf8')))).toEqual([]);
  });
});
