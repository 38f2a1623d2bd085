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

/** Style sheet and arrow heads: light, and dark where the reader asks for it. */
export const STYLE = `<style>
svg{--page:#fff;--ink:#202124;--soft:#5f6368;--band:#f8f9fa;--edge:#3c4043;--ctrl:#8a8f94;--msg:#00796b;
--comp:#e3f2fd;--comp-line:#1565c0;--send:#e8f5e9;--send-line:#2e7d32;--recv:#fff8e1;--recv-line:#b26a00;
--coll:#fde8e4;--coll-line:#c62828;--mem:#ede7f6;--mem-line:#5e35b1;--meta:#f1f3f4;--meta-line:#5f6368;--up:#d50000}
@media (prefers-color-scheme:dark){svg{--page:#1b1c1e;--ink:#e8eaed;--soft:#9aa0a6;--band:#242629;--edge:#bdc1c6;--ctrl:#80868b;--msg:#4db6ac;
--comp:#12324d;--comp-line:#64b5f6;--send:#17361b;--send-line:#81c784;--recv:#3d3010;--recv-line:#ffca28;
--coll:#47201c;--coll-line:#ef9a9a;--mem:#2b2145;--mem-line:#b39ddb;--meta:#303236;--meta-line:#9aa0a6;--up:#ff6e6e}}
text{font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--ink)}
.head{font-size:14px;font-weight:600}.soft{fill:var(--soft)}.mid{text-anchor:middle}
.page{fill:var(--page)}.band{fill:var(--band)}
.comp{fill:var(--comp);stroke:var(--comp-line)}.send{fill:var(--send);stroke:var(--send-line)}
.recv{fill:var(--recv);stroke:var(--recv-line)}.coll{fill:var(--coll);stroke:var(--coll-line)}
.mem{fill:var(--mem);stroke:var(--mem-line)}.meta{fill:var(--meta);stroke:var(--meta-line);stroke-dasharray:4 2}
.other,.none{fill:none;stroke:var(--soft);stroke-dasharray:2 2}
.edge{fill:none;stroke:var(--edge)}.ctrl{stroke:var(--ctrl);stroke-dasharray:5 3}
.msg{stroke:var(--msg);stroke-width:1.5;opacity:.75}.path{stroke-dasharray:1 3;stroke-linecap:round;stroke-width:1.5}.up{stroke:var(--up)}
marker path{fill:var(--edge);stroke:none}#a-ctrl path{fill:none;stroke:var(--ctrl);stroke-width:2}#a-msg path{fill:var(--msg)}
#a-path path{fill:var(--page);stroke:var(--edge)}
</style>
<defs>
<marker id="a-data" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>
<marker id="a-ctrl" viewBox="0 0 8 8" refX="5" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M4 0V8"/></marker>
<marker id="a-msg" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8 3 4z"/></marker>
<marker id="a-path" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M1 1 7 4 1 7z"/></marker>
</defs>
`;
