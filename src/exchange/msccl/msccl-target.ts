import { EXIT, PrepError } from '../../base/errors.js';
import { countFindings } from '../../base/finding.js';
import { checkProgram } from '../../collectives/programs/check-program.js';
import type { JobTarget } from '../../formats/conversion.js';
import { derivedProgram, type DerivedProgram } from './derived-program.js';
import { keepsProgram, programOfAttributes } from './traced-steps.js';
import { writeMsccl } from './write-msccl.js';

/**
 * The one collective of a traceset as an MSCCL XML program: what the traces keep of the program they were made of, or else what the
 * built-in algorithm that expanded it is known to move. Either is proven before it is written.
 */
export const MSCCL_TARGET: JobTarget = {
  name: 'msccl',
  title: 'MSCCL XML',
  options: [],
  write: (job, files, _options, losses) => {
    const kept = job.withRank(0, keepsProgram);
    const { program, findings: derived }: DerivedProgram = kept
      ? { program: programOfAttributes(job, losses), findings: [] }
      : derivedProgram(job, losses);
    const { findings } = checkProgram(program, job.prefix);
    const { errors } = countFindings(findings);
    if (errors > 0) {
      const { code } = findings.find(({ severity }) => severity === 'error')!;
      throw new PrepError(
        'PROGRAM_REFUSED',
        EXIT.requestWrong,
        `${job.prefix}: ${code} in the program that the traces make; nothing written`,
        {
          findings,
        },
      );
    }
    files.file(`${job.prefix}.xml`, (write) => write(Buffer.from(writeMsccl(program))));
    return [...derived, ...findings];
  },
};
