import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { finding } from '../base/catalogue.js';
import { EXIT, PrepError, requestError } from '../base/errors.js';
import { countFindings, type Finding } from '../base/finding.js';
import { parseBytes } from '../base/units.js';
import type { Algorithm } from '../collectives/algorithm.js';
import { ALGORITHMS, collectiveOfOption, type AlgorithmChoices } from '../collectives/catalogue.js';
import { checkProgram, type CheckedProgram } from '../collectives/programs/check-program.js';
import { checkTraced } from '../collectives/programs/check-traced.js';
import { programAlgorithm, programScript } from '../collectives/programs/program-algorithm.js';
import type { ChunkProgram } from '../collectives/programs/program.js';
import { tracedAlgorithm } from '../collectives/programs/traced-algorithm.js';
import { readMsccl } from '../exchange/msccl/read-msccl.js';
import type { Plan } from '../exchange/mscclpp/plan.js';
import { planProgram } from '../exchange/mscclpp/plan-program.js';
import { readPlan } from '../exchange/mscclpp/read-plan.js';
import { openTraceSource } from '../formats/open-source.js';
import { detectFile } from '../formats/sniff.js';
import { COLLECTIVE_NAMES, CollectiveType, isRooted } from '../trace/collective-type.js';
import { readTracedPositions } from './traced-positions.js';

/** Begin of the name of an algorithm in a file. */
export const FILE_FORM = 'file:';

/** Algorithms with those in files read, and what was found in the files. */
export interface ReadChoices {
  readonly algorithms: AlgorithmChoices;
  readonly findings: readonly Finding[];
}

/**
 * Reads and checks the algorithms that files hold: `file:ring.xml`, an MSCCL XML program, `file:ring.json`, an MSCCL++ plan, or `file:prefix`, traces of an algorithm
 * called `<prefix>.<position>.et`, behind which `?size=1MiB` states which size of the collective they are for, as
 * it does behind a plan with loops.
 *
 * @param names by collective option; other names are left as they are
 * @throws PrepError `ALGORITHM_FILE`, `ALGORITHM_COLLECTIVE`, `MSCCL_MALFORMED`, `PLAN_MALFORMED`, `PLAN_UNSUPPORTED`, and `PROGRAM_REFUSED` with the findings for an
 *   algorithm that does not do what its collective has to
 */
export function readAlgorithmFiles(names: Readonly<Record<string, string>>): ReadChoices {
  const algorithms: Record<string, string | Algorithm> = {};
  const findings: Finding[] = [];
  for (const [option, name] of Object.entries(names)) {
    if (!name.startsWith(FILE_FORM)) {
      algorithms[option] = name;
      continue;
    }
    const read = readAlgorithm(name.slice(FILE_FORM.length), option);
    algorithms[option] = read.algorithm;
    findings.push(...read.findings);
  }
  return { algorithms, findings };
}

interface ReadAlgorithm {
  readonly algorithm: Algorithm;
  readonly findings: readonly Finding[];
}

function readAlgorithm(words: string, option: string): ReadAlgorithm {
  const [path, query] = parts(words, option);
  const isFile = existsSync(path) && statSync(path).isFile();
  if (isFile && isPlan(path)) return ofPlan(path, query === undefined ? undefined : sizeOf(query), option);
  if (isFile && query === undefined) return ofProgram(path, option);
  if (!isFile && existsSync(`${path}.0.et`)) return ofTraces(path, query, option);
  if (isFile)
    throw requestError(
      'USAGE',
      `--${option} ${FILE_FORM}${words}: ?${query} is for traces and MSCCL++ plans, and ${path} is neither`,
    );
  throw requestError(
    'ALGORITHM_FILE',
    `--${option} ${FILE_FORM}${words}: there is neither a file ${path} nor a trace ${path}.0.et`,
  );
}

/** The path, and what stands behind a question mark in front of `size=`. */
function parts(words: string, option: string): [path: string, query: string | undefined] {
  const at = words.lastIndexOf('?');
  const [path, query] = at < 0 ? [words, undefined] : [words.slice(0, at), words.slice(at + 1)];
  if (path !== '' && (query === undefined || query.startsWith('size='))) return [path, query];
  throw requestError(
    'USAGE',
    `--${option} ${FILE_FORM}${words}: expected file:PATH, or file:PATH?size=1MiB for traces and MSCCL++ plans`,
  );
}

function sizeOf(query: string): number {
  return parseBytes(query.slice('size='.length));
}

function isPlan(path: string): boolean {
  try {
    return detectFile(path) === 'msccl-plan';
  } catch (error) {
    if (!(error instanceof PrepError)) throw error;
    return false; // what cannot be read is told by whoever reads it as a program
  }
}

