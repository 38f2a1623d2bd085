import { NodeType } from '../../trace/node-type.js';

/** How nodes of a type look: a class of the style sheet, a shape, and a word for the legend. */
export interface NodeLook {
  readonly name: string;
  readonly shape: 'box' | 'pill' | 'right' | 'notch' | 'cut' | 'ellipse';
  readonly word: string;
}

const LOOKS: Readonly<Record<number, NodeLook>> = {
  [NodeType.compute]: { name: 'comp', shape: 'box', word: 'compute' },
  [NodeType.send]: { name: 'send', shape: 'right', word: 'send' },
  [NodeType.receive]: { name: 'recv', shape: 'notch', word: 'receive' },
  [NodeType.collective]: { name: 'coll', shape: 'pill', word: 'collective' },
  [NodeType.memoryLoad]: { name: 'mem', shape: 'cut', word: 'memory' },
  [NodeType.memoryStore]: { name: 'mem', shape: 'cut', word: 'memory' },
  [NodeType.metadata]: { name: 'meta', shape: 'box', word: 'metadata' },
};
const OTHER: NodeLook = { name: 'other', shape: 'box', word: 'another type' };

/** An id that no node has. */
export const MISSING_LOOK: NodeLook = { name: 'none', shape: 'ellipse', word: 'no node has this id' };

export function lookOf(type: number): NodeLook {
  return LOOKS[type] ?? OTHER;
}

/** Class and word of each kind of edge, by EdgeKind. */
export const EDGE_LOOKS = [
  { name: 'data', word: 'data dependency' },
  { name: 'ctrl', word: 'control dependency' },
  { name: 'msg', word: 'message' },
  { name: 'path', word: 'through nodes left out' },
] as const;

/** Colours by class: fill and line of nodes, and of everything else. Plain rules: not every reader knows variables. */
function colours(of: Readonly<Record<string, string>>): string {
  const nodes = ['comp', 'send', 'recv', 'coll', 'mem', 'meta'].map((name) => {
    const [fill, line] = of[name].split(' ');
    return `.${name}{fill:${fill};stroke:${line}}`;
  });
  return [
    `.page{fill:${of.page}}.band{fill:${of.band}}text{fill:${of.ink}}.soft{fill:${of.soft}}`,
    ...nodes,
    `.other,.none{fill:${of.page};stroke:${of.soft}}.edge{stroke:${of.edge}}.ctrl{stroke:${of.ctrl}}`,
    `.msg{stroke:${of.msg}}.up{stroke:${of.up}}.h-data{fill:${of.edge}}.h-ctrl{stroke:${of.ctrl}}`,
    `.h-msg{fill:${of.msg}}.h-path{fill:${of.page};stroke:${of.edge}}`,
  ].join('');
}

const LIGHT = colours({
  ...{ page: '#fff', band: '#f4f6f8', ink: '#202124', soft: '#5f6368', edge: '#3c4043', ctrl: '#80868b' },
  ...{ msg: '#00796b', up: '#d50000', comp: '#e3f2fd #1565c0', send: '#e8f5e9 #2e7d32', recv: '#fff8e1 #b26a00' },
  ...{ coll: '#fde8e4 #c62828', mem: '#ede7f6 #5e35b1', meta: '#f1f3f4 #5f6368' },
});
const DARK = colours({
  ...{ page: '#1b1c1e', band: '#26282b', ink: '#e8eaed', soft: '#9aa0a6', edge: '#bdc1c6', ctrl: '#80868b' },
  ...{ msg: '#4db6ac', up: '#ff6e6e', comp: '#12324d #64b5f6', send: '#17361b #81c784', recv: '#3d3010 #ffca28' },
  ...{ coll: '#47201c #ef9a9a', mem: '#2b2145 #b39ddb', meta: '#303236 #9aa0a6' },
});

/** Style sheet and arrow heads: light, and dark where the reader asks for it. */
export const STYLE = `<style>
text{font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.head{font-size:14px;font-weight:600}.mid{text-anchor:middle}.edge{fill:none}
.ctrl{stroke-dasharray:5 3}.msg{stroke-width:1.5;opacity:.75}.path{stroke-dasharray:1 3;stroke-linecap:round;stroke-width:1.5}
.meta{stroke-dasharray:4 2}.other,.none{stroke-dasharray:2 2}.h-ctrl{fill:none;stroke-width:2}
${LIGHT}
@media (prefers-color-scheme:dark){${DARK}}
</style>
<defs>
<marker id="a-data" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="h-data" d="M0 0 8 4 0 8z"/></marker>
<marker id="a-ctrl" viewBox="0 0 8 8" refX="5" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="h-ctrl" d="M4 0V8"/></marker>
<marker id="a-msg" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path class="h-msg" d="M0 0 8 4 0 8 3 4z"/></marker>
<marker id="a-path" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="h-path" d="M1 1 7 4 1 7z"/></marker>
</defs>
`;
