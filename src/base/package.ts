import { readFileSync } from 'node:fs';

/** What package.json says of a program. */
export interface PackageFacts {
  readonly version: string;
  /** Where the project presents itself, if anywhere. */
  readonly homepage?: string;
  /** Where its repository is shown, if anywhere: `https://…`, without `.git`. */
  readonly repository?: string;
}

/** The members of a package.json that are looked at. */
export interface PackageManifest {
  readonly version: string;
  readonly homepage?: string;
  readonly repository?: string | { readonly url?: string };
}

const PACKAGE = new URL('../../../package.json', import.meta.url);

/** Of this program, where nothing else is given. */
export function packageFacts(
  manifest: PackageManifest = JSON.parse(readFileSync(PACKAGE, 'utf8')) as PackageManifest,
): PackageFacts {
  const { version, homepage, repository } = manifest;
  const url = typeof repository === 'string' ? repository : repository?.url;
  const address = url?.replace(/^git\+/, '').replace(/\.git$/, '');
  return {
    version,
    ...(homepage === undefined ? {} : { homepage }),
    ...(address !== undefined && /^https?:\/\//.test(address) ? { repository: address } : {}),
  };
}
