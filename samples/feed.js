/**
 * A simulator in small: every node takes its recorded duration, any number of them run at once, and communication takes
 * no time. Prints when each node ends, which for the last one is the length of the longest path.
 *
 *   node samples/feed.js <trace>      .et, JSON lines or feeder JSON, each also with gzip
 */
import { openFeeder } from 'chakra-prep';

const feeder = openFeeder(process.argv[2]);
const running = []; // { node, end } with end in µs
let now = 0;

while (feeder.hasNodesToIssue() || running.length > 0) {
  for (let node = feeder.getNextIssuableNode(); node !== undefined; node = feeder.getNextIssuableNode()) {
    running.push({ node, end: now + (node.durationMicros ?? 0) });
  }
  if (running.length === 0) {
    for (const { code, message } of feeder.blocked()) console.error(`${code}: ${message}`);
    process.exitCode = 1;
    break;
  }
  running.sort((one, other) => one.end - other.end);
  const { node, end } = running.shift();
  now = end;
  console.log(`${String(now).padStart(5)} µs  ${node.id} ${node.name}`);
  feeder.freeChildrenNodes(node);
  feeder.removeNode(node);
}
for (const { severity, code, message } of feeder.findings()) console.error(`${severity} ${code}: ${message}`);
feeder.close();
