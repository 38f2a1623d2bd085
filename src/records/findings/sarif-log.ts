/**
 * The members of a SARIF 2.1.0 log that this program writes (OASIS Standard, "Static Analysis Results Interchange Format
 * Version 2.1.0"). Texts are plain; in messages `{` and `}` are doubled (section 3.11.5).
 */
export interface SarifLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly SarifRun[];
}

export type SarifLevel = 'error' | 'warning' | 'note';

export interface SarifRun {
  readonly tool: { readonly driver: SarifDriver };
  readonly invocations: readonly SarifInvocation[];
  readonly results: readonly SarifResult[];
  readonly columnKind: 'utf16CodeUnits';
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface SarifDriver {
  readonly name: string;
  readonly version: string;
  readonly semanticVersion: string;
  readonly informationUri?: string;
  readonly rules: readonly SarifRule[];
}

export interface SarifRule {
  readonly id: string;
  readonly name: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string; readonly markdown: string };
  readonly helpUri?: string;
  readonly defaultConfiguration: { readonly level: SarifLevel };
  readonly properties: { readonly 'problem.severity': 'error' | 'warning' | 'recommendation' };
}

export interface SarifInvocation {
  /** Whether the check ran to its end, whatever it found. */
  readonly executionSuccessful: boolean;
  readonly exitCode: number;
  readonly toolExecutionNotifications?: readonly SarifNotification[];
}

export interface SarifNotification {
  readonly level: SarifLevel;
  readonly message: { readonly text: string };
  readonly descriptor?: { readonly id: string };
}

export interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: SarifLevel;
  readonly message: { readonly text: string };
  readonly locations: readonly SarifLocation[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly occurrenceCount?: number;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface SarifLocation {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string };
    readonly region: { readonly startLine: number; readonly byteOffset?: number };
  };
  readonly logicalLocations?: readonly SarifLogicalLocation[];
}

export interface SarifLogicalLocation {
  readonly name: string;
  readonly fullyQualifiedName: string;
  readonly kind: string;
}
