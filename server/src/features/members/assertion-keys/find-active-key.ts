// kid → the active key to verify with. Cached, because parsing a PEM costs as much as verifying a signature.

import { createPublicKey } from 'node:crypto';
import type { App } from '../../../app.ts';
import { selectActiveKey } from './store.ts';
import type { VerificationKey } from './verify-assertion.ts';

export function findActiveKey(
  app: App,
  project_id: string,
  kid: string,
): VerificationKey | Promise<VerificationKey | null> {
  const cacheId = `${project_id} ${kid}`;
  return (
    app.cache.get<VerificationKey>('assertion_key', cacheId) ??
    app.cache.getOrLoad('assertion_key', cacheId, async () => {
      const row = await selectActiveKey(app.database, project_id, kid);
      if (!row) return null;
      const { id, algorithm, public_key } = row;
      return { project_id, value: { id, algorithm, key: createPublicKey(public_key) } };
    })
  );
}
