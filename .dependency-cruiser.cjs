/** The rooms of src and the rooms each may import from: arrows run one way, never in a circle. */
const rooms = {
  base: [],
  trace: ['base'],
  formats: ['base', 'trace'],
  // Hands out the nodes of one rank to a simulator; apart from the replay, which reads no files.
  feeder: ['base', 'trace', 'formats'],
  // Links PyTorch host traces with device traces.
  pytorch: ['base', 'trace', 'formats'],
  // Makes jobs from a few numbers: text workloads, generated ones.
  workloads: ['base', 'trace', 'formats'],
  // Pictures of traces: DOT, GraphML, SVG.
  drawings: ['base', 'trace', 'formats'],
  collectives: ['base', 'trace'],
  // Formats of other programs that hold a whole job: MSCCL, GOAL, ns-3, htsim, SimGrid.
  exchange: ['base', 'trace', 'formats', 'collectives'],
  passes: ['base', 'trace', 'collectives'],
  kernel: ['base'],
  network: ['base', 'kernel'],
  replay: ['base', 'trace', 'collectives', 'kernel', 'network'],
  // ASTRA-sim's own scheduling of collectives, apart from the replay: another engine with other rules.
  'astra-sim': ['base', 'trace', 'collectives', 'kernel', 'network'],
  records: ['base', 'trace', 'network', 'replay', 'astra-sim'],
  config: ['base', 'trace', 'collectives', 'network', 'passes', 'replay', 'astra-sim'],
  pipeline: [
    ...['base', 'trace', 'formats', 'feeder', 'pytorch', 'workloads', 'drawings', 'collectives', 'exchange', 'passes'],
    ...['kernel', 'network', 'replay', 'astra-sim', 'records', 'config'],
  ],
};

module.exports = {
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nobody-imports-cli', severity: 'error', from: { pathNot: '^src/cli/' }, to: { path: '^src/cli/' } },
    { name: 'nobody-imports-index', severity: 'error', from: { path: '^src/(?!cli/)' }, to: { path: '^src/index' } },
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `${room}-imports`,
      comment: `${room} may import ${allowed.join(', ') || 'nothing'} and itself`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: '^src/', pathNot: `^src/(${[room, ...allowed].join('|')})/` },
    })),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
