import { CounterReading } from '../network/packet/counter-log.js';
import { ClassCount } from '../network/packet/interval-counts.js';
import { packetDevices } from './packet-devices.js';
import { integer, micros, seconds, text, type Table } from './record.js';
import { timeUtc } from './run-facts.js';

/** Data and control. */
const CLASSES = [0, 1];

/**
 * `ecn-pfc-stats`: at each multiple of the interval up to the end of the simulation a row for each class of each port of
 * a switch, by node, port and class.
 */
export const ecnPfcStats: Table = {
  name: 'ecn-pfc-stats',
  applies: (_outcome, { packet }) => packet !== undefined,
  columns: () => [
    text('time_utc'),
    seconds('sim_time_sec'),
    text('component_name'),
    integer('node_id'),
    integer('ifid'),
    integer('class'),
    integer('xoff_tx'),
    integer('xon_tx'),
    integer('xoff_rx'),
    integer('xon_rx'),
    micros('paused_us'),
    integer('ecn_marks'),
  ],
  *rows({ simulationEndPs }, facts) {
    const { packet } = facts;
    if (packet === undefined) return;
    const { classes, intervalPs } = packet.stats;
    const time = timeUtc(facts);
    const reading = new CounterReading(classes);
    const ports = packetDevices(packet)
      .map((device, port) => ({ ...device, port }))
      .filter(({ type }) => type === 'Switch');
    const rows = Math.floor(simulationEndPs / intervalPs);
    for (let row = 1; row <= rows; row++) {
      reading.goTo(row);
      for (const { name, node, index, port } of ports) {
        for (const packetClass of CLASSES) {
          const at = (2 * port + packetClass) * reading.width;
          const count = (place: number): number => reading.now[at + place];
          const sincePs = count(ClassCount.pausedSincePs);
          const lastingPs = sincePs > 0 ? row * intervalPs - sincePs : 0;
          yield [
            ...[time, row * intervalPs, name, node, index, packetClass],
            ...[count(ClassCount.xoffsSent), count(ClassCount.xonsSent)],
            ...[count(ClassCount.xoffsReceived), count(ClassCount.xonsReceived)],
            ...[count(ClassCount.pausedPs) + lastingPs, count(ClassCount.marks)],
          ];
        }
      }
    }
  },
};
