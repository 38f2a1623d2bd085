import type { Finding } from '../../src/base/finding.js';
import type { FindingCode } from '../../src/base/catalogue.js';
import type { ValidationContext } from '../../src/passes/validate/survey.js';
import { rulesFor } from '../../src/passes/validate/rules.js';
import { surveyForValidation, validateTraceset } from '../../src/passes/validate/validate.js';
import type { StoredForm } from '../../src/passes/validate/stored-form.js';
import type { DependencyMode } from '../../src/passes/rank-skeleton.js';
import { joinDeclarations } from '../../src/trace/group-declarations.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { readBytes, buildEt, type Attributes, type MetadataObject, type NodeObject } from './traces.js';

export interface ValidationOptions extends Partial<Omit<ValidationContext, 'declared'>> {
  /** Groups of a group file. */
  groups?: Record<string, number[]>;
  deps?: DependencyMode;
  metadata?: MetadataObject[];
  /** How every file is stored. */
  stored?: StoredForm;
}

/** What `validate` finds in the files that these nodes make, rank 0 first. */
export function validateNodes(ranks: readonly NodeObject[][], options: ValidationOptions = {}): Finding[] {
  const read = ranks.map((nodes, rank) => readBytes(buildEt(nodes, options.metadata?.[rank]), rank));
  return validateRead(read, options);
}

/** The same for traces that were read. */
export function validateRead(
  read: readonly { trace: RankTrace; findings: Finding[] }[],
  options: ValidationOptions = {},
): Finding[] {
  const { groups = {}, deps = 'both', stored, ...context } = options;
  const { target } = context;
  const worldSize = context.worldSize ?? read.length;
  const declarations = Object.entries(groups).map(([name, ranks]) => ({ name, ranks, origin: 'comm_group.json' }));
  const declared = joinDeclarations(declarations, worldSize);
  const given = [...read.flatMap(({ findings }) => findings), ...declared.findings, ...(options.findings ?? [])];
  const surveys = read.map(({ trace, findings }) =>
    structuredClone(surveyForValidation(trace, { deps, found: findings, ...(stored && { stored }) }, target)),
  );
  const found = validateTraceset(surveys, { ...context, worldSize, declared });
  // The list of rules says what each of them finds.
  const said = new Set([...rulesFor(target).flatMap((rule) => rule.codes), ...given.map(({ code }) => code)]);
  expect(found.filter(({ code }) => !(said as Set<string>).has(code))).toEqual([]);
  return found;
}

/** `code severity` of each finding, in order. */
export function codes(findings: readonly Finding[]): string[] {
  return findings.map(({ code, severity }) => `${code} ${severity}`);
}

/** The findings of one code. */
export function only(findings: readonly Finding[], code: FindingCode): Finding[] {
  return findings.filter((finding) => finding.code === code);
}

/** A compute node of 1 µs. */
export function compute(
  id: number | bigint,
  dataDeps: NodeObject['data_deps'] = [],
  controlDeps: NodeObject['ctrl_deps'] = [],
): NodeObject {
  return { id, name: `op${id}`, type: 'COMP_NODE', duration_micros: 1, data_deps: dataDeps, ctrl_deps: controlDeps };
}

/** A collective of group `pg`; attributes in `more` are added or, where `undefined`, left out. */
export function collective(id: number, type: number, size: number, more: Partial<Attributes> = {}): NodeObject {
  const attr = {
    comm_type: { int64_val: type },
    comm_size: { int64_val: size },
    pg_name: { string_val: 'pg' },
    ...more,
  };
  return { id, name: `coll${id}`, type: 'COMM_COLL_NODE', attr: given(attr) };
}

export function send(id: number, to: number, tag: number, size = 8, more: Partial<Attributes> = {}): NodeObject {
  return {
    id,
    name: `send${id}`,
    type: 'COMM_SEND_NODE',
    attr: given({ ...ends('comm_dst', to, tag, size), ...more }),
  };
}

export function receive(id: number, from: number, tag: number, size = 8, more: Partial<Attributes> = {}): NodeObject {
  return {
    id,
    name: `receive${id}`,
    type: 'COMM_RECV_NODE',
    attr: given({ ...ends('comm_src', from, tag, size), ...more }),
  };
}

function ends(peer: string, rank: number, tag: number, size: number): Attributes {
  return { [peer]: { int32_val: rank }, comm_tag: { int32_val: tag }, comm_size: { int64_val: size } };
}

function given(attributes: Partial<Attributes>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Attributes;
}
