import { requestError, type ExitStatus } from '../../base/errors.js';
import { textFlag, type Call } from '../command.js';
import { replayCall } from '../simulate/replay.js';
import { CHOICE_OPTIONS } from './options.js';

/**
 * Replays the traces of a call and writes the timeline of the run, as `simulate --timeline` does, and nothing else.
 * @throws PrepError `DRAWING_OPTION`, `NETWORK_MISSING`, `OUTPUT_AMBIGUOUS`, and what the replay throws
 */
export async function timelineCall(call: Call, out: string): Promise<ExitStatus> {
  const { flags, printer } = call;
  // What a configuration file says for another command is none of ours.
  const unused = Object.keys(CHOICE_OPTIONS).find((name) => flags[name] !== undefined && flags.config === undefined);
  if (unused !== undefined) {
    throw requestError(
      'DRAWING_OPTION',
      `--${unused}: a timeline shows all nodes of its ranks`,
      'leave it out; --rank chooses ranks',
    );
  }
  const network = textFlag(flags, 'network');
  if (network === undefined) {
    throw requestError(
      'NETWORK_MISSING',
      'visualize --to timeline: --network is missing; a timeline shows a run, and no network is assumed',
      'such as --network alpha-beta:latency=1us,bandwidth=50GB/s, or the file of a topology',
    );
  }
  const { rank } = flags;
  const status = await replayCall(
    {
      ...call,
      flags: {
        ...flags,
        o: undefined,
        out: undefined,
        timeline: out,
        ...(rank === undefined ? {} : { 'timeline-ranks': rank }),
        report: 'none',
      },
    },
    network,
  );
  printer.say(`written to ${out}`);
  return status;
}
