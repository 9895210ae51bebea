// The server and the command line as users run them, compiled. runner/shared-files.ts makes them once for all files of a run.

import { join } from 'node:path';

export function compiledFile(path: string): string {
  const { TEST_PACKAGE } = process.env;
  if (!TEST_PACKAGE) throw new Error('run the tests through npm: npm test -- path/to/x.test.ts');
  return join(TEST_PACKAGE, path);
}
