import { requestError } from '../../base/errors.js';
import { systemOptions } from '../../config/system-options.js';
import { textFlag, type Command } from '../command.js';
import { SIMULATE_OPTIONS } from '../simulate/options.js';
import { replayCall } from '../simulate/replay.js';
import { systemCall } from '../simulate/system.js';

export const simulate: Command = {
  name: 'simulate',
  usage: '<in..> --network <spec>',
  summary: 'replay a traceset against a model of time',
  help: `Reads a raw or prepared traceset and replays it. Raw collectives are expanded on the way. Prints a summary table, or
with --json the result document, to which --report timing and wall add theirs; -o writes the records. Exit status 4 when the replay stalls, with who waits for whom.
With --system the traces run on ASTRA-sim's system layer instead.`,
  options: SIMULATE_OPTIONS,
  examples: [
    ['simulate prepared --network alpha-beta:latency=1us,bandwidth=50GB/s', 'prepared traces, one link speed'],
    ['simulate traces --network network.yml --allreduce tree --json', 'raw traces on an analytical topology'],
    ['simulate traces --network fabric.json --nic uet', 'packet by packet over hosts and switches'],
  ],
  run: async (call) => {
    const network = textFlag(call.flags, 'network');
    if (network === undefined) {
      throw requestError(
        'NETWORK_MISSING',
        'simulate: --network is missing; no network is assumed',
        'such as --network alpha-beta:latency=1us,bandwidth=50GB/s, or the file of a topology',
      );
    }
    const system = systemOptions(call.flags);
    return system === undefined ? replayCall(call, network) : systemCall(call, network, system);
  },
};
