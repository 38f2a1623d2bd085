import { SaxesParser } from 'saxes';

/** A graph as another reader of the file sees it. */
export interface ReadGraph {
  /** Data by name, by id, in the order of the file. */
  readonly nodes: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly edges: readonly { from: string; to: string; data: Readonly<Record<string, string>> }[];
  /** Data of the graph itself. */
  readonly data: Readonly<Record<string, string>>;
}

/** Reads GraphML with a parser of XML; data go by the names of their keys. Throws where the XML is not well-formed. */
export function readGraphMl(text: string): ReadGraph {
  const names = new Map<string, string>();
  const nodes = new Map<string, Record<string, string>>();
  const edges: { from: string; to: string; data: Record<string, string> }[] = [];
  const graph: Record<string, string> = {};
  const ids = new Set<string>();
  let data = graph;
  let key: string | undefined;
  let content = '';
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const attribute = attributes as Record<string, string>;
    if (name === 'key') names.set(attribute.id, attribute['attr.name']);
    else if (name === 'node') {
      if (nodes.has(attribute.id)) throw new Error(`two nodes have the id ${attribute.id}`);
      nodes.set(attribute.id, (data = {}));
    } else if (name === 'edge') {
      if (attribute.id !== undefined) {
        if (ids.has(attribute.id)) throw new Error(`two edges have the id ${attribute.id}`);
        ids.add(attribute.id);
      }
      edges.push({ from: attribute.source, to: attribute.target, data: (data = {}) });
    } else if (name === 'data') {
      if (!names.has(attribute.key)) throw new Error(`no key ${attribute.key}`);
      key = names.get(attribute.key);
      content = '';
    }
  });
  parser.on('text', (piece) => (content += piece));
  parser.on('closetag', ({ name }) => {
    if (name === 'data' && key !== undefined) data[key] = content;
    if (name === 'node' || name === 'edge') data = graph;
    if (name === 'data') key = undefined;
  });
  parser.write(text).close();
  for (const { from, to } of edges) {
    if (!nodes.has(from) || !nodes.has(to)) throw new Error(`the edge ${from} → ${to} has an end that is no node`);
  }
  return { nodes, edges, data: graph };
}

const DOT_TOKEN =
  /\s+|("(?:\\[^]|[^"\\])*"|->|[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*|-?(?:\.\d+|\d+(?:\.\d*)?)|[{}[\];,=])/y;

/** Tokens of DOT by its grammar: names, numerals, quoted texts, punctuation. Throws at what is none of them. */
export function dotTokens(text: string): string[] {
  const tokens: string[] = [];
  DOT_TOKEN.lastIndex = 0;
  while (DOT_TOKEN.lastIndex < text.length) {
    const start = DOT_TOKEN.lastIndex;
    const match = DOT_TOKEN.exec(text);
    if (match === null) throw new Error(`no DOT at ${JSON.stringify(text.slice(start, start + 40))}`);
    if (match[1] !== undefined) tokens.push(match[1]);
  }
  return tokens;
}

/** Reads DOT: nodes and edges with their attributes, quoted texts as they stand between their quotes. */
export function readDot(text: string): ReadGraph {
  const tokens = dotTokens(text);
  const nodes = new Map<string, Record<string, string>>();
  const edges: { from: string; to: string; data: Record<string, string> }[] = [];
  const graph: Record<string, string> = {};
  const plain = (token: string): string => (token.startsWith('"') ? token.slice(1, -1).replaceAll('\\"', '"') : token);
  let at = tokens.indexOf('{') + 1;
  let open = 1;
  const attributes = (): Record<string, string> => {
    const found: Record<string, string> = {};
    if (tokens[at] !== '[') return found;
    for (at++; tokens[at] !== ']';) {
      if (tokens[at] === ',' || tokens[at] === ';') {
        at++;
        continue;
      }
      if (tokens[at + 1] !== '=') throw new Error(`no value of ${tokens[at]}`);
      found[plain(tokens[at])] = plain(tokens[at + 2]);
      at += 3;
    }
    at++;
    return found;
  };
  while (open > 0) {
    const token = tokens[at++];
    if (token === undefined) throw new Error('DOT ends before its last brace');
    if (token === '}') open--;
    else if (token === ';') continue;
    else if (token === 'subgraph') {
      at++;
      expect(tokens[at++]).toBe('{');
      open++;
    } else if (tokens[at] === '=') {
      graph[plain(token)] = plain(tokens[at + 1]);
      at += 2;
    } else if (tokens[at] === '->') {
      const to = plain(tokens[at + 1]);
      at += 2;
      edges.push({ from: plain(token), to, data: attributes() });
    } else {
      const found = attributes();
      if (!['graph', 'node', 'edge'].includes(token)) nodes.set(plain(token), found);
    }
  }
  expect(at).toBe(tokens.length);
  return { nodes, edges, data: graph };
}

/** Reads XML and gives its elements in order, with the text right inside them. Throws where it is not well-formed. */
export function xmlElements(text: string): { name: string; attributes: Record<string, string>; text: string }[] {
  const elements: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const open: (typeof elements)[number][] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (piece) => {
    if (open.length > 0) open[open.length - 1].text += piece;
  });
  parser.on('closetag', () => open.pop());
  parser.write(text).close();
  return elements;
}
