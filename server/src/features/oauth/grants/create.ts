// Creates a grant with its code, after a person has signed in and approved the client.

import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { hashToken, randomSecret } from '../../../secrets/tokens.ts';
import type { Grant } from '../../members/member-sessions/create-granted.ts';
import { findMember } from '../../members/member-sessions/find.ts';
import { recordChange, showGrant } from './grant.ts';
import { insertGrant, type NewGrant } from './store.ts';

const CODE_LIFETIME_MS = 60_000;

type GrantInput = Omit<NewGrant, 'id' | 'project_id' | 'code_hash' | 'code_expires_at' | 'created_at'>;

/**
 * A grant that comes from an assertion instead of a sign-in: it has no redirect URI, and its code is used at once, for its only session.
 * In the transaction that uses the assertion.
 */
export async function createUsedGrant(
  app: App,
  project: Project,
  input: Omit<GrantInput, 'redirect_uri' | 'code_challenge'>,
): Promise<{ grant: Grant; code_hash: Buffer }> {
  const { code, id } = await createGrantWithCode(app, project, { ...input, redirect_uri: '', code_challenge: null });
  const member = await findMember(app, project.id, input.member_id);
  if (!member) throw new Error('the member of a grant was not found');
  const { member_id, integration_id } = input;
  const { external_id } = member;
  return { grant: { id, project_id: project.id, member_id, external_id, integration_id }, code_hash: hashToken(code) };
}

/** In the transaction of the sign-in. Returns the code. */
export async function createGrant(app: App, project: Project, input: GrantInput): Promise<string> {
  return (await createGrantWithCode(app, project, input)).code;
}

async function createGrantWithCode(
  app: App,
  project: Project,
  input: GrantInput,
): Promise<{ id: string; code: string }> {
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
  return { id: row.id, code };
}
