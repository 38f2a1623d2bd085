import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { grouped } from '../../base/counts.js';
import { nearestName } from '../../base/nearest-name.js';
import { generatedTopology } from './generators/generators.js';
import { delayOf, rateOf } from './link-values.js';
import { MOST_LINKS, malformed, shownValue } from './malformed.js';
import { topologyOf, type DescribedNode } from './nodes-and-links.js';
import type { PlacedDocument, Steps } from './placed-document.js';
import type { TopologyReading } from './topology-reading.js';
import type { NodeKind, TopologyLink } from './topology.js';

const SCHEMA = new URL('../../../../schemas/topology.schema.json', import.meta.url);

interface OwnTopology {
  readonly nodes?: readonly { id: number; kind: NodeKind; name?: string; tier?: number }[];
  readonly links?: readonly OwnLink[];
  readonly generator?: { readonly type: string } & Readonly<Record<string, number>>;
}

interface OwnLink {
  readonly a: number;
  readonly b: number;
  readonly gbps: number;
  readonly delayNs: number;
  readonly loss?: number;
  readonly count?: number;
  readonly plane?: number;
  readonly queueBytes?: number;
}

/** Takes long to compile: made when the first such file is read. */
let compiled: ValidateFunction | undefined;

/**
 * The JSON or YAML form of schemas/topology.schema.json (TOPO-4): nodes and links, or a generator and its parameters.
 * @throws PrepError `TOPOLOGY_MALFORMED` with line and column, and `TOPOLOGY_GENERATOR` for its parameters
 */
export function readOwnForm(document: PlacedDocument): TopologyReading {
  compiled ??= new Ajv({ verbose: true, strict: true }).compile(JSON.parse(readFileSync(SCHEMA, 'utf8')) as object);
  if (!compiled(document.root)) throw schemaError(document, compiled.errors![0]);
  const { nodes, links, generator } = document.root as OwnTopology;
  if (generator !== undefined) {
    const other = nodes !== undefined ? 'nodes' : links !== undefined ? 'links' : undefined;
    if (other !== undefined) {
      throw malformed(document.keyPlace([other]), `${other} beside generator, expected one or the other`);
    }
    const { type, ...parameters } = generator;
    return { topology: generatedTopology(type, parameters, document.place(['generator'])), findings: [] };
  }
  if (nodes === undefined) throw document.error([], 'nodes missing, expected nodes and links, or a generator');
  return {
    topology: topologyOf(nodesById(document, nodes), linksOf(document, links ?? [], nodes.length), document.file),
    findings: [],
  };
}

function nodesById(document: PlacedDocument, nodes: NonNullable<OwnTopology['nodes']>): DescribedNode[] {
  const byId = new Array<DescribedNode | undefined>(nodes.length).fill(undefined);
  nodes.forEach(({ id, kind, name, tier }, index) => {
    const steps = ['nodes', index, 'id'];
    if (id >= nodes.length) {
      throw document.error(
        steps,
        `node id ${id}: expected each from 0 to ${nodes.length - 1}, as there are so many nodes`,
      );
    }
    if (byId[id] !== undefined) throw document.error(steps, `node id ${id} given twice, expected once`);
    byId[id] = { kind, name, tier };
  });
  return byId as DescribedNode[];
}

function linksOf(document: PlacedDocument, links: readonly OwnLink[], nodeCount: number): TopologyLink[] {
  const all: TopologyLink[] = [];
  links.forEach((link, index) => {
    const { a, b, loss = 0, plane = 0, count = 1, queueBytes } = link;
    const at = (key: string): Steps => ['links', index, key];
    for (const end of ['a', 'b'] as const) {
      if (link[end] < nodeCount) continue;
      throw document.error(
        at(end),
        `node ${link[end]} at the end of a link, expected an id from 0 to ${nodeCount - 1}`,
      );
    }
    if (a === b) throw document.error(at('b'), `link from node ${a} to itself, expected two nodes`);
    if (all.length + count > MOST_LINKS) {
      throw document.error(at('count'), `more than ${grouped(MOST_LINKS)} links`);
    }
    const gbps = document.value(at('gbps'), () => rateOf(String(link.gbps)));
    const delayPs = document.value(at('delayNs'), () => delayOf(String(link.delayNs), 'ns'));
    const queue = queueBytes === undefined ? {} : { queueBytes };
    for (let i = 0; i < count; i++) all.push({ a, b, gbps, delayPs, loss, plane, ...queue });
  });
  return all;
}

interface DescribedSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
  readonly additionalProperties?: unknown;
}

function schemaError(document: PlacedDocument, error: ErrorObject): Error {
  const { keyword, instancePath, params, data } = error;
  const parent = error.parentSchema as DescribedSchema;
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^[0-9]+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
  // Where a key is missing, one that is misspelt is what is to be told.
  const stranger = keyword === 'required' || keyword === 'additionalProperties' ? unknownKey(data, parent) : undefined;
  if (stranger !== undefined) {
    const known = Object.keys(parent.properties!);
    const nearest = nearestName(stranger, known);
    const hint = nearest === undefined ? `known: ${known.join(', ')}` : `did you mean ${nearest}?`;
    return malformed(document.keyPlace([...steps, stranger]), `unknown key ${JSON.stringify(stranger)} (${hint})`);
  }
  if (keyword === 'required') {
    const missing = String(params.missingProperty);
    const expected = parent.properties?.[missing]?.description;
    return document.error(steps, `${missing} missing${expected === undefined ? '' : `, expected ${expected}`}`);
  }
  const subject = steps.length === 0 ? 'the file' : wayTo(steps);
  return document.error(steps, `${subject}: ${shownValue(data)}, expected ${parent.description}`);
}

function unknownKey(data: unknown, { properties, additionalProperties }: DescribedSchema): string | undefined {
  if (typeof data !== 'object' || data === null || additionalProperties !== false) return undefined;
  return Object.keys(data).find((key) => !Object.hasOwn(properties!, key));
}

/** `links[3].gbps`. */
function wayTo(steps: Steps): string {
  return steps.reduce<string>(
    (way, step) => (typeof step === 'number' ? `${way}[${step}]` : way === '' ? step : `${way}.${step}`),
    '',
  );
}
