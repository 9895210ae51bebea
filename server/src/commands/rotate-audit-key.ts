// What toolgate audit rotate-key does. It works while the server runs: the next file is signed with the new key.

import type { Config } from '../config/config.ts';
import type { RotatedAuditKey } from '../secrets/audit-signing-key.ts';
import { withApp } from './open-app.ts';

export function rotateAuditKey(config: Config): Promise<RotatedAuditKey> {
  return withApp(config, (app) => app.secrets.rotateAuditSigningKey(app.database, new Date(app.now()).toISOString()));
}
