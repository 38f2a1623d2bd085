#!/usr/bin/env node
import { cleanUpWhenStopped } from '../dist/src/cli/interrupt.js';
import { main } from '../dist/src/cli/main.js';

// A reader such as `head` that has seen enough ends the command; it is no fault.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
cleanUpWhenStopped(process);

process.exitCode = await main(process.argv.slice(2), process);
