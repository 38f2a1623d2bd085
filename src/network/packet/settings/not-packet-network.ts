import { requestError, type PrepError } from '../../../base/errors.js';
import type { NetworkSpec } from '../../network-spec.js';

/** A network without hosts and switches where packets are to be sent; `name` is what --network says. */
export function notPacketNetwork({ kind }: NetworkSpec, name: string): PrepError {
  const what = kind === 'alpha-beta' ? 'an α–β network has no links' : 'an analytical topology has no switches';
  return requestError(
    'NETWORK_NOT_PACKET',
    `network ${name}: ${what} to send packets over; --backend packet expects a topology of hosts and switches`,
    'name a topology of hosts and switches, or take another --backend',
  );
}
