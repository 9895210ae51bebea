// What toolgate signing-keys rotate does. It works while the server runs: its processes use the new key within a second.

import type { Config } from '../config/config.ts';
import { type RotatedKey, rotateSigningKeys } from '../features/projects/signing-keys/rotate.ts';
import { withApp } from './open-app.ts';

export function rotateKeys(
  config: Config,
  input: { project_id: string | undefined; overlap_seconds: number },
): Promise<RotatedKey[]> {
  return withApp(config, (app) => rotateSigningKeys(app, input));
}
