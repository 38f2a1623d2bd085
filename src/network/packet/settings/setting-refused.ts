import { requestError, type PrepError } from '../../../base/errors.js';

/** A setting that no packet network can run with. */
export function settingRefused(message: string, advice: string): PrepError {
  return requestError('PACKET_SETTING', message, advice);
}
