import { customScript } from '../astra-sim/expansion/custom-script.js';
import { linkDependents } from '../astra-sim/link-dependents.js';
import { Role, SystemNodes } from '../astra-sim/system-nodes.js';
import { TAG_LIMIT } from '../astra-sim/trace-tags.js';
import { finding } from '../base/catalogue.js';
import { counted } from '../base/counts.js';
import { requestError, type PrepError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { formatId } from '../base/ids.js';
import type { TracedPosition } from '../collectives/programs/traced-algorithm.js';
import { indicesById } from '../trace/id-order.js';
import { OwnAttribute } from '../trace/attribute-names.js';
import { isTransfer, NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { CustomTraces } from './custom-traces.js';

/** What the traces of an algorithm hold. */
export interface TracedPositions {
  readonly positions: readonly TracedPosition[];
  readonly indexCount: number;
  /** `collective_size` that their transfers state, bytes; 0 where they state none. */
  readonly size: number;
  readonly findings: readonly Finding[];
}

/**
 * Reads an algorithm from traces `<prefix>.<position>.et` (astra-sim-semantics section 10): their sends and receives, and what
 * these wait for through nodes of any other kind.
 *
 * @param count positions there are
 * @throws PrepError `ALGORITHM_FILE` for a node that is no part of an algorithm, `SYSTEM_CUSTOM` for transfers that do not match, and
 *   what reading a trace throws
 */
export function readTracedPositions(name: string, prefix: string, count: number): TracedPositions {
  const traces = new CustomTraces({}, 'nothing done');
  let size = 0;
  let computations = 0;
  const nodes = Array.from({ length: count }, (_, position) =>
    traces.withTrace(prefix, position, (trace) => {
      size = Math.max(size, statedSize(trace));
      for (let index = 0; index < trace.length; index++) computations += Number(trace.type[index] === NodeType.compute);
      return positionNodes(trace, position, count);
    }),
  );
  const { script } = customScript(name, prefix, nodes);
  const left = `${prefix}: ${counted(computations, 'compute node')} of the algorithm left out; what waits for them waits for what they wait for`;
  return {
    positions: script.positions,
    indexCount: script.indexCount,
    size,
    findings: [...traces.findings, ...(computations > 0 ? [finding('EXPANSION_TIMES_LEFT_OUT', left)] : [])],
  };
}

/** Size of the collective that the transfers of a trace are said to be a part of; 0 where they are said to be of none, or of several. */
function statedSize({ collectives, length, type, frameOffset, frameLength, kept }: RankTrace): number {
  const sizes = new Set(collectives.map(({ size }) => size));
  // Transfers may state it without being those of a collective that a trace counts.
  for (let node = 0; node < length && sizes.size < 2; node++) {
    if (!isTransfer(type[node]) || frameOffset[node] < 0) continue;
    kept?.forEachAttribute(frameOffset[node], frameLength[node], (name, _arm, integer) => {
      if (name === OwnAttribute.size && integer !== undefined) sizes.add(integer);
    });
  }
  const [size = 0] = sizes;
  return sizes.size === 1 && size > 0 ? size : 0;
}

function positionNodes(trace: RankTrace, position: number, count: number): SystemNodes {
  const { length, type, commSize, commTag, peer } = trace;
  const nodes = new SystemNodes();
  const order = indicesById(trace);
  nodes.reserve(length);
  nodes.length = length;
  nodes.offset.push(length);
  for (let node = 0; node < length; node++) {
    const index = order === undefined ? node : order[node];
    nodes.role[node] = Role.timed;
    if (type[index] === NodeType.collective) {
      throw refused(trace, index, 'is a collective; expected sends and receives, and what they wait for');
    }
    if (!isTransfer(type[index])) continue;
    if (!(peer[index] >= 0 && peer[index] < count && peer[index] !== position)) {
      throw refused(trace, index, `has partner ${peer[index]}; expected another of the ${counted(count, 'position')}`);
    }
    nodes.role[node] = type[index] === NodeType.send ? Role.send : Role.receive;
    nodes.amount[node] = Number.isNaN(commSize[index]) ? 0 : commSize[index];
    nodes.partner[node] = peer[index];
    nodes.tag[node] = (Number.isNaN(commTag[index]) ? 0 : commTag[index]) % TAG_LIMIT;
  }
  linkDependents(nodes, trace, order, 'both');
  return nodes;
}

function refused({ file, idLow, idHigh }: RankTrace, index: number, message: string): PrepError {
  return requestError('ALGORITHM_FILE', `${file} node ${formatId(idLow[index], idHigh[index])} ${message}`);
}
