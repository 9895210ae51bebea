// The operator's root key: from the environment, or created at the first start in the data folder (mode 600).

import { join } from 'node:path';
import { loadOrMakeSecretFile, readIfExists } from './secret-file.ts';
import { hashToken, randomSecret } from './tokens.ts';

export const rootKeyFile = (data_dir: string) => join(data_dir, 'root.key');

/** For commands on the server's machine: the key itself, or null if it does not exist or this user may not read it. */
export async function readRootKey(given: string | null, data_dir: string): Promise<string | null> {
  return given ?? (await readIfExists(rootKeyFile(data_dir)).catch(() => null));
}

/** Returns the SHA-256 of the key; the key itself is not kept in memory. */
export async function loadRootKey(given: string | null, data_dir: string): Promise<Buffer> {
  const key = given ?? (await loadOrMakeSecretFile(rootKeyFile(data_dir), () => `svc_root_${randomSecret(32)}`));
  if (key.length < 32) throw new Error(`${rootKeyFile(data_dir)} is damaged: delete it, and a new root key is created`);
  return hashToken(key);
}
