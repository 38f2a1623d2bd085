import { counted, grouped } from '../base/counts.js';
import { countFindings, type Finding } from '../base/finding.js';
import { addAstraChanges, astraChangeLines, noAstraChanges, type AstraChanges } from './for-astra-sim/changes.js';

/** What happened to the collectives of one type and algorithm. */
export interface ExpansionBalance {
  /** Collectives, each counted once, at its group's first position. */
  collectives: number;
  /** Nodes expanded, one a member. */
  nodes: number;
  /** `comm_size` over these nodes, bytes; an absent one counts 0. */
  bytesIn: number;
  /** Bytes over the chunks that these are cut into; absent where the algorithm cuts nothing. */
  bytesInChunks?: number;
  /** Sends written. */
  transfers: number;
  /** Bytes these sends carry. */
  bytesOut: number;
}

/**
 * What a preparation did, for the report on stderr (design section 2). Plain data; balances of ranks and of the plan
 * add up with {@link addBalance}. Bytes are before scaling.
 */
export interface Balance {
  ranks: number;
  nodesIn: number;
  nodesOut: number;
  /** By `AllReduce ring`, … */
  expanded: Record<string, ExpansionBalance>;
  /** Zero-byte sends of synchronization barriers. */
  syncTransfers: number;
  /** Dependencies that serialization added, each counted once however many nodes an entry has. */
  chainDependencies: number;
  /** Groups whose collectives carry no order of issue and were not chained. */
  unchainedGroups: string[];
  /** Collective nodes that were left as they are. */
  unexpandedNodes: number;
  /** Nodes whose size or duration was scaled down. */
  scaledNodes: number;
  /** What writing for ASTRA-sim changed; absent without it. */
  astraSim?: AstraChanges;
  /** Process groups that got a number there: old name → number. */
  groupNumbers?: Readonly<Record<string, string>>;
  /** Everything defaulted, guessed or skipped. */
  findings: Finding[];
}

export function emptyBalance(): Balance {
  return {
    ranks: 0,
    nodesIn: 0,
    nodesOut: 0,
    expanded: {},
    syncTransfers: 0,
    chainDependencies: 0,
    unchainedGroups: [],
    unexpandedNodes: 0,
    scaledNodes: 0,
    findings: [],
  };
}

/** Adds `part` to `sum`. */
export function addBalance(sum: Balance, part: Balance): void {
  sum.ranks += part.ranks;
  sum.nodesIn += part.nodesIn;
  sum.nodesOut += part.nodesOut;
  sum.syncTransfers += part.syncTransfers;
  sum.chainDependencies += part.chainDependencies;
  sum.unexpandedNodes += part.unexpandedNodes;
  sum.scaledNodes += part.scaledNodes;
  sum.unchainedGroups.push(...part.unchainedGroups);
  sum.findings.push(...part.findings);
  if (part.astraSim !== undefined) addAstraChanges((sum.astraSim ??= noAstraChanges()), part.astraSim);
  for (const [name, expansion] of Object.entries(part.expanded)) {
    const total = expansionOf(sum, name);
    total.collectives += expansion.collectives;
    total.nodes += expansion.nodes;
    total.bytesIn += expansion.bytesIn;
    if (expansion.bytesInChunks !== undefined) {
      total.bytesInChunks = (total.bytesInChunks ?? 0) + expansion.bytesInChunks;
    }
    total.transfers += expansion.transfers;
    total.bytesOut += expansion.bytesOut;
  }
}

/** The row of a collective type and algorithm, added when it is not there. */
export function expansionOf(balance: Balance, name: string): ExpansionBalance {
  return (balance.expanded[name] ??= { collectives: 0, nodes: 0, bytesIn: 0, transfers: 0, bytesOut: 0 });
}

/** The balance as lines of text, its findings last. */
export function balanceLines(balance: Balance): string[] {
  const lines = [
    `${counted(balance.ranks, 'rank')}, ${counted(balance.nodesIn, 'node')} in, ${grouped(balance.nodesOut)} out`,
  ];
  for (const name of Object.keys(balance.expanded).sort()) {
    const { collectives, nodes, bytesIn, bytesInChunks = bytesIn, transfers, bytesOut } = balance.expanded[name];
    const cut = bytesInChunks === bytesIn ? '' : `, cut into chunks of ${grouped(bytesInChunks)} B in all,`;
    lines.push(
      `${name}: ${counted(collectives, 'collective')} on ${counted(nodes, 'node')} with ${grouped(bytesIn)} B${cut}` +
        ` became ${counted(transfers, 'transfer')} with ${grouped(bytesOut)} B on the wire`,
    );
  }
  if (balance.syncTransfers > 0)
    lines.push(`synchronization: ${counted(balance.syncTransfers, 'transfer')} of 0 B added`);
  if (balance.chainDependencies > 0) {
    lines.push(`serialization: ${grouped(balance.chainDependencies)} dependencies added`);
  }
  if (balance.scaledNodes > 0) lines.push(`scaling: ${counted(balance.scaledNodes, 'node')} changed`);
  if (balance.unexpandedNodes > 0) lines.push(`not expanded: ${counted(balance.unexpandedNodes, 'collective node')}`);
  if (balance.astraSim !== undefined) lines.push(...astraChangeLines(balance.astraSim, balance.groupNumbers ?? {}));
  const { errors, warnings, notes } = countFindings(balance.findings);
  if (errors + warnings + notes > 0) {
    lines.push(`${counted(errors, 'error')}, ${counted(warnings, 'warning')}, ${counted(notes, 'note')}`);
    for (const { first, count } of foldedFindings(balance.findings)) {
      const { severity, code, message } = first;
      lines.push(`  ${severity} ${code}: ${message}${count > 1 ? ` (${count} times)` : ''}`);
    }
  }
  return lines;
}

/** One of the findings of each code and group, and how often it occurred. */
function foldedFindings(findings: readonly Finding[]): { first: Finding; count: number }[] {
  const folded = new Map<string, { first: Finding; count: number }>();
  for (const found of findings) {
    const key = `${found.code} ${found.group}`;
    const known = folded.get(key);
    if (known) known.count += found.count ?? 1;
    else folded.set(key, { first: found, count: found.count ?? 1 });
  }
  return [...folded.values()];
}
