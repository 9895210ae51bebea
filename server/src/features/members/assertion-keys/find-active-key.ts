// kid → the active key to verify with. Cached, because parsing a PEM costs as much as verifying a signature.

import { createPublicKey } from 'node:crypto';
import type { App } from '../../../app.ts';
import { selectActiveKey } from './store.ts';
import type { VerificationKey } from './verify-assertion.ts';

/** Returns the key if it is cached; no I/O. */
export function cachedActiveKey(app: App, project_id: string, kid: string): VerificationKey | undefined {
  return app.cache.get<VerificationKey>('assertion_key', cacheId(project_id, kid));
}

export function findActiveKey(app: App, project_id: string, kid: string): Promise<VerificationKey | null> {
  return app.cache.getOrLoad('assertion_key', cacheId(project_id, kid), async () => {
    const row = await selectActiveKey(app.database, project_id, kid);
    if (!row) return null;
    const { id, algorithm, public_key } = row;
    return { project_id, value: { id, algorithm, key: createPublicKey(public_key) } };
  });
}

const cacheId = (project_id: string, kid: string) => `${project_id} ${kid}`;
