import { jobPrefix } from '../../formats/job-prefix.js';
import type { JobForm } from '../../formats/conversion.js';
import { demandSound } from '../msccl/demand-sound.js';
import { mscclJob } from '../msccl/msccl-job.js';
import { statedSize } from '../msccl/stated-size.js';
import { planProgram } from './plan-program.js';
import { readPlan } from './read-plan.js';

/** An MSCCL++ execution plan as a job of one collective. A plan that does not do what its collective has to is refused. */
export const MSCCLPP_FORM: JobForm = {
  format: 'msccl-plan',
  options: ['size'],
  open: (source, options) => {
    const plan = readPlan(source);
    // Loops depend on the size, the range of sizes does not.
    const size = options.size ?? statedSize(planProgram(plan, source.name, undefined).program, source.name);
    const checked = planProgram(plan, source.name, size);
    demandSound(checked.findings, source.name);
    return mscclJob(checked, size, jobPrefix(source.name), checked.findings);
  },
};
