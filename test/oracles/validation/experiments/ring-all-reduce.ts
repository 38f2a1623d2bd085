import { figure, within, type Experiment, type Figure } from './figure.js';
import { allReduces, lastReceivedUs, SINGLE_SWITCH } from './job-run.js';
import { MIB } from './transport-run.js';

/** V-9, V-10: a ring AllReduce of 8 ranks through the whole product, from traces. */

const RANKS = 8;

function ringAllReduce(id: string, what: string, bytes: number, unlimitedUs: number, serialUs: number): Experiment {
  const run = async (name: string, QpMessagesInFlight: number, expectedUs: number): Promise<Figure> => {
    const lastUs = await lastReceivedUs({
      ranks: allReduces(RANKS, bytes),
      topology: SINGLE_SWITCH(RANKS),
      nic: 'roce',
      stated: { CongestionControl: 'none', QpMessagesInFlight },
    });
    return figure(`messages ${name}: last received`, 'µs', within(expectedUs, 0.003), lastUs);
  };
  return {
    id,
    what: `ring AllReduce of ${what} over 8 ranks on one switch, RoCEv2 without congestion control, sync off`,
    figures: async () => [await run('unlimited', 0, unlimitedUs), await run('one by one', 1, serialUs)],
  };
}

export const RING_ALL_REDUCE: readonly Experiment[] = [
  ringAllReduce('V-9', '8 MiB', 8 * MIB, 312.92, 325.99),
  ringAllReduce('V-10', '32 KiB', 32 * 1024, 16.36, 29.39),
];
