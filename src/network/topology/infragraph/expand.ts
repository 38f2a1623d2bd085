import { grouped } from '../../../base/counts.js';
import { MOST_LINKS, MOST_NODES, malformed } from '../malformed.js';
import type { PlacedDocument } from '../placed-document.js';
import type { Device, Infrastructure } from './description.js';
import { sliceIndices, type EdgeRule, type Endpoint } from './endpoints.js';
import type { LinkKind } from './link-kinds.js';
import type { Wires } from './wires.js';

/** What a segment of an endpoint may name. */
interface Named {
  readonly count: number;
  /** Where the next segment is looked up. */
  readonly inside: Device | undefined;
}

/**
 * All nodes and edges of an infrastructure. Ranks come in the order of instances, their indices, and components.
 * @throws PrepError `TOPOLOGY_MALFORMED` for names and indices that there are not
 */
export function expandedWires(infrastructure: Infrastructure, document: PlacedDocument): Wires {
  return new Expansion(infrastructure, document).wires();
}

class Expansion {
  readonly #wires: Wires = { nodes: [], edges: [], repeated: 0 };
  /** Index of the node that each component is part of: all ports of a switch are the switch. */
  readonly #nodeOf = new Map<string, number>();
  readonly #joined = new Set<string>();

  constructor(
    readonly infrastructure: Infrastructure,
    readonly document: PlacedDocument,
  ) {}

