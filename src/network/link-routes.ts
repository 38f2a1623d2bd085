import { requestError } from '../base/errors.js';
import type { PrepError } from '../base/errors.js';
import { npusOf } from './analytical-placement.js';
import type { AnalyticalSpec, Dimension, Topology } from './network-spec.js';

/** Numbers of links stay below this; 12 bytes a link are addressed for the state of each. */
const MOST_LINKS = 2 ** 28;

const CLOCKWISE = 0;
const ANTICLOCKWISE = 1;
const UP = 0;
const DOWN = 1;

/**
 * The directed links of a topology and the way over them (astra-sim-semantics section 13), worked out from the numbers of
 * devices: no table grows with pairs of NPUs.
 *
 * Every dimension has links of its own for each set of NPUs that differ in its coordinate only: a Ring one in both directions
 * between neighbours, FullyConnected one for each ordered pair, a Switch one up and one down for each NPU. A way puts
 * coordinate 0 right first, then 1, and so on; on a Ring it goes clockwise, to the next higher coordinate, unless the other
 * way round is strictly shorter. A Ring of two so has one link each way.
 *
 * Devices are numbered: first the NPUs, then the switches of each dimension in turn, those of one dimension by their lowest
 * NPU.
 */
export class LinkRoutes {
  /** Number of NPUs and switches. */
  readonly deviceCount: number;
  readonly linkCount: number;
  /** The link found last, */
  link = 0;
  /** its dimension, */
  dimension = 0;
  /** and the device at its end. */
  end = 0;

  readonly #npuCount: number;
  readonly #topology: readonly Topology[]; // [dimensions]
  readonly #size: Int32Array; // [dimensions] NPUs of one set
  readonly #stride: Int32Array; // [dimensions] distance of NPUs that are neighbours in the coordinate
  readonly #firstLink: Int32Array; // [dimensions]
  readonly #ports: Int32Array; // [dimensions] links that are counted with one NPU
  readonly #firstSwitch: Int32Array; // [dimensions] device

  /** @throws PrepError `NETWORK_TOO_LARGE` when there are more than 2^28 links */
  constructor(spec: AnalyticalSpec) {
    const { dimensions } = spec;
    const npus = npusOf(spec);
    const ports = dimensions.map(portsOf);
    const links = ports.reduce((sum, count) => sum + count * npus, 0);
    if (links > MOST_LINKS) throw tooLarge(dimensions, links);
    this.#npuCount = npus;
    this.#topology = dimensions.map(({ topology }) => topology);
    this.#size = Int32Array.from(dimensions, (dimension) => dimension.npus);
    this.#stride = new Int32Array(dimensions.length);
    this.#firstLink = new Int32Array(dimensions.length);
    this.#firstSwitch = new Int32Array(dimensions.length);
    this.#ports = Int32Array.from(ports);
    let stride = 1;
    let link = 0;
    let device = npus;
    for (const [at, { topology, npus: size }] of dimensions.entries()) {
      this.#stride[at] = stride;
      this.#firstLink[at] = link;
      this.#firstSwitch[at] = device;
      stride *= size;
      link += ports[at] * npus;
      if (topology === 'Switch') device += npus / size;
    }
    this.linkCount = link;
    this.deviceCount = device;
  }

  /** Finds the link over which a message for NPU `goal` leaves `device`, which is another one. */
  find(device: number, goal: number): void {
    if (device < this.#npuCount) this.#fromNpu(device, goal);
    else this.#fromSwitch(device, goal);
  }

  #fromNpu(npu: number, goal: number): void {
    let at = 0;
    let here = npu % this.#size[0];
    let there = goal % this.#size[0];
    while (here === there) {
      at++;
      here = this.#coordinate(npu, at);
      there = this.#coordinate(goal, at);
    }
    const topology = this.#topology[at];
    const stride = this.#stride[at];
    const size = this.#size[at];
    if (topology === 'Ring') {
      const clockwise = there > here ? there - here : there - here + size;
      if (clockwise <= size - clockwise) {
        this.#take(at, npu, CLOCKWISE, npu + (here + 1 === size ? 1 - size : 1) * stride);
      } else {
        this.#take(at, npu, ANTICLOCKWISE, npu + (here === 0 ? size - 1 : -1) * stride);
      }
    } else if (topology === 'FullyConnected') {
      this.#take(at, npu, there, npu + (there - here) * stride);
    } else {
      const set = (npu % stride) + Math.trunc(npu / (stride * size)) * stride;
      this.#take(at, npu, UP, this.#firstSwitch[at] + set);
    }
  }

  #fromSwitch(device: number, goal: number): void {
    let at = this.#size.length - 1;
    while (this.#topology[at] !== 'Switch' || this.#firstSwitch[at] > device) at--;
    const stride = this.#stride[at];
    const set = device - this.#firstSwitch[at];
    const lowest = (set % stride) + Math.trunc(set / stride) * stride * this.#size[at];
    const npu = lowest + this.#coordinate(goal, at) * stride;
    this.#take(at, npu, DOWN, npu);
  }

  #take(dimension: number, npu: number, port: number, end: number): void {
    this.link = this.#firstLink[dimension] + npu * this.#ports[dimension] + port;
    this.dimension = dimension;
    this.end = end;
  }

  #coordinate(npu: number, dimension: number): number {
    return Math.trunc(npu / this.#stride[dimension]) % this.#size[dimension];
  }
}

/** Links that are counted with one NPU. */
function portsOf({ topology, npus }: Dimension): number {
  return topology === 'FullyConnected' ? npus : 2;
}

function tooLarge(dimensions: readonly Dimension[], links: number): PrepError {
  const shape = dimensions.map(({ topology, npus }) => `${topology} ${npus}`).join(' × ');
  return requestError(
    'NETWORK_TOO_LARGE',
    `network ${shape}: it has ${links} links; expected at most ${MOST_LINKS} where links are simulated`,
  );
}
