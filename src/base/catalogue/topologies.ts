import type { CatalogueEntry } from './entry.js';

/** Packet topologies: what was taken for what is not said, and what is wrong or unusual about hosts, switches and links. */
export const TOPOLOGY_CODES = {
  TOPOLOGY_WORDS_LEFT: {
    severity: 'warning',
    title: 'words behind the last link',
    meaning: 'The first line announces fewer links, or the lines have more fields, than there are.',
    consequence: 'What is left is not in the topology, and the links before it may have been read in the wrong places.',
    remedy: ['Correct the number of links in the first line.', 'Or take out what does not belong to a link.'],
    example: {
      finding:
        'warning TOPOLOGY_WORDS_LEFT: in/star.txt:11: 2 words left, the first "extra", behind 8 links; they are not read',
      mended: '`9 1 8` stands before eight links.',
    },
    advice: 'correct the number of links in the first line',
  },
  TOPOLOGY_DEFAULT: {
    severity: 'warning',
    title: 'values that a topology does not state',
    meaning:
      'An InfraGraph document may leave out bandwidth, latency and, in its older form, counts. A bandwidth in transfers states none, as their width is not given.',
    consequence: 'Times are those of the values that the message names.',
    remedy: ['State them at the links, components or instances that the message names.'],
    example: {
      finding:
        'warning TOPOLOGY_DEFAULT: in/servers.yaml: 4 links state no bandwidth (pcie, in transfers whose width is not given): 400 Gbit/s is taken',
      mended:
        '`physical: {bandwidth: {choice: gigabits_per_second, gigabits_per_second: 800}, latency: {choice: ns, ns: 200}}`',
    },
    advice: 'state them where the message says',
  },
  TOPOLOGY_KEY_UNREAD: {
    severity: 'warning',
    title: 'key of an InfraGraph document that is not read',
    meaning: 'The key is no part of the schema, or changes nothing in a network, as annotations do.',
    consequence: 'The setting that was meant, if it is misspelt, has its default.',
    remedy: ['Correct the key, or leave it as it is where it is meant for other programs.'],
    example: {
      finding: 'warning TOPOLOGY_KEY_UNREAD: in/servers.yaml:25:103: latncy: not read',
      mended: '`latency: {choice: ns, ns: 500}`',
    },
    advice: 'correct the key if it was meant to count',
  },
  TOPOLOGY_JOINED: {
    severity: 'note',
    title: 'components that became part of a link',
    meaning:
      'What has two edges and is neither a rank nor a switch, such as a NIC, is one link with them: the smaller bandwidth, the sum of the latencies.',
    consequence: 'A frame is not stored and forwarded there.',
    remedy: ['Make it a component of choice `switch` if it is to forward frames.'],
    example: {
      finding:
        'note TOPOLOGY_JOINED: in/servers.yaml: 4 nic became part of 4 links; without a bandwidth, and no limit there: pcie, in transfers whose width is not given',
      mended: '`{name: nic, count: 2, choice: switch}`',
    },
    advice: 'make it a switch if it is to forward frames',
  },
  TOPOLOGY_LEFT_OUT: {
    severity: 'note',
    title: 'components and edges that lead nowhere',
    meaning:
      'A component with at most one edge, such as a memory or a port without a cable, carries nothing, and a second edge between the same two components is the same one.',
    consequence: 'None, unless an edge is missing.',
    remedy: ['Look at the edges of these components if they should carry something.'],
    example: {
      finding: 'note TOPOLOGY_LEFT_OUT: in/servers.yaml: 2 memory without a way on: left out',
      mended: 'The device has no component `dram`.',
    },
    advice: 'look at their edges if they should carry something',
  },
  TOPOLOGY_TRANSIT: {
    severity: 'note',
    title: 'components that forward as switches',
    meaning: 'What has three or more edges and is neither a rank nor a switch, such as a CPU between PCIe switches.',
    consequence: 'Frames may cross it as they cross a switch.',
    remedy: ['Leave such a component out of the devices if nothing of the network crosses it.'],
    example: {
      finding:
        'note TOPOLOGY_TRANSIT: in/servers.yaml: 2 cpu with three or more edges: taken as switches, the first server.0.cpu.0',
      mended: 'The device has no component `cpu`.',
    },
    advice: 'leave it out if nothing crosses it',
  },
  TOPOLOGY_FORM_LOSES: {
    severity: 'warning',
    title: 'topology written in a form that does not hold all of it',
    meaning: 'ns-3 text has no place for names, tiers other than the usual ones, planes, queue limits and NV switches.',
    consequence: 'What is read back has the usual names and tiers, one plane, no limits, and switches for NV switches.',
    remedy: ['Write `--to json`, which holds everything.'],
    example: {
      finding: 'warning TOPOLOGY_FORM_LOSES: in/links.txt: ns-3 text has no place for 5 queue limits',
      mended: '`chakra-prep topology show fabric.json --to json -o copy.json`',
    },
    advice: 'write --to json, which holds everything',
  },
  TOPOLOGY_UNCONNECTED: {
    severity: 'error',
    title: 'hosts or parts that nothing connects',
    meaning: 'A host has no link, or the topology falls into parts without a link between them.',
    consequence: 'A transfer between two parts has no way; a run in which there is one cannot begin.',
    remedy: ['Add the links that are missing.', 'Or take out hosts that are not used.'],
    example: {
      finding: 'error TOPOLOGY_UNCONNECTED: in/parts.json: 1 host without a link: h4',
      mended: 'Host 4 has a link to a switch.',
    },
    advice: 'add the links that are missing',
  },
  TOPOLOGY_HOSTS_FORWARD: {
    severity: 'warning',
    title: 'hosts that reach each other only through hosts',
    meaning: 'As in a ring of hosts without switches: there are links on the way, and a host in between.',
    consequence:
      'Hosts do not forward, so only neighbours can send to each other; a run with another transfer cannot begin.',
    remedy: ['Put switches between the hosts.', 'Or let only neighbours send to each other, as a ring algorithm does.'],
    example: {
      finding:
        'warning TOPOLOGY_HOSTS_FORWARD: in/ring.txt: 20 of 28 pairs of hosts reach each other only through other hosts, which do not forward',
      mended: 'All hosts are on a switch.',
    },
    advice: 'put switches between the hosts, or let only neighbours send',
  },
  TOPOLOGY_SWITCH_UNLINKED: {
    severity: 'warning',
    title: 'switch without a link',
    meaning: 'No link names the switch.',
    consequence: 'It takes no part; a link that was meant for it may be missing or have another id.',
    remedy: ['Add its links, or take it out.'],
    example: {
      finding: 'warning TOPOLOGY_SWITCH_UNLINKED: in/parts.json: 1 switch without a link: spare',
      mended: 'Every switch has links.',
    },
    advice: 'add its links, or take it out',
  },
  TOPOLOGY_DELAY_ZERO: {
    severity: 'warning',
    title: 'link with delay 0',
    meaning: 'A frame arrives at the instant at which its last bit was sent.',
    consequence: 'Times are too short, and pauses take effect at once.',
    remedy: ['Give the link its delay: light takes about 5 ns a metre.'],
    example: {
      finding: 'warning TOPOLOGY_DELAY_ZERO: in/star.txt: 1 link with delay 0: h3–s4',
      mended: '`0 4 400Gbps 0.0005ms 0`',
    },
    advice: 'give the link its delay',
  },
  TOPOLOGY_RATES_DIFFER: {
    severity: 'note',
    title: 'host with links of unequal rates',
    meaning: 'As where a GPU has a fast link to an NV switch and a slower one to a leaf switch.',
    consequence: 'None, unless the host spreads its data over all of them: then the slowest decides.',
    remedy: ['Correct the rate if they should be equal.'],
    example: {
      finding:
        'note TOPOLOGY_RATES_DIFFER: in/two-servers.txt: 4 hosts with links of 400 and 2880 Gbit/s: h0, h1, h2, h3',
      mended: 'All links of the host have 400 Gbit/s.',
    },
    advice: 'correct the rate if they should be equal',
  },
  TOPOLOGY_OVERSUBSCRIBED: {
    severity: 'note',
    title: 'tier with more bandwidth down than up',
    meaning: 'The switches of a tier have more bandwidth towards hosts than towards the tier above.',
    consequence: 'Hosts that all send upwards share what there is.',
    remedy: ['Add links or rate upwards if that is not meant.'],
    example: {
      finding:
        'note TOPOLOGY_OVERSUBSCRIBED: rails.json: tier 2: 2 switches with 3,200 Gbit/s down and 800 up, at most 4 : 1 at one',
      mended: 'Each leaf has as much bandwidth to its spines as to its hosts.',
    },
    advice: 'add links or rate upwards if that is not meant',
  },
  TOPOLOGY_PARALLEL: {
    severity: 'note',
    title: 'parallel links',
    meaning: 'Two nodes have more than one link between them.',
    consequence:
      'Each is a way of its own. Where a file gives every link in both directions, the bandwidth is twice what was meant.',
    remedy: ['Give each link once: it is full duplex.'],
    example: {
      finding:
        'note TOPOLOGY_PARALLEL: in/star.txt: 4 pairs of nodes with up to 2 parallel links: h0–s4 ×2, h1–s4 ×2, h2–s4 ×2, h3–s4 ×2; 4 are given in both directions, and a link has both already',
      mended: '`0 4 400Gbps 0.0005ms 0` without `4 0 400Gbps 0.0005ms 0`.',
    },
    advice: 'give each link once, if they are meant to be one',
  },
  TOPOLOGY_LOSS: {
    severity: 'note',
    title: 'links that lose frames',
    meaning: 'A link has a probability of loss above 0.',
    consequence: 'Frames are lost at random, and sent again where the transport does so.',
    remedy: ['Write 0 where no loss is meant.'],
    example: {
      finding: 'note TOPOLOGY_LOSS: in/star.txt: 1 link with loss (probability 0.001): h2–s4',
      mended: '`0 4 400Gbps 0.0005ms 0`',
    },
    advice: 'write 0 where no loss is meant',
  },
  TOPOLOGY_QUEUE_LIMIT: {
    severity: 'note',
    title: 'links with a queue limit of their own',
    meaning: 'The queue at each end of the link holds at most so many bytes.',
    consequence: 'The limit counts there in place of the one of the switch.',
    remedy: ['Leave the last column or `queueBytes` out where the limit of the switch is meant.'],
    example: {
      finding:
        'note TOPOLOGY_QUEUE_LIMIT: in/links.txt: 5 links with a queue limit (1,024,000 B): h0–s4, h1–s4, h2–s5, h3–s5 and 1 more',
      mended: '`0 1 100 1.0 0.0`',
    },
    advice: 'leave it out where the limit of the switch is meant',
  },
  TOPOLOGY_LOGICAL_SIZE: {
    severity: 'error',
    title: 'logical topology of another size',
    meaning: 'The product of `logical-dims` is not the number of hosts, or in a run not that of the ranks.',
    consequence: 'ASTRA-sim runs as many ranks as the product says: some hosts stay idle, or ranks have no host.',
    remedy: ['Make the product of `logical-dims` the number of hosts.'],
    example: {
      finding: 'error TOPOLOGY_LOGICAL_SIZE: in/logical.json: 2 × 2 = 4 ranks, the topology has 5 hosts',
      mended: '`{"logical-dims": ["5"]}`',
    },
    advice: 'make the product of logical-dims that number',
  },
} satisfies Record<string, CatalogueEntry>;
