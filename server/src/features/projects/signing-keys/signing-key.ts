// The key with which the service signs for a project: made when it is first needed, sealed, and cached with the project's other data.

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import type { PublicJwk } from '../../../database/tables.ts';
import { insertKey, selectCurrentKey } from './store.ts';

export type SigningKey = { kid: string; key: KeyObject };

/** The key that signs now. */
export async function findSigningKey(app: App, project_id: string): Promise<SigningKey> {
  const cached = await app.cache.getOrLoad<SigningKey>('signing_key', project_id, async () => {
    const row = (await selectCurrentKey(app.database, project_id)) ?? (await makeFirstKey(app, project_id));
    const der = await app.secrets.open(app.database, project_id, sealContext(row.id), row.private_key);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return { project_id, value: { kid: row.id, key } };
  });
  return cached as SigningKey;
}

/** So that the keys are published before the first call. In the transaction that saves a tool: nothing is cached. */
export async function ensureSigningKey(app: App, project_id: string): Promise<void> {
  if (!(await selectCurrentKey(app.database, project_id))) await makeKey(app, project_id);
}

async function makeFirstKey(app: App, project_id: string) {
  await makeKey(app, project_id);
  const row = await selectCurrentKey(app.database, project_id);
  if (!row) throw new Error('the signing key was not found after it was made');
  return row;
}

/** Returns the kid. If several are made at once, one is stored. */
export async function makeKey(app: App, project_id: string): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = newId('sig');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  const private_key = await app.secrets.seal(app.database, project_id, sealContext(id), der);
  const public_jwk = publicKey.export({ format: 'jwk' }) as PublicJwk;
  await insertKey(app.database, { id, project_id, public_jwk, private_key });
  return id;
}

const sealContext = (id: string) => ({ table: 'signing_keys', column: 'private_key', row_id: id });
