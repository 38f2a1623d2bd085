import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_RUN_OPTIONS } from '../../src/config/run-options.js';
import { prepareTraceset } from '../../src/pipeline/prepare-traceset.js';
import { simulateTraceset, type Simulation } from '../../src/pipeline/simulate-traceset.js';
import type { SimulationRequest } from '../../src/pipeline/simulation-request.js';
import { filesBelow, newFolder, writeRanks } from './folders.js';
import type { NodeObject } from './traces.js';

/** Writes a job and its groups into a new folder, as `job.<rank>.et` and `comm_group.json`. */
export function writeJob(nodes: readonly NodeObject[][], groups: Readonly<Record<string, number[]>>): string {
  const folder = writeRanks(newFolder(), nodes);
  writeFileSync(join(folder, 'comm_group.json'), JSON.stringify(groups));
  return folder;
}

/** Simulates a folder; what is not said is as it is for a command without options. */
export async function simulateFolder(
  folder: string,
  request: Partial<SimulationRequest> & Pick<SimulationRequest, 'network'>,
): Promise<Simulation> {
  return simulateTraceset({
    ...DEFAULT_RUN_OPTIONS,
    inputs: [folder],
    deps: 'both',
    family: 'synthesized',
    algorithms: {},
    order: 'recorded',
    useMaxStart: true,
    abortOnWarning: false,
    ...request,
  });
}

/** Simulates a folder with records; gives those too, by path. */
export async function recordsOfFolder(
  folder: string,
  request: Partial<SimulationRequest> & Pick<SimulationRequest, 'network'>,
): Promise<{ simulation: Simulation; files: Record<string, Buffer>; recordsFolder: string }> {
  const recordsFolder = newFolder();
  const simulation = await simulateFolder(folder, { ...request, recordsFolder });
  return { simulation, files: filesBelow(recordsFolder), recordsFolder };
}

/** Prepares a folder into a new one, which is given back. */
export async function prepareFolder(
  folder: string,
  steps: Parameters<typeof prepareTraceset>[0]['steps'],
  deps: 'both' | 'data' = 'both',
): Promise<string> {
  const out = newFolder();
  await prepareTraceset({ inputs: [folder], deps, steps, output: { folder: out, format: 'et' } });
  return out;
}

/** The rows of a CSV text without quoted fields, by column. */
export function csvRows(text: string): Record<string, string>[] {
  const [header, ...lines] = text.trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) => {
    const fields = line.split(',');
    expect(fields).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, at) => [name, fields[at]]));
  });
}
