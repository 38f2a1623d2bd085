import { transportStats } from '../../src/records/transport-stats.js';
import { packetSettings, singleSwitch } from '../support/packet-runs.js';
import { recordedRun } from '../support/packet-records.js';
import { linesOf } from '../support/records.js';
import { ndStats } from '../../src/records/nd-stats.js';
import { ecnPfcStats } from '../../src/records/ecn-pfc-stats.js';
import { topologyReport } from '../../src/records/topology-report.js';

test('probe', () => {
  const { outcome, facts } = recordedRun(singleSwitch(2), packetSettings(), [{source:0,destination:1,bytes:1<<20}], 1e9);
  for (const t of [transportStats, ndStats, ecnPfcStats, topologyReport]) console.log(linesOf(t, outcome, facts).join('\n'));
});
