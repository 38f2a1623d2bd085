import { shownValue } from '../malformed.js';
import type { PlacedDocument, Steps } from '../placed-document.js';
import {
  dottedConnection,
  segmentsOf,
  SCHEMES,
  type EdgeRule,
  type Endpoint,
  type Scheme,
  type Segment,
} from './endpoints.js';
import { Fields, type UnreadKeys } from './fields.js';
import { linkKindsOf, type LinkKind } from './link-kinds.js';

const COMPONENT_KINDS = ['cpu', 'xpu', 'nic', 'memory', 'port', 'switch', 'device', 'custom'] as const;
export type ComponentKind = (typeof COMPONENT_KINDS)[number];

export interface Component {
  readonly name: string;
  readonly kind: ComponentKind;
  count: number;
}

export interface Device {
  readonly name: string;
  readonly components: Map<string, Component>;
  readonly links: ReadonlyMap<string, LinkKind>;
  readonly edges: readonly EdgeRule[];
  readonly steps: Steps;
}

export interface Instance {
  readonly name: string;
  readonly device: Device;
  count: number;
}

/** What an InfraGraph document says, in either form of it. */
export interface Infrastructure {
  readonly devices: ReadonlyMap<string, Device>;
  readonly instances: ReadonlyMap<string, Instance>;
  readonly links: ReadonlyMap<string, LinkKind>;
  readonly edges: readonly EdgeRule[];
  readonly unread: UnreadKeys;
  /** Components and instances without a count of their own: it is taken from the highest index that is used. */
  readonly counted: readonly string[];
}

/** @throws PrepError `TOPOLOGY_MALFORMED` */
export function describedInfrastructure(document: PlacedDocument): Infrastructure {
  const unread: UnreadKeys = new Map();
  const file = new Fields(document, [], document.root, 'the file');
  const root = file.fields('infrastructure') ?? file;
  if (root !== file) file.countUnread(['infrastructure'], unread);
  root.countUnread(['name', 'description', 'devices', 'instances', 'links', 'edges', 'connections'], unread);
  const uncounted: { name: string; owner: Component | Instance }[] = [];
  const devices = new Map<string, Device>();
  for (const fields of root.objects('devices')) {
    const device = deviceOf(fields, unread, uncounted);
    if (devices.has(device.name)) throw fields.error('name', `device ${device.name} given twice, expected once`);
    devices.set(device.name, device);
  }
  const instances = new Map<string, Instance>();
  for (const fields of root.objects('instances')) {
    fields.countUnread(['name', 'description', 'device', 'count'], unread);
    const name = fields.text('name');
    if (instances.has(name)) throw fields.error('name', `instance ${name} given twice, expected once`);
    const device = devices.get(fields.text('device'));
    if (device === undefined) throw unknown(fields, 'device', fields.text('device'), devices);
    const instance = { name, device, count: fields.count('count') ?? 0 };
    if (instance.count === 0) uncounted.push({ name, owner: instance });
    instances.set(name, instance);
  }
  const links = linkKindsOf(root, unread);
  const edges = edgesOf(root, true, unread);
  countByUse(devices, instances, edges, new Set(uncounted.map(({ owner }) => owner)));
  return { devices, instances, links, edges, unread, counted: uncounted.map(({ name }) => name) };
}

function deviceOf(
  fields: Fields,
  unread: UnreadKeys,
  uncounted: { name: string; owner: Component | Instance }[],
): Device {
  fields.countUnread(['name', 'description', 'components', 'links', 'edges', 'connections'], unread);
  const name = fields.text('name');
  const components = new Map<string, Component>();
  for (const item of fields.objects('components')) {
    item.countUnread(
      ['name', 'description', 'count', 'choice', 'type', 'external', 'device', ...COMPONENT_KINDS],
      unread,
    );
    const component = { name: item.text('name'), kind: kindOf(item), count: item.count('count') ?? 0 };
    if (components.has(component.name)) {
      throw item.error('name', `component ${component.name} given twice in device ${name}, expected once`);
    }
    if (component.count === 0) uncounted.push({ name: `${name}.${component.name}`, owner: component });
    components.set(component.name, component);
  }
  return {
    name,
    components,
    links: linkKindsOf(fields, unread),
    edges: edgesOf(fields, false, unread),
    steps: fields.steps,
  };
}

