import type { NetworkFactory } from '../network/network.js';

/** How often a whole run is reported. */
const REPORTS = 200;

/**
 * A network of which somebody is told how many transfers are acknowledged.
 * @param transfers how many there are
 */
export function watchedTransfers(
  factory: NetworkFactory,
  transfers: number,
  onTransfers: (done: number, total: number) => void,
): NetworkFactory {
  const step = Math.max(1, Math.floor(transfers / REPORTS));
  return (rankCount, kernel, listener) => {
    let done = 0;
    return factory(rankCount, kernel, {
      sent: (transfer, timePs) => listener.sent(transfer, timePs),
      received: (transfer, timePs) => listener.received(transfer, timePs),
      acknowledged: (transfer, timePs) => {
        if (++done % step === 0) onTransfers(done, transfers);
        listener.acknowledged(transfer, timePs);
      },
    });
  };
}
