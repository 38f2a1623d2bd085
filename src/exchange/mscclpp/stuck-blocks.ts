import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { packetSources } from './packet-cells.js';
import { channelKey, type RunningBlock } from './running-block.js';

/** Findings of one kind that are told one by one. */
const MOST_TOLD = 3;

/**
 * Why thread blocks never end: those that wait for what no thread block does, or else a first one of those that wait for each other.
 * @param sent signals of a channel so far @param met thread blocks at a barrier of a gpu
 */
export function stuckFindings(
  all: readonly RunningBlock[],
  stuck: readonly RunningBlock[],
  sent: (key: string) => number,
  met: (rank: number, barrier: number) => number,
): Finding[] {
  const signals = new Map<string, number>(); // of the whole plan, by channel
  for (const { rank, actions } of all) {
    for (const { op } of actions) {
      if (!['signal', 'rlxsignal', 'pws', 'pwsf'].includes(op.name)) continue;
      for (const channel of op.channels) {
        const key = channelKey(channel, rank, channel.peer);
        signals.set(key, (signals.get(key) ?? 0) + 1);
      }
    }
  }
  const reasons = stuck.map((block) => reasonOf(block, signals, sent, met, stuck));
  const certain = reasons.filter(({ isCertain }) => isCertain);
  const told = (certain.length > 0 ? certain : reasons).slice(0, certain.length > 0 ? MOST_TOLD : 1);
  const others = stuck.length - told.length;
  return told.map(({ rank, message }, at) => {
    const more = at === told.length - 1 && others > 0 ? ` (and ${counted(others, 'more thread block')} never end)` : '';
    return finding('PLAN_UNMATCHED', message + more, { gpu: rank });
  });
}

interface Reason {
  readonly rank: number;
  readonly message: string;
  /** Whether nothing in the plan can ever let it go on. */
  readonly isCertain: boolean;
}

function reasonOf(
  { rank, id, actions, next }: RunningBlock,
  signals: ReadonlyMap<string, number>,
  sent: (key: string) => number,
  met: (rank: number, barrier: number) => number,
  stuck: readonly RunningBlock[],
): Reason {
  const { op, sources } = actions[next];
  const label = `gpu ${rank} thread block ${id} (line ${op.line})`;
  if (op.barrier !== undefined) {
    const { id: barrier, threadBlocks } = op.barrier;
    const here = stuck.filter((one) => one.rank === rank && one.actions[one.next].op.barrier?.id === barrier);
    const comes = stuck.filter(
      (one) => one.rank === rank && one.actions.slice(one.next).some((action) => action.op.barrier?.id === barrier),
    );
    return {
      rank,
      isCertain: comes.length < threadBlocks,
      message: `${label} waits at barrier ${barrier} for ${counted(threadBlocks, 'thread block')}, and ${Math.max(met(rank, barrier), here.length)} reached it`,
    };
  }
  if (op.name === 'wait' || op.name === 'rlxwait') {
    for (const channel of op.channels) {
      const key = channelKey(channel, channel.peer, rank);
      const total = signals.get(key) ?? 0;
      if (sent(key) < total) continue;
      const message = `${label} waits for a signal on ${key}, which sends ${counted(total, 'signal')} in all`;
      return { rank, isCertain: true, message };
    }
    const key = channelKey(op.channels[0], op.channels[0].peer, rank);
    return {
      rank,
      isCertain: false,
      message: `${label} waits for a signal on ${key}, and the two wait for each other`,
    };
  }
  if (op.name === 'sem_acquire') {
    const released = stuck.some(
      (one) =>
        one.rank === rank &&
        one.actions
          .slice(one.next)
          .some(
            ({ op: later }) =>
              later.name === 'sem_release' && later.semaphores.some((at) => op.semaphores.includes(at)),
          ),
    );
    const which = op.semaphores.join(', ');
    const message = `${label} acquires semaphore ${which}, which ${released ? 'waits for it' : 'nobody releases any more'}`;
    return { rank, isCertain: !released, message };
  }
  const [place] = packetSources(op.name, sources);
  const named = { i: 'input', o: 'output', s: 'scratch' }[place.buffer];
  const isWritten = stuck.some(({ actions: theirs, next: from }) =>
    theirs
      .slice(from)
      .some(({ op: later }) => ['ppkt', 'rppkt', 'respkt', 'recspkt', 'cpkt', 'recpkt'].includes(later.name)),
  );
  return {
    rank,
    isCertain: !isWritten,
    message: `${label} reads packets (${op.name}) of its ${named} buffer that nobody writes${isWritten ? ' before it' : ''}`,
  };
}