  wires(): Wires {
    const { instances, links, edges, devices } = this.infrastructure;
    const boxes: { device: Device; prefix: string }[] = [];
    for (const { name, device, count } of instances.values()) {
      for (let index = 0; index < count; index++) this.#addBox(device, `${name}.${index}`, [], boxes);
    }
    for (const { device, prefix } of boxes) {
      for (const edge of device.edges) {
        this.#addEdges(edge, device.links, (end) => this.#inside(device, end, `${prefix}.`, edge));
      }
    }
    for (const edge of edges) {
      this.#addEdges(edge, links, (end) => {
        const resolve = (name: string, outer: Device | undefined, depth: number): Named | undefined => {
          const instance = depth === 0 ? instances.get(name) : undefined;
          if (instance !== undefined) return { count: instance.count, inside: instance.device };
          return depth === 0 ? undefined : componentOf(outer, name, devices);
        };
        return this.#paths(end, '', edge, resolve);
      });
    }
    return this.#wires;
  }

  #inside(device: Device, end: Endpoint, prefix: string, edge: EdgeRule): string[] {
    const { devices } = this.infrastructure;
    return this.#paths(end, prefix, edge, (name, outer, depth) =>
      componentOf(depth === 0 ? device : outer, name, devices),
    );
  }

  /** Nodes of one box, and of the boxes in it. */
  #addBox(
    device: Device,
    prefix: string,
    around: readonly Device[],
    boxes: { device: Device; prefix: string }[],
  ): void {
    if (around.includes(device)) {
      throw this.document.error(device.steps, `device ${device.name} has itself inside`);
    }
    boxes.push({ device, prefix });
    const isSwitch = isSwitchDevice(device);
    const merged = isSwitch
      ? // A box of ports in another box is what a cable goes through; on its own it is a switch.
        this.#addNode(prefix, around.length === 0 ? 'switch' : 'transit', device.name)
      : undefined;
    for (const { name, kind, count } of device.components.values()) {
      for (let index = 0; index < count; index++) {
        const path = `${prefix}.${name}.${index}`;
        if (merged !== undefined) this.#nodeOf.set(path, merged);
        else if (kind === 'device') {
          const inner = this.infrastructure.devices.get(name);
          if (inner === undefined) {
            throw this.document.error(
              device.steps,
              `component ${name} of device ${device.name}: there is no device of that name`,
            );
          }
          this.#addBox(inner, path, [...around, device], boxes);
        } else {
          this.#nodeOf.set(
            path,
            this.#addNode(path, kind === 'xpu' ? 'rank' : kind === 'switch' ? 'switch' : 'transit', kind),
          );
        }
      }
    }
  }

  #addNode(name: string, role: 'rank' | 'switch' | 'transit', kind: string): number {
    if (this.#wires.nodes.length >= MOST_NODES) {
      throw malformed(this.document.file, `more than ${grouped(MOST_NODES)} components`);
    }
    return this.#wires.nodes.push({ name, role, kind }) - 1;
  }

  /** Full names of what an end means, outermost index first. */
  #paths(
    end: Endpoint,
    prefix: string,
    edge: EdgeRule,
    resolve: (name: string, outer: Device | undefined, depth: number) => Named | undefined,
  ): string[] {
    let paths = [prefix];
    let outer: Device | undefined;
    end.forEach(({ name, slice }, depth) => {
      const named = resolve(name, outer, depth);
      const shown = slice === undefined ? name : `${name}[${slice}]`;
      if (named === undefined) throw this.document.error(edge.steps, `${shown}: there is no ${name} here`);
      const indices = sliceIndices(slice, named.count);
      if (typeof indices === 'string') throw this.document.error(edge.steps, `${shown}: ${indices}`);
      const separator = depth === 0 ? '' : '.';
      paths = paths.flatMap((path) => indices.map((index) => `${path}${separator}${name}.${index}`));
      if (paths.length > MOST_LINKS) throw this.document.error(edge.steps, `more than ${grouped(MOST_LINKS)} ends`);
      outer = named.inside;
    });
    return paths;
  }

  #addEdges(edge: EdgeRule, links: ReadonlyMap<string, LinkKind>, pathsOf: (end: Endpoint) => string[]): void {
    const link = links.get(edge.link);
    if (link === undefined) {
      const known = [...links.keys()].join(', ');
      throw this.document.error(edge.steps, `unknown link ${edge.link}${known === '' ? '' : ` (known: ${known})`}`);
    }
    const [from, to] = edge.ends.map(pathsOf);
    if (edge.scheme === 'one2one') {
      if (from.length !== to.length) {
        throw this.document.error(edge.steps, `one2one between ${from.length} and ${to.length} ends, expected as many`);
      }
      from.forEach((path, index) => this.#addEdge(path, to[index], link, edge));
    } else if (edge.scheme === 'many2many') {
      if (from.length * to.length > MOST_LINKS) {
        throw this.document.error(edge.steps, `many2many makes more than ${grouped(MOST_LINKS)} edges`);
      }
      for (const a of from) for (const b of to) this.#addEdge(a, b, link, edge);
    } else {
      const ring = [...new Set([...from, ...to])];
      ring.forEach((path, index) => this.#addEdge(path, ring[(index + 1) % ring.length], link, edge));
    }
  }

  #addEdge(from: string, to: string, { name, gbps, delayPs }: LinkKind, { steps }: EdgeRule): void {
    if (from === to) return; // in a mesh of a list with itself
    const [a, b] = [from, to].map((path) => {
      const node = this.#nodeOf.get(path);
      if (node === undefined) throw this.document.error(steps, `${path}: a device, expected a component in it`);
      return node;
    });
    const pair = from < to ? `${from} ${to}` : `${to} ${from}`;
    if (this.#joined.has(pair)) {
      this.#wires.repeated++;
      return;
    }
    this.#joined.add(pair);
    if (a === b) return; // from port to port inside one switch
    const unrated = gbps === undefined ? [name] : [];
    this.#wires.edges.push({ a, b, gbps, delayPs, links: [name], unrated });
  }
}

function componentOf(
  device: Device | undefined,
  name: string,
  devices: ReadonlyMap<string, Device>,
): Named | undefined {
  const component = device?.components.get(name);
  if (component === undefined) return undefined;
  return { count: component.count, inside: component.kind === 'device' ? devices.get(name) : undefined };
}

/** Ports only, or ports of one switch. */
function isSwitchDevice({ components }: Device): boolean {
  const all = [...components.values()];
  const switches = all.reduce((sum, { kind, count }) => sum + (kind === 'switch' ? count : 0), 0);
  return all.length > 0 && switches <= 1 && all.every(({ kind }) => kind === 'port' || kind === 'switch');
}
