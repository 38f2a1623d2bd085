import type { ChosenFindings } from '../../base/chosen-findings.js';
import type { PrepError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import { packageFacts, type PackageFacts } from '../../base/package.js';
import { artifactUri } from './artifact-uri.js';
import { Fingerprints } from './fingerprints.js';
import type { SarifInvocation, SarifLocation, SarifLog, SarifLogicalLocation, SarifResult } from './sarif-log.js';
import { literal, sarifRule } from './sarif-rule.js';

/** What a SARIF document is made of, beside its findings. */
export interface SarifRequest {
  /** Folder that locations are relative to, absolute. */
  readonly workingDirectory: string;
  /** What was checked: the location of findings that belong to no file. */
  readonly inputs: readonly string[];
  /** Files of the ranks, for findings that name a rank and no file. */
  readonly files?: readonly { readonly rank: number; readonly path: string }[];
  readonly exitStatus: number;
  /** The program; default: this one. */
  readonly program?: PackageFacts;
}

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Node ids that the location of a result names. */
const NODES_NAMED = 100;

/** Members of a finding that have a place of their own in a result; the others are its properties. */
const PLACED: ReadonlySet<string> = new Set(['code', 'severity', 'message', 'advice', 'count']);

/**
 * Findings as one SARIF 2.1.0 log with a run. Rules are the codes that occur, in the order of their first finding. Every
 * result has a location and a line: readers such as GitHub's code scanning refuse a whole file for one result without.
 */
export function sarifDocument(chosen: ChosenFindings, request: SarifRequest): SarifLog {
  const { listed, ignored, belowSeverity, beyondMost } = chosen;
  const left = belowSeverity + beyondMost;
  const text = `${left} further ${left === 1 ? 'finding is' : 'findings are'} not listed.`;
  const notes = { toolExecutionNotifications: [{ level: 'note' as const, message: { text } }] };
  const invocation = { executionSuccessful: true, exitCode: request.exitStatus, ...(left === 0 ? {} : notes) };
  return log(listed, request, invocation, {
    ...(left === 0 ? {} : { leftOut: left }),
    ...(Object.keys(ignored).length === 0 ? {} : { ignored }),
  });
}

/** The log of a check that an error stopped: its findings, and the error as a notification. */
export function stoppedSarifDocument(error: PrepError, request: SarifRequest): SarifLog {
  const { code, message, advice, findings } = error;
  return log(
    findings,
    request,
    {
      executionSuccessful: false,
      exitCode: request.exitStatus,
      toolExecutionNotifications: [
        { level: 'error', message: { text: messageText(message, advice) }, descriptor: { id: code } },
      ],
    },
    {},
  );
}

function log(
  findings: readonly Finding[],
  request: SarifRequest,
  invocation: SarifInvocation,
  properties: Readonly<Record<string, unknown>>,
): SarifLog {
  const program = request.program ?? packageFacts();
  const { version, repository, homepage = repository } = program;
  const ruleIndex = new Map<string, number>();
  for (const { code } of findings) if (!ruleIndex.has(code)) ruleIndex.set(code, ruleIndex.size);
  const severityOf = new Map(findings.map(({ code, severity }) => [code, severity]));
  const fileOf = new Map(request.files?.map(({ rank, path }) => [rank, path]));
  const fingerprints = new Fingerprints();
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'chakra-prep',
            version,
            semanticVersion: version,
            ...(homepage === undefined ? {} : { informationUri: homepage }),
            rules: [...ruleIndex.keys()].map((code) => sarifRule(code, severityOf.get(code)!, repository)),
          },
        },
        invocations: [invocation],
        results: findings.map((finding) =>
          resultOf(finding, ruleIndex.get(finding.code)!, fingerprints.of(finding), request, fileOf),
        ),
        columnKind: 'utf16CodeUnits',
        ...(Object.keys(properties).length === 0 ? {} : { properties }),
      },
    ],
  };
}

function resultOf(
  finding: Finding,
  ruleIndex: number,
  partialFingerprints: SarifResult['partialFingerprints'],
  request: SarifRequest,
  fileOf: ReadonlyMap<number, string>,
): SarifResult {
  const { code, severity, advice, count } = finding;
  const facts = Object.entries(finding).filter(([name, value]) => !PLACED.has(name) && value !== undefined);
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: messageText(messageOf(finding), advice) },
    locations: [locationOf(finding, request, fileOf)],
    partialFingerprints,
    ...(count === undefined ? {} : { occurrenceCount: count }),
    ...(facts.length === 0 ? {} : { properties: Object.fromEntries(facts) }),
  };
}

/** Messages that begin with the bare name of a process group say what it is. */
function messageOf({ message, group }: Finding): string {
  return group !== undefined && message.startsWith(`${group}: `) ? `group ${message}` : message;
}

/** The first sentence is what a narrow view shows. */
function messageText(message: string, advice: string | undefined): string {
  return literal(advice === undefined ? `${message}.` : `${message}. Advice: ${advice}.`);
}

function locationOf(
  finding: Finding,
  { workingDirectory, inputs }: SarifRequest,
  fileOf: ReadonlyMap<number, string>,
): SarifLocation {
  const { rank, file, byteOffset } = finding;
  const path = file ?? (rank === undefined ? undefined : fileOf.get(rank)) ?? inputs[0] ?? '.';
  const logicalLocations = logicalOf(finding);
  return {
    physicalLocation: {
      artifactLocation: { uri: artifactUri(path, workingDirectory) },
      // A binary trace has no lines, but readers that show results at lines want one.
      region: { startLine: 1, ...(byteOffset === undefined ? {} : { byteOffset }) },
    },
    ...(logicalLocations.length === 0 ? {} : { logicalLocations }),
  };
}

/** Rank, process group, and nodes. */
function logicalOf({ rank, group, nodes = [] }: Finding): SarifLogicalLocation[] {
  const found: SarifLogicalLocation[] = [];
  const ofRank = rank === undefined ? '' : `rank ${rank}/`;
  if (rank !== undefined) found.push({ name: String(rank), fullyQualifiedName: `rank ${rank}`, kind: 'rank' });
  if (group !== undefined) {
    found.push({ name: group, fullyQualifiedName: `process group ${group}`, kind: 'process group' });
  }
  for (const id of new Set(nodes.slice(0, NODES_NAMED))) {
    found.push({ name: String(id), fullyQualifiedName: `${ofRank}node ${id}`, kind: 'node' });
  }
  return found;
}
