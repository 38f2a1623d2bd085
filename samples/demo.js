/** The main job on the sample traceset: prepare it, then simulate the prepared traces. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'chakra-prep-demo-'));

function run(...words) {
  console.log(`$ chakra-prep ${words.map((word) => word.replace(out, 'out')).join(' ')}`);
  const { status } = spawnSync(process.execPath, [join(root, 'bin', 'chakra-prep.js'), ...words], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    rmSync(out, { recursive: true });
    process.exit(status ?? 70);
  }
}

run('prepare', 'samples/traces', '-o', join(out, 'prepared'));
run('simulate', join(out, 'prepared'), '--network', 'alpha-beta:latency=1us,bandwidth=50GB/s');
rmSync(out, { recursive: true });
