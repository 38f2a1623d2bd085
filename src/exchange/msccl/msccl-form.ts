import type { ByteSource } from '../../base/byte-source.js';
import { checkProgram } from '../../collectives/programs/check-program.js';
import { jobPrefix } from '../../formats/job-prefix.js';
import type { JobForm } from '../../formats/conversion.js';
import { demandSound } from './demand-sound.js';
import { mscclJob } from './msccl-job.js';
import { readMsccl } from './read-msccl.js';
import { statedSize } from './stated-size.js';

/** An MSCCL XML program as a job of one collective. A program that does not do what its collective has to is refused. */
export const MSCCL_FORM: JobForm = {
  format: 'msccl-xml',
  options: ['size'],
  open: (source, options) => {
    const { program, findings: assumed } = readMsccl(textOf(source), source.name);
    const checked = checkProgram(program, source.name);
    const findings = [...assumed, ...checked.findings];
    demandSound(findings, source.name);
    return mscclJob(checked, options.size ?? statedSize(program, source.name), jobPrefix(source.name), findings);
  },
};

function textOf(source: ByteSource): string {
  return Buffer.from(source.read(0, source.length)).toString('utf8');
}
