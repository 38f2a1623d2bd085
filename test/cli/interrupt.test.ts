import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesBelow, newFolder } from '../support/folders.js';
import { REPOSITORY } from '../support/repository.js';

const built = (...parts: string[]): string => pathToFileURL(join(REPOSITORY, 'dist', 'src', ...parts)).href;

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s leaves no half-written output behind', async (signal) => {
  const folder = newFolder();
  const program = `
    import { OutputFiles } from '${built('base', 'output-files.js')}';
    import { cleanUpWhenStopped } from '${built('cli', 'interrupt.js')}';
    cleanUpWhenStopped(process);
    const files = new OutputFiles(${JSON.stringify(join(folder, 'out'))});
    files.prepare();
    files.write('job.0.et', (write) => write(new Uint8Array(5)));
    setInterval(() => {}, 1000);
    console.log('written');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  await once(child.stdout, 'data');
  expect(Object.keys(filesBelow(folder))).toEqual([expect.stringMatching(/^out\/job\.0\.et\.\d+\.partial$/)]);
  child.kill(signal);
  const [status, ended] = (await once(child, 'exit')) as [number | null, string | null];
  expect([status, ended]).toEqual([null, signal]);
  expect(filesBelow(folder)).toEqual({});
});

test('a command that never pauses and has written nothing ends at once', async () => {
  const program = `
    import { writeSync } from 'node:fs';
    import { OutputFiles } from '${built('base', 'output-files.js')}';
    import { cleanUpWhenStopped } from '${built('cli', 'interrupt.js')}';
    cleanUpWhenStopped(process);
    const files = new OutputFiles(${JSON.stringify(join(newFolder(), 'out'))});
    files.prepare();
    writeSync(1, 'simulating');
    for (;;);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
});
