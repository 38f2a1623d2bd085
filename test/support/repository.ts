import { fileURLToPath } from 'node:url';

/** Top of the repository; tests run from dist/test. */
export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
