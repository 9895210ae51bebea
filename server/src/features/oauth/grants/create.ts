// Creates a grant with its code, after a person has signed in and approved the client.

import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { hashToken, randomSecret } from '../../../secrets/tokens.ts';
import { recordChange } from './events.ts';
import { showGrant } from './grant.ts';
import { insertGrant, type NewGrant } from './store.ts';

const CODE_LIFETIME_MS = 60_000;

type GrantInput = Omit<NewGrant, 'id' | 'project_id' | 'code_hash' | 'code_expires_at' | 'created_at'>;

/** In the transaction of the sign-in. Returns the code. */
export async function createGrant(app: App, project: Project, input: GrantInput): Promise<string> {
  const code = randomSecret(32);
  const now = app.now();
  const row: NewGrant = {
    ...input,
    id: newId('oag'),
    project_id: project.id,
    code_hash: hashToken(code),
    code_expires_at: new Date(now + CODE_LIFETIME_MS).toISOString(),
    created_at: new Date(now).toISOString(),
  };
  await insertGrant(app.database, row);
  const { claims: _____, code_hash: _, code_expires_at: __, code_challenge: ___, redirect_uri: ____, ...shown } = row;
  const data = showGrant({ ...shown, last_used_at: null, refresh_expires_at: null });
  await recordChange(app, 'system', { type: 'oauth_grant.created', target_id: row.id, data }, project);
  return code;
}
