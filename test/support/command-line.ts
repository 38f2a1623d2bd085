import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { REPOSITORY } from './repository.js';

const PROGRAM = join(REPOSITORY, 'bin', 'chakra-prep.js');

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the built program as a user would, in `folder`. */
export function chakraPrep(words: readonly string[], folder: string, stdin?: Uint8Array): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...(stdin === undefined ? {} : { input: stdin }),
    env: plainEnvironment(),
  });
  return { status, stdout, stderr };
}

/** Runs a line of a shell in `folder`, with `chakra-prep` in its PATH. */
export function shell(line: string, folder: string): Ran {
  programs ??= programFolder();
  const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', line], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...plainEnvironment(), PATH: `${programs}${delimiter}${process.env.PATH}` },
  });
  return { status, stdout, stderr };
}

let programs: string | undefined;

/** A folder for PATH that holds `chakra-prep`. */
export function programFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chakra-prep-bin-'));
  const script = join(folder, 'chakra-prep');
  writeFileSync(script, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  chmodSync(script, 0o755);
  return folder;
}

function plainEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' };
}
