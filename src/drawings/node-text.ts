import { exactBytes, shortBytes } from '../base/byte-text.js';
import { grouped } from '../base/counts.js';
import { formatId } from '../base/ids.js';
import { collectiveName } from '../trace/collective-type.js';
import { NodeType, nodeTypeName } from '../trace/node-type.js';
import type { NodeFacts } from './node-facts.js';

/** Short words for types in a label. */
const TYPE_WORDS: Readonly<Record<number, string>> = {
  [NodeType.metadata]: 'metadata',
  [NodeType.memoryLoad]: 'load',
  [NodeType.memoryStore]: 'store',
  [NodeType.compute]: 'compute',
  [NodeType.send]: 'send',
  [NodeType.receive]: 'receive',
  [NodeType.collective]: 'collective',
};

/** What a node does, in few words: `AllReduce 4 MiB`, `send → 3 8 B`, `compute 12 µs`. */
export function shortFacts(facts: NodeFacts): string {
  const { type, peer, commType, sizeBytes, durationMicros } = facts;
  const word = TYPE_WORDS[type] ?? nodeTypeName(type);
  const parts = [type === NodeType.collective && commType >= 0 ? collectiveName(commType) : word];
  if (type === NodeType.send && peer >= 0) parts[0] += ` → ${peer}`;
  if (type === NodeType.receive && peer >= 0) parts[0] += ` ← ${peer}`;
  if (!Number.isNaN(sizeBytes)) parts.push(shortBytes(sizeBytes));
  if (durationMicros > 0) parts.push(`${grouped(durationMicros)} µs`);
  return parts.join(' · ');
}

/** Everything a picture knows of a node, a line a fact. */
export function factLines(facts: NodeFacts): string[] {
  const { name, group, commType, onHost } = facts;
  const lines = [
    ...(name === '' ? [] : [name]),
    `rank ${facts.rank}, node ${formatId(facts.idLow, facts.idHigh)}, ${nodeTypeName(facts.type)}`,
  ];
  const add = (word: string, value: number, textOf: (value: number) => string = String): void => {
    if (!Number.isNaN(value)) lines.push(`${word} ${textOf(value)}`);
  };
  if (facts.copy > 0)
    lines.push(`its id is the one of ${facts.copy === 1 ? 'a node' : `${facts.copy} nodes`} before it`);
  if (facts.durationMicros > 0) add('duration', facts.durationMicros, (value) => `${grouped(value)} µs`);
  add('start', facts.startMicros, (value) => `${value} µs`);
  if (commType >= 0) lines.push(collectiveName(commType));
  add('size', facts.sizeBytes, exactBytes);
  if (group !== undefined) lines.push(`group ${group}`);
  if (facts.peer >= 0) add(facts.type === NodeType.receive ? 'from rank' : 'to rank', facts.peer);
  add('tag', facts.tag);
  add('root', facts.root);
  add('stream', facts.stream);
  add('thread', facts.thread);
  add('operations', facts.operations, grouped);
  if (onHost !== undefined) lines.push(onHost ? 'on the host' : 'on the device');
  return lines;
}

/** A text of at most so many characters, the last `…` where there are more; ends of lines become spaces. */
export function cutText(text: string, most: number): string {
  const line = text.replace(/\s+/gu, ' ');
  const letters = Array.from(line.slice(0, 2 * most + 2));
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : line;
}

/** As {@link cutText}, with the `…` inside: names of one layer often begin alike. */
export function cutInside(text: string, most: number): string {
  const line = text.replace(/\s+/gu, ' ');
  const letters = Array.from(line);
  if (letters.length <= most) return line;
  const head = Math.ceil((most - 1) / 2);
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (most - 1 - head)).join('')}`;
}
