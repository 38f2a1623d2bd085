import { convertRanks } from './conversion/convert-ranks.js';
import { writeMadeRanks } from './conversion/write-made-ranks.js';
import { inspectFile } from './inspect-file.js';
import { linkRankFiles } from './link-ranks.js';
import { repairRanks } from './repair-ranks.js';
import { surveyRanksForAstraSim } from './survey-for-astra-sim.js';
import { surveyRanks } from './survey-rank.js';
import { writeRanks } from './write-ranks.js';

/** What can be done with ranks in a worker thread; inputs and outputs are plain data. */
export const TASKS = {
  survey: surveyRanks,
  surveyForAstraSim: surveyRanksForAstraSim,
  write: writeRanks,
  inspect: inspectFile,
  repair: repairRanks,
  convert: convertRanks,
  writeMade: writeMadeRanks,
  link: linkRankFiles,
} as const;

export type TaskName = keyof typeof TASKS;
export type TaskInput<T extends TaskName> = Parameters<(typeof TASKS)[T]>[0];
export type TaskOutput<T extends TaskName> = ReturnType<(typeof TASKS)[T]>;
