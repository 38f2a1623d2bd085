/** The main job on the sample traceset: prepare it, then simulate the prepared traces. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const prepared = 'out/demo';
rmSync(join(root, prepared), { recursive: true, force: true });

function run(...words) {
  console.log(`> chakra-prep ${words.join(' ')}`);
  const { status } = spawnSync(process.execPath, [join(root, 'bin', 'chakra-prep.js'), ...words], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 70);
}

run('prepare', 'samples/traces', '-o', prepared);
run('simulate', prepared, '--network', 'alpha-beta:latency=1us,bandwidth=50GB/s');
