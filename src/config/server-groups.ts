import { extname } from 'node:path';
import { parseMappingFile } from './mapping-file.js';

/** Servers of equally many ranks, each a scale-up group. */
export interface ServerGroups {
  readonly servers: number;
  readonly ranksPerServer: number;
  /** Of every group, as the mapping file has them. */
  readonly bandwidthGbps: number;
  readonly switchLatencyNs: number;
  readonly cableLatencyNs: number;
}

/**
 * A mapping file that places rank r on the host r and makes a scale-up group of each server: JSON where the name ends in `.json`,
 * else text.
 * @param path says the form, and is for messages
 * @throws PrepError `MAPPING_MALFORMED` where a parameter of the groups is out of its range
 */
export function serverGroupsMapping(groups: ServerGroups, path: string): string {
  const text = extname(path) === '.json' ? jsonOf(groups) : textOf(groups);
  parseMappingFile(Buffer.from(text), path);
  return text;
}

function textOf({ servers, ranksPerServer, bandwidthGbps, switchLatencyNs, cableLatencyNs }: ServerGroups): string {
  const ranks = Array.from({ length: servers * ranksPerServer }, (_, rank) => {
    return `${rank}, ${rank}, ${Math.floor(rank / ranksPerServer)}, 0`;
  });
  const parameters = Array.from({ length: servers }, (_, group) => {
    return `${group}, ${bandwidthGbps}, ${switchLatencyNs}, ${cableLatencyNs}`;
  });
  return ['# rank, server, group, subgroup', ...ranks, '@ group, Gbps, switch ns, cable ns', ...parameters, ''].join(
    '\n',
  );
}

function jsonOf({ servers, ranksPerServer, ...parameters }: ServerGroups): string {
  const ranks = Array.from({ length: servers * ranksPerServer }, (_, rank) =>
    JSON.stringify({ rank, server: rank, group: Math.floor(rank / ranksPerServer), subgroup: 0 }),
  );
  const groups = Array.from({ length: servers }, (_, id) => JSON.stringify({ id, ...parameters }));
  return `{\n "ranks": [\n  ${ranks.join(',\n  ')}\n ],\n "groups": [\n  ${groups.join(',\n  ')}\n ]\n}\n`;
}
