import { requestError } from '../../base/errors.js';
import type { Command } from '../command.js';
import { generateTopology } from '../topology/generate.js';
import { TOPOLOGY_OPTIONS } from '../topology/options.js';
import { showTopology } from '../topology/show.js';

const ACTIONS = { show: showTopology, generate: generateTopology } as const;

export const topology: Command = {
  name: 'topology',
  usage: '<show|generate> <file|type>',
  summary: 'hosts, switches and links of a packet network: show, check, convert, generate',
  help: `Reads with show a topology in any form (docs/topologies.md), checks it, and prints what it is, or writes it in the form of
--to. Makes with generate one of a type (single-switch, leaf-spine, fat-tree, rail-optimised, dragonfly) and writes it to -o or
stdout. Exit status 1 when a check is an error.`,
  options: TOPOLOGY_OPTIONS,
  examples: [
    ['topology show fabric.txt', 'what is in a file, and whether it is sound'],
    ['topology show fabric.txt --to dot -o fabric.dot', 'as a picture for Graphviz'],
    [
      'topology generate leaf-spine --leaves 2 --spines 4 --hosts-per-leaf 4 --gbps 400 --delay-ns 500',
      'eight hosts on two leaves, on stdout',
    ],
    ['topology generate fat-tree -k 4 --gbps 400 --delay-ns 500 --to ns3 -o fat.txt', 'for ns-3'],
  ],
  run: async (call) => {
    const [action] = call.inputs;
    if (Object.hasOwn(ACTIONS, action)) return ACTIONS[action as keyof typeof ACTIONS](call);
    throw requestError(
      'USAGE',
      `topology ${action}: expected show or generate`,
      'chakra-prep topology --help has both',
    );
  },
};
