import { gzipSync } from 'node:zlib';
import type { Finding } from '../base/finding.js';
import { writeParts } from '../base/output-files.js';
import { JsonLinesWriter } from '../formats/chakra-jsonl.js';
import { EtWriter } from '../formats/et/et-writer.js';
import { openTraceSource } from '../formats/open-source.js';
import { readDeviceTrace } from '../formats/pytorch/read-device-trace.js';
import { readHostTrace } from '../formats/pytorch/read-host-trace.js';
import type { RankCommunications } from '../pytorch/communication.js';
import { communicationsOf } from '../pytorch/communications-of.js';
import { linkDependencies } from '../pytorch/dependencies/dependencies.js';
import { HostNodeWriter } from '../pytorch/host-node-writer.js';
import type { LinkAccount } from '../pytorch/link-account.js';
import { linkRank } from '../pytorch/link-rank.js';
import { writeLinkedJson } from '../pytorch/linked-json.js';
import type { LinkMethod } from '../pytorch/links.js';
import { orderNodes } from '../pytorch/node-order.js';
import { nodeFindings } from '../pytorch/node-findings.js';
import { nodeCounts, type NodeCounts } from '../pytorch/node-counts.js';
import type { RankPlace } from '../pytorch/rank-metadata.js';
import type { RankNodes, RankSettlement } from '../pytorch/rank-nodes.js';
import { streamsOf, type ChosenDeviceEvents } from '../pytorch/streams.js';
import { writeRank } from '../pytorch/write-rank.js';
import type { RankPair } from './link-files.js';
import type { LinkForm } from './link-forms.js';

/** One rank to link and write. Plain data: it crosses worker threads. */
export interface LinkJob {
  readonly pair: RankPair;
  /** Ranks that files are given of, counted from 0 to the largest. */
  readonly ranks: number;
  readonly chosen: ChosenDeviceEvents;
  readonly force: boolean;
  readonly form: LinkForm;
  readonly waitsLeftOut: boolean;
  /** Temporary name of the output. */
  readonly output: string;
  /** Tells the run of the command from every other one in this process. */
  readonly run: number;
  /** What all ranks together tell, where the rank is written for the second time. */
  readonly settled?: { readonly place: RankPlace; readonly settlement: RankSettlement };
}

/** What became of a rank. */
export interface LinkedRank {
  readonly rank: number;
  readonly host: string;
  readonly device?: string;
  readonly method?: LinkMethod;
  readonly confidence: number;
  readonly account?: LinkAccount;
  readonly nodes: NodeCounts;
  readonly communications: RankCommunications;
  /** As it was written. */
  readonly place: RankPlace;
  readonly findings: readonly Finding[];
}

type Linked = Omit<RankNodes, 'place' | 'settlement' | 'waitsLeftOut'> & {
  readonly result: Omit<LinkedRank, 'place'>;
};

/** The rank that a run linked last in this thread: where it is written twice in a row it is read once. */
let last: { readonly key: string; readonly linked: Linked } | undefined;

/**
 * Reads the traces of a rank, links them and writes the rank under its temporary name.
 * @throws PrepError what the readers throw, `LINK_PAIR_REFUSED`
 */
export function linkRankFiles(job: LinkJob): LinkedRank {
  const key = `${job.run} ${job.pair.host}`;
  const linked = last?.key === key ? last.linked : linkPair(job);
  last = { key, linked };
  const place = job.settled?.place ?? ownPlace(linked, job);
  write({ ...linked, place, waitsLeftOut: job.waitsLeftOut, settlement: job.settled?.settlement }, job);
  return { ...linked.result, place };
}

function linkPair({ pair, chosen, force }: LinkJob): Linked {
  last = undefined;
  const host = readHostTrace(openTraceSource(pair.host), pair.host);
  const device = pair.device === undefined ? undefined : readDeviceTrace(openTraceSource(pair.device), pair.device);
  const rank = pair.assumed ? (device?.distributed?.rank ?? pair.rank) : pair.rank;
  const { links, account, findings } = linkRank(host, device, { rank, force });
  const communications = communicationsOf(links);
  const streams = device === undefined ? undefined : streamsOf(links, device, chosen);
  const order = orderNodes(links, streams, chosen, (event) => communications.onDevice.get(event)?.length ?? 1);
  const dependencies = linkDependencies(links, streams, order, communications);
  const found = [
    ...[host, ...(device === undefined ? [] : [device])].flatMap((trace) =>
      trace.findings.map((found) => ({ rank, file: trace.file, ...found })),
    ),
    ...findings,
    ...communications.findings,
    ...nodeFindings(links, order, dependencies),
  ];
  return {
    ...{ links, order, dependencies, communications },
    result: {
      rank,
      host: pair.host,
      ...(pair.device === undefined ? {} : { device: pair.device }),
      ...(links.method === undefined ? {} : { method: links.method }),
      confidence: links.confidence,
      ...(account === undefined ? {} : { account }),
      nodes: nodeCounts(links, order, dependencies, chosen, streams?.outsideHostTrace ?? 0),
      communications,
      findings: found,
    },
  };
}

/** Place of the rank as its own traces tell it. */
function ownPlace({ links, communications }: Linked, { ranks }: LinkJob): RankPlace {
  const { rank } = links;
  const stated = links.device?.distributed?.worldSize ?? communications.worldSize;
  const worldSize = Number.isSafeInteger(stated) && stated > rank ? stated : Math.max(ranks, rank + 1);
  return { rank, worldSize, groups: groupsWith(rank, communications.groups) };
}

/** Groups that a rank is in, by name. */
export function groupsWith(
  rank: number,
  groups: ReadonlyMap<string, readonly number[]>,
): ReadonlyMap<string, readonly number[]> {
  return new Map(
    [...groups].filter(([, ranks]) => ranks.includes(rank)).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function write(rank: RankNodes, { form, output }: LinkJob): void {
  const hostNodes = new HostNodeWriter(rank.links.host);
  writeParts(output, (write) => {
    switch (form) {
      case 'et': {
        const out = new EtWriter(write);
        writeRank(rank, hostNodes, out);
        out.finish();
        break;
      }
      case 'jsonl': {
        const lines = new JsonLinesWriter(write);
        const out = new EtWriter((bytes) => lines.push(bytes));
        writeRank(rank, hostNodes, out);
        out.finish();
        lines.finish();
        break;
      }
      case 'linked-json':
        writeLinkedJson(rank, write);
        break;
      default: {
        const parts: Uint8Array[] = [];
        const keep = (bytes: Uint8Array): void => void parts.push(bytes.slice());
        if (form === 'linked-json.gz') writeLinkedJson(rank, keep);
        else {
          const out = new EtWriter(keep);
          writeRank(rank, hostNodes, out);
          out.finish();
        }
        write(gzipSync(Buffer.concat(parts)));
      }
    }
  });
}
