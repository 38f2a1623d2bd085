import { isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A path as the URI of an artifact: relative to the working directory where it lies in it, with `/` between its parts, and
 * percent-encoded; else a `file:` URI. The working directory itself is `./`, since an empty URI is none to many readers.
 */
export function artifactUri(path: string, workingDirectory: string): string {
  const absolute = resolve(workingDirectory, path);
  const inside = relative(workingDirectory, absolute);
  if (inside === '') return './';
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return pathToFileURL(absolute).href;
  const uri = inside.split(sep).map(encodeURIComponent).join('/');
  // A colon in the first part would end a scheme; it is encoded. A trailing separator says that a folder is meant.
  return /[/\\]$/.test(path) ? `${uri}/` : uri;
}
