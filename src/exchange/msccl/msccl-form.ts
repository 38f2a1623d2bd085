import { basename } from 'node:path';
import { EXIT, PrepError, requestError } from '../../base/errors.js';
import { countFindings } from '../../base/finding.js';
import type { ByteSource } from '../../base/byte-source.js';
import { checkProgram } from '../../collectives/programs/check-program.js';
import type { ChunkProgram } from '../../collectives/programs/program.js';
import { largerBuffer } from '../../collectives/programs/program-algorithm.js';
import type { JobForm } from '../../formats/conversion.js';
import { mscclJob } from './msccl-job.js';
import { readMsccl } from './read-msccl.js';

/** An MSCCL XML program as a job of one collective. A program that does not do what its collective has to is refused. */
export const MSCCL_FORM: JobForm = {
  format: 'msccl-xml',
  options: ['size'],
  open: (source, options) => {
    const { program, findings: assumed } = readMsccl(textOf(source), source.name);
    const checked = checkProgram(program, source.name);
    const findings = [...assumed, ...checked.findings];
    const { errors } = countFindings(findings);
    if (errors > 0) {
      const { code } = findings.find(({ severity }) => severity === 'error')!;
      const what = errors === 1 ? code : `${errors} errors, the first ${code}`;
      throw new PrepError('PROGRAM_REFUSED', EXIT.requestWrong, `${source.name}: ${what}; nothing written`, {
        findings,
      });
    }
    return mscclJob(checked, options.size ?? statedSize(program, source.name), prefixOf(source.name), findings);
  },
};

function textOf(source: ByteSource): string {
  return Buffer.from(source.read(0, source.length)).toString('utf8');
}

/** `ring` of `programs/ring.xml.gz`. */
function prefixOf(file: string): string {
  return basename(file)
    .replace(/\.gz$/, '')
    .replace(/\.xml$/, '');
}

/** The `comm_size` of a file that is for one size alone; minBytes and maxBytes are bytes of the larger buffer. */
function statedSize({ others, type, ranks }: ChunkProgram, file: string): number {
  const least = Number(others.get('minBytes') ?? 0);
  const most = Number(others.get('maxBytes') ?? 0);
  const parts = largerBuffer(type, { groupSize: ranks.length, bytes: 1, root: 0 });
  if (least > 0 && least === most && Number.isSafeInteger(least / parts)) return least / parts;
  throw requestError(
    'OPTION_MISSING',
    `${file}: the program does not say for how many bytes`,
    '--size 1MiB states the comm_size of the collective',
  );
}
