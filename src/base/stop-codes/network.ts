import type { StopEntry } from './entry.js';

/** The network, and whether the traceset fits it. */
export const NETWORK_STOPS = {
  COLLECTIVES_RAW: {
    exitStatus: 2,
    title: 'raw collectives on a network with contention',
    meaning:
      'Transfers influence each other on this network, so collectives cannot be evaluated by themselves and must be nodes.',
    remedy: [
      'Expand the traces first: `chakra-prep prepare traces -o prepared`. `simulate` does so by itself; only callers of the library meet this.',
    ],
    advice: 'expand the traces first',
  },
  NETWORK_MALFORMED: {
    exitStatus: 2,
    title: 'network description with a wrong key or value',
    meaning: 'The network file or short form has a key that is not known, lacks one, or has a value out of range.',
    remedy: ['Correct the key that the message names; docs/simulate.md has both forms.'],
    advice: 'see docs/simulate.md',
  },
  NETWORK_MISSING: {
    exitStatus: 2,
    title: 'no network named',
    meaning: '`simulate` needs a network, and assumes none.',
    remedy: ['Name one with `--network`, such as `--network alpha-beta:latency=1us,bandwidth=50GB/s`.'],
    advice: 'name one with --network; none is assumed',
  },
  NETWORK_NO_ROUTE: {
    exitStatus: 2,
    title: 'no way through the network between two ranks that send to each other',
    meaning:
      'The traces send between two ranks whose hosts are in parts of the topology that no switch connects, or only other hosts do, and hosts forward nothing unless HostsForward is true (RT-1).',
    remedy: [
      'See the parts with `chakra-prep topology show`, and connect them.',
      'Or let hosts pass packets on with `--set HostsForward=true`.',
      'Or place the ranks otherwise with a mapping file.',
    ],
    advice: 'connect the hosts, or let hosts pass packets on with --set HostsForward=true',
  },
  NETWORK_NOT_ANALYTICAL: {
    exitStatus: 2,
    title: 'topology of hosts and switches where an analytical network is simulated',
    meaning:
      'The analytical backends take a network as dimensions with a bandwidth and a latency. A topology of hosts and switches is for packets.',
    remedy: [
      'Leave out --backend, or say `--backend packet`.',
      'Or name an analytical network: a `.yml` file with `topology`, `npus_count`, `bandwidth` and `latency`, or `alpha-beta:latency=1us,bandwidth=50GB/s`.',
    ],
    advice: 'leave out --backend, or name an analytical network',
  },
  NETWORK_NOT_PACKET: {
    exitStatus: 2,
    title: 'network that has no hosts and switches for packets',
    meaning:
      'The packet network sends frames from host to host over links and switches. An α–β network has none, and the dimensions of an analytical topology do not say which there are.',
    remedy: [
      'Name a topology of hosts and switches; docs/packet-network.md has its forms.',
      'Or take --backend analytical-unaware or analytical-aware.',
    ],
    advice: 'name a topology of hosts and switches, or take another --backend',
  },
  NETWORK_SIZE: {
    exitStatus: 2,
    title: 'network and traceset differ in size',
    meaning:
      'The network has another number of NPUs than the traceset has ranks, or a rank is placed where there is none. With --system ranks beyond the NPUs are left out, SYSTEM_TRACES_LEFT_OUT; without, commands place ranks on servers before, and stop with SERVER_COUNT or SERVER_UNKNOWN.',
    remedy: ['Give the network as many NPUs as there are ranks: the product of `npus_count`.'],
    advice: 'give the network as many NPUs as there are ranks',
  },
  NETWORK_TOO_LARGE: {
    exitStatus: 2,
    title: 'topology with too many links or routes to simulate',
    meaning:
      'A network that simulates its links numbers them, and takes at most 2^28: a FullyConnected dimension has one for each ordered pair of its NPUs, so 16,384 of them reach it. A packet network takes as many routes: one from each node to each switch that hosts with one link hang on, and to each host with several.',
    remedy: [
      'Leave out of a topology of hosts and switches what has no rank.',
      'Make a Switch or a Ring of the dimension that the message shows as FullyConnected.',
      'Or take the network without congestion, analytical-unaware, which has no links.',
    ],
    advice: 'make a Switch of what is FullyConnected, or take analytical-unaware',
  },
  NETWORK_UNKNOWN: {
    exitStatus: 2,
    title: 'unknown kind of network',
    meaning: '--network is neither a file nor one of the short forms.',
    remedy: ['Use a file, or `alpha-beta:latency=1us,bandwidth=50GB/s`.'],
    advice: 'use a file or alpha-beta:latency=1us,bandwidth=50GB/s',
  },
  NETWORK_UNREADABLE: {
    exitStatus: 2,
    title: 'network file cannot be read',
    meaning: 'The file of --network is not there or may not be read.',
    remedy: ['Check the path and its permissions.'],
    advice: 'check the path',
  },
  NETWORK_WITHOUT_LINKS: {
    exitStatus: 2,
    title: 'network without links where links are simulated',
    meaning:
      'The congestion-aware analytical network lets messages wait for links. An α–β network says what a pair of ranks takes and has no links, so there is nothing to wait for.',
    remedy: [
      'Name a topology: a `.yml` file with `topology`, `npus_count`, `bandwidth` and `latency`, such as a `Switch` of all ranks.',
      'Or take the network without congestion, analytical-unaware.',
    ],
    advice: 'name a .yml topology, or take analytical-unaware',
  },
  NIC_KINDS_MIXED: {
    exitStatus: 2,
    title: 'servers with NICs of different kinds',
    meaning:
      'All servers of a network must have one kind of NIC: RoCE, UET or MRC (R-033). Only callers of the library, who describe the servers, can meet it.',
    remedy: ['Give all servers one kind of NIC; the message names the first that differs.'],
    advice: 'give all servers one kind of NIC',
  },
  PACKET_SETTING: {
    exitStatus: 2,
    title: 'setting that the packet network cannot run with',
    meaning:
      'Settings of the packet network contradict each other or the NIC, or leave no room for a frame, which would be dropped each time it is sent.',
    remedy: ['Change the setting that the message names; docs/packet-network.md has all with their defaults.'],
    advice: 'see docs/packet-network.md',
  },
  SERVER_COUNT: {
    exitStatus: 2,
    title: 'network and traceset differ in servers and ranks',
    meaning: 'There must be one server a rank (R-032). More are taken where that is allowed, fewer never.',
    remedy: [
      'Give the network as many servers as there are ranks.',
      'Or let surplus servers stay idle with `--allow-extra-servers`.',
    ],
    advice: 'give the network as many servers as there are ranks, or use --allow-extra-servers',
  },
  SERVER_UNKNOWN: {
    exitStatus: 2,
    title: 'mapping file names a server the network does not have',
    meaning: 'A rank is placed on a server id that is none of the network (R-037).',
    remedy: ['Name a server of the network that has a NIC; the message lists them.'],
    advice: 'name a server of the network that has a NIC',
  },
  TRANSFER_TOO_LARGE: {
    exitStatus: 2,
    title: 'transfer with more packets than can be numbered',
    meaning:
      'A packet network numbers the packets of a transfer, and with RoCEv2 those of all transfers of a queue pair, and has 2^31 − 1 numbers: 8.7 TB at 4,096 B a packet.',
    remedy: [
      'Send less at once; a size that is meant in bytes may have been read as elements.',
      'Or make packets larger with `--set MSS=…`, with RoCEv2 queue pairs more with `QpMode` or `QpsPerPair`.',
    ],
    advice: 'send less at once, or make MSS larger',
  },
} satisfies Record<string, StopEntry>;