function ofProgram(path: string, option: string): ReadAlgorithm {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw requestError('ALGORITHM_FILE', `${path}: cannot be read (${(cause as Error).message})`);
  }
  const { program, findings: assumed } = readMsccl(text, path);
  demandCollective(program, collectiveOfOption(option), path, option);
  const checked = checkProgram(program, path);
  return ofChecked({ ...checked, findings: [...assumed, ...checked.findings] }, path, option);
}

/** @param size `comm_size` that loops are unrolled for; undefined where it is not stated */
function ofPlan(path: string, size: number | undefined, option: string): ReadAlgorithm {
  const checked = planProgram(planOf(path), path, size);
  demandCollective(checked.program, collectiveOfOption(option), path, option);
  return ofChecked(checked, path, option);
}

function planOf(path: string): Plan {
  const source = openTraceSource(path);
  try {
    return readPlan(source);
  } finally {
    source.close();
  }
}

function ofChecked(checked: CheckedProgram, path: string, option: string): ReadAlgorithm {
  const { program, findings } = checked;
  const type = collectiveOfOption(option);
  demandSound(findings, path, option);
  const rooted = isRooted(type) && program.type >= 0;
  const script = programScript(checked, nameOf(program.name, path, type), type, rooted);
  const madeFor = sizesOf(program);
  return { algorithm: { ...programAlgorithm(script), ...(madeFor && { madeFor }) }, findings };
}

/** Of `custom` nobody knows what it is. A barrier is an all-reduce of nothing; of ReduceScatterBlock. */
function demandCollective({ type, collective }: ChunkProgram, wanted: number, path: string, option: string): void {
  const sameAs: Readonly<Record<number, number>> = {
    [CollectiveType.barrier]: CollectiveType.allReduce,
    [CollectiveType.reduceScatterBlock]: CollectiveType.reduceScatter,
  };
  if (type < 0 || type === wanted || type === sameAs[wanted]) return;
  throw requestError(
    'ALGORITHM_COLLECTIVE',
    `--${option} ${FILE_FORM}${path}: the program is an algorithm of ${collective}, expected one of ${COLLECTIVE_NAMES[sameAs[wanted] ?? wanted].record}`,
    `--${COLLECTIVE_NAMES[type].option} takes it`,
  );
}

/** minBytes and maxBytes; both 0, or a missing or smaller maximum, are no limit (exchange-formats 6.2). */
function sizesOf({ others }: ChunkProgram): Algorithm['madeFor'] {
  const least = Number(others.get('minBytes') ?? 0);
  const most = Number(others.get('maxBytes') ?? Infinity);
  if (!(least >= 0) || !(most > 0) || most < least || (least === 0 && most === Infinity)) return undefined;
  return { least, most };
}

function ofTraces(prefix: string, query: string | undefined, option: string): ReadAlgorithm {
  const type = collectiveOfOption(option);
  let count = 0;
  while (existsSync(`${prefix}.${count}.et`)) count++;
  const name = nameOf(basename(prefix), prefix, type);
  const { positions, indexCount, size: stated, findings: found } = readTracedPositions(name, prefix, count);
  const size = query === undefined ? stated : sizeOf(query);
  const { root, findings: checked } = checkTraced(positions, type, size, prefix);
  const findings = [...found, ...sizeFindings(prefix, size, query === undefined), ...checked];
  demandSound(findings, prefix, option);
  const script = { kind: 'traced' as const, name, type, size, root, positions, indexCount };
  return { algorithm: tracedAlgorithm(script), findings };
}

function sizeFindings(prefix: string, size: number, isGuessed: boolean): Finding[] {
  if (size > 0 && !isGuessed) return [];
  const message =
    size > 0
      ? `collective_size of the transfers is ${size}; their bytes grow with the collective from there`
      : 'the traces do not say which size of the collective they are for; their bytes are used as they are, whatever its size';
  return [finding('PROGRAM_ASSUMED', `${prefix}: ${message}`, { advice: `${FILE_FORM}${prefix}?size=1MiB states it` })];
}

/** What records call it: the program's own name, told apart from a built-in algorithm of that name. */
function nameOf(name: string, path: string, type: number): string {
  const own = name.trim() === '' ? basename(path).replace(/\.(xml|json)$/, '') : name.trim();
  return ALGORITHMS[type].some((known) => known.name === own) ? `${FILE_FORM}${own}` : own;
}

function demandSound(findings: readonly Finding[], path: string, option: string): void {
  const { errors } = countFindings(findings);
  if (errors === 0) return;
  const { code } = findings.find(({ severity }) => severity === 'error')!;
  const what = errors === 1 ? code : `${errors} errors, the first ${code}`;
  throw new PrepError(
    'PROGRAM_REFUSED',
    EXIT.requestWrong,
    `--${option} ${FILE_FORM}${path}: ${what}; nothing is read`,
    {
      findings,
      advice: `chakra-prep explain ${code} says more`,
    },
  );
}
