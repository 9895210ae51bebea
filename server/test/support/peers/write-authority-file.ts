// The certificate of the test authority as a file, for NODE_EXTRA_CA_CERTS of a server process.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { testAuthority } from './fake-customer.ts';

/** Returns the path of the file, which is removed after the tests. */
export function writeAuthorityFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-ca-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'ca.pem');
  writeFileSync(file, testAuthority.certificate);
  return file;
}
