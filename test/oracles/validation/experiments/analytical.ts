import { figure, within, type Experiment } from './figure.js';
import { lastReceivedUnawareUs, lastReceivedUs, oneTransfer, SINGLE_SWITCH } from './job-run.js';

/** V-20: the packet network against one latency and one rate, through the whole product. */
export const ANALYTICAL: Experiment = {
  id: 'V-20',
  what: 'one transfer of 100 MB: the packet network over α = 1 µs, β = 50 GB/s without congestion',
  async figures() {
    const ranks = oneTransfer(100e6);
    const unaware = await lastReceivedUnawareUs(ranks, 'alpha-beta:latency=1us,bandwidth=50GB/s');
    const packets = await lastReceivedUs({ ranks, topology: SINGLE_SWITCH(2), nic: 'roce' });
    return [figure('RoCEv2: received, over that of α and β', '', within(1.01416, 0.001), packets / unaware)];
  },
};
