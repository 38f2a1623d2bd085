import type { NicKind } from '../../../../src/network/packet/settings/packet-settings.js';
import { generated } from '../../../support/packet-topologies.js';
import { exactly, figure, type Experiment, type Figure } from './figure.js';
import { acknowledgedUs, NIC_NAMES, post, receivedUs, runTransport } from './transport-run.js';

/** V-1 to V-3: one message over an idle network, against the closed form of section 12. */

export const oneSwitch = (hosts: number, gbps = 400) => generated('single-switch', { hosts, gbps });
export const twoLeaves = () => generated('leaf-spine', { leaves: 2, spines: 4, hostsPerLeaf: 4 });

type Times = Readonly<Record<NicKind, readonly [receivedUs: number, acknowledgedUs: number]>>;

function figuresOf(times: Times, run: (nic: NicKind) => ReturnType<typeof runTransport>): Figure[] {
  return Object.entries(times).flatMap(([nic, [received, acknowledged]]) => {
    const ran = run(nic as NicKind);
    const name = NIC_NAMES[nic as NicKind];
    return [
      figure(`${name}: received`, 'µs', exactly(received), receivedUs(ran)[0]),
      figure(`${name}: acknowledged`, 'µs', exactly(acknowledged), acknowledgedUs(ran)[0]),
    ];
  });
}

const V_1: Experiment = {
  id: 'V-1',
  what: '1 MiB over one switch',
  figures: () =>
    figuresOf({ roce: [22.35156, 23.3566], uet: [22.59828, 23.6014], mrc: [22.4338, 23.43692] }, (nic) =>
      runTransport({ nic, topology: oneSwitch(2), posts: [post(0, 1)] }),
    ),
};

const V_2: Experiment = {
  id: 'V-2',
  what: '1 MiB across spines, leaf-spine(2, 4, 4); UET and MRC spray over equal paths',
  figures: () =>
    figuresOf({ roce: [23.51772, 25.5278], uet: [23.76636, 25.7726], mrc: [23.6006, 25.60684] }, (nic) =>
      runTransport({ nic, topology: twoLeaves(), posts: [post(0, 5)] }),
    ),
};

const V_3: Experiment = {
  id: 'V-3',
  what: 'a message of 0 B and one of a full packet over one switch, RoCEv2',
  figures: () =>
    (
      [
        [0, 2.00736],
        [4096, 2.1712],
      ] as const
    ).map(([bytes, acknowledged]) => {
      const run = runTransport({ nic: 'roce', topology: oneSwitch(2), posts: [post(0, 1, bytes)] });
      return figure(
        `${bytes === 0 ? '0 B' : '4,096 B'}: acknowledged`,
        'µs',
        exactly(acknowledged),
        acknowledgedUs(run)[0],
      );
    }),
};

export const ONE_MESSAGE: readonly Experiment[] = [V_1, V_2, V_3];
