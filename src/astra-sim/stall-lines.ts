import type { SystemEngine } from './system-engine.js';
import type { SystemNodes } from './system-nodes.js';
import type { SystemRun } from './system-run.js';

export function systemStallLines(_run: SystemRun, _nodes: SystemNodes, _engine: SystemEngine): string[] {
  return [];
}
