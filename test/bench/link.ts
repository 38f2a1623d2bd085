import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readWholeFile } from '../../src/formats/open-source.js';
import { REPOSITORY } from '../support/repository.js';
import type { BenchCase } from './bench-case.js';
import { benchFolder, usage } from './whole-command.js';

/** `link` as a process of its own, on a real pair of traces repeated until it has 180,000 nodes. */

/** Beside the repository, or where CHAKRA_PREP_SHARED says. */
const PAIR = join(process.env.CHAKRA_PREP_SHARED ?? join(REPOSITORY, '..', 'shared'), 'traces', 'resnet_pair');
const COPIES = 10;
/** Ids of a copy lie above those of the one before: more than any id of the pair. */
const ID_SHIFT = 1_000_000;
const MICROS_SHIFT = 2_000_000;

interface HostNode {
  id: number;
  name: string;
  ctrl_deps: number;
  attrs: { name: string; value: number | string }[];
}

interface Event {
  ts?: number;
  cat?: string;
  args?: Record<string, unknown>;
}

function parsed<T>(name: string): T {
  return JSON.parse(Buffer.from(readWholeFile(join(PAIR, name))).toString()) as T;
}

function scaledPair(): { host: string; device: string } {
  const folder = join(benchFolder, 'resnet-scaled');
  const files = { host: join(folder, 'host_0.json'), device: join(folder, 'device_0.json') };
  if (existsSync(folder)) return files;
  mkdirSync(folder);
  writeHost(files.host);
  writeDevice(files.device);
  return files;
}

/** Roots of process and threads are kept once; everything else is repeated with ids of its own. */
function writeHost(path: string): void {
  const { nodes, ...rest } = parsed<{ nodes: HostNode[] }>('host_0.json.gz');
  const isRoot = ({ name }: HostNode): boolean => name.includes('execution_trace|');
  const roots = new Set(nodes.filter(isRoot).map(({ id }) => id));
  writeList(path, `${JSON.stringify(rest).slice(0, -1)},"nodes":[`, ']}', (say) => {
    for (let copy = 0; copy < COPIES; copy++) {
      for (const node of nodes) {
        if (isRoot(node)) continue;
        say({
          ...node,
          id: node.id + copy * ID_SHIFT,
          ctrl_deps: roots.has(node.ctrl_deps) ? node.ctrl_deps : node.ctrl_deps + copy * ID_SHIFT,
          attrs: node.attrs.map((attribute) =>
            attribute.name === 'rf_id' ? { ...attribute, value: Number(attribute.value) + copy * ID_SHIFT } : attribute,
          ),
        });
      }
    }
    for (const node of nodes) if (isRoot(node)) say(node);
  });
}

const SHIFTED = ['Record function id', 'External id', 'correlation'];

function writeDevice(path: string): void {
  const { traceEvents, ...rest } = parsed<{ traceEvents: Event[] }>('device_0.json.gz');
  writeList(path, `${JSON.stringify(rest).slice(0, -1)},"traceEvents":[`, ']}', (say) => {
    for (let copy = 0; copy < COPIES; copy++) {
      for (const event of traceEvents) {
        const args = { ...event.args };
        for (const key of SHIFTED) if (typeof args[key] === 'number') args[key] = args[key] + copy * ID_SHIFT;
        say({ ...event, ...(event.ts === undefined ? {} : { ts: event.ts + copy * MICROS_SHIFT }), args });
      }
    }
  });
}

function writeList(path: string, head: string, tail: string, fill: (say: (value: unknown) => void) => void): void {
  const descriptor = openSync(path, 'w');
  let lines: string[] = [head];
  let first = true;
  fill((value) => {
    lines.push(`${first ? '' : ','}${JSON.stringify(value)}\n`);
    first = false;
    if (lines.length > 5000) {
      writeSync(descriptor, lines.join(''));
      lines = [];
    }
  });
  writeSync(descriptor, `${lines.join('')}${tail}`);
  closeSync(descriptor);
}

function linkAndConvert(): { cpu: number; rss: number } {
  const { host, device } = scaledPair();
  const linked = join(benchFolder, 'linked');
  const text = join(benchFolder, 'linked-text');
  const link = usage('link', '--host', host, '--device', device, '-o', linked, '--quiet');
  const convert = usage('convert', linked, '--to', 'jsonl', '-o', text, '--quiet');
  rmSync(linked, { recursive: true });
  rmSync(text, { recursive: true });
  return { cpu: link.cpu + convert.cpu, rss: Math.max(link.rss, convert.rss) };
}

export const cases: BenchCase[] = existsSync(PAIR)
  ? [
      {
        name: 'command: link of 180,000 nodes, and convert to JSON lines',
        unit: 's',
        target: 4,
        runs: 3,
        run: () => linkAndConvert().cpu,
      },
      {
        name: 'memory: link of 180,000 nodes, and convert to JSON lines, the larger of the two processes',
        unit: 'bytes',
        target: 300e6,
        runs: 1,
        run: () => linkAndConvert().rss,
      },
    ]
  : [];
