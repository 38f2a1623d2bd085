import { artifactUri } from '../../../src/records/findings/artifact-uri.js';

test.each([
  ['traces/job.0.et', 'traces/job.0.et'],
  ['./traces//job.0.et', 'traces/job.0.et'],
  ['traces/../job.0.et', 'job.0.et'],
  ['/home/me/job/traces/job.0.et', 'traces/job.0.et'],
  ['traces', 'traces'],
  ['traces/', 'traces/'],
  ['.', './'],
  ['', './'],
  ['my traces/rank#1 50%.et', 'my%20traces/rank%231%2050%25.et'],
  ['c:job.0.et', 'c%3Ajob.0.et'],
  ['..traces/job.0.et', '..traces/job.0.et'],
  ['größe/job.0.et', 'gr%C3%B6%C3%9Fe/job.0.et'],
  ['../other/job.0.et', 'file:///home/me/other/job.0.et'],
  ['/data/my job/job.0.et', 'file:///data/my%20job/job.0.et'],
  ['-', '-'],
])('%j in /home/me/job is %s', (path, uri) => {
  expect(artifactUri(path, '/home/me/job')).toBe(uri);
});