function kindOf(component: Fields): ComponentKind {
  const key = component.has('choice') ? 'choice' : 'type';
  const text = component.text(key);
  if (text === 'npu') return 'xpu'; // its name before
  const found = COMPONENT_KINDS.find((kind) => kind === text);
  if (found !== undefined) return found;
  throw component.error(key, `${key}: ${shownValue(text)}, expected one of ${COMPONENT_KINDS.join(', ')}`);
}

function edgesOf(owner: Fields, withInstances: boolean, unread: UnreadKeys): EdgeRule[] {
  const edges = owner.objects('edges').map((edge): EdgeRule => {
    edge.countUnread(['ep1', 'ep2', 'scheme', 'many2many', 'link', 'description'], unread);
    const ends = ['ep1', 'ep2'].map((key) => endpointOf(edge, key, withInstances, unread));
    return { ends: [ends[0], ends[1]], scheme: schemeOf(edge), link: edge.text('link'), steps: edge.steps };
  });
  const connections = owner.items('connections').map(({ value, steps }): EdgeRule => {
    const connection = typeof value === 'string' ? dottedConnection(value) : undefined;
    if (connection !== undefined) return { ...connection, scheme: 'one2one', steps };
    const form = withInstances ? 'server.0.nic.1.eth.leaf.0.port.1' : 'xpu.0.pcie.nic.0';
    throw owner.document.error(steps, `connection ${shownValue(value)}: expected a text such as ${form}`);
  });
  return [...edges, ...connections];
}

function endpointOf(edge: Fields, key: string, withInstances: boolean, unread: UnreadKeys): Endpoint {
  const fields = edge.fields(key);
  if (fields === undefined) throw edge.document.error(edge.steps, `${key} missing in an edge`);
  const owner = withInstances ? 'instance' : 'device';
  fields.countUnread([owner, 'component'], unread);
  const segments = (name: string): readonly Segment[] => {
    const found = segmentsOf(fields.text(name));
    if (found !== undefined) return found;
    throw fields.error(name, `${name} ${fields.text(name)}: expected a name with indices, such as nic[0:2]`);
  };
  if (!withInstances && !fields.has('device')) return segments('component');
  return [...segments(owner), ...segments('component')];
}

function schemeOf(edge: Fields): Scheme {
  // A yes or no before there were three of them.
  if (!edge.has('scheme') && typeof edge.get('many2many') === 'boolean') {
    return edge.get('many2many') === true ? 'many2many' : 'one2one';
  }
  const text = edge.text('scheme');
  const found = SCHEMES.find((scheme) => scheme === text);
  if (found === undefined) throw edge.error('scheme', `scheme: ${text}, expected one of ${SCHEMES.join(', ')}`);
  return found;
}

/** Gives what has no count the one that the highest index in an edge demands, and 1 where none names it. */
function countByUse(
  devices: ReadonlyMap<string, Device>,
  instances: ReadonlyMap<string, Instance>,
  edges: readonly EdgeRule[],
  uncounted: ReadonlySet<Component | Instance>,
): void {
  if (uncounted.size === 0) return;
  const use = (owner: Component | Instance | undefined, slice: string | undefined): void => {
    if (owner === undefined || !uncounted.has(owner)) return;
    const highest = Math.max(
      0,
      ...(slice ?? '0')
        .split(':')
        .slice(0, 2)
        .map((part, index) => Number(part) + 1 - index),
    );
    if (highest > owner.count) owner.count = highest;
  };
  const useInside = (device: Device | undefined, segments: readonly Segment[]): void => {
    for (const { name, slice } of segments) {
      use(device?.components.get(name), slice);
      device = devices.get(name);
    }
  };
  for (const device of devices.values()) {
    for (const { ends } of device.edges) for (const end of ends) useInside(device, end);
  }
  for (const { ends } of edges) {
    for (const [first, ...inner] of ends) {
      const instance = instances.get(first.name);
      use(instance, first.slice);
      useInside(instance?.device, inner);
    }
  }
  for (const owner of uncounted) owner.count = Math.max(1, owner.count);
}

function unknown(fields: Fields, key: string, name: string, known: ReadonlyMap<string, unknown>): Error {
  const names = [...known.keys()];
  return fields.error(key, `unknown ${key} ${name}${names.length === 0 ? '' : ` (known: ${names.join(', ')})`}`);
}
