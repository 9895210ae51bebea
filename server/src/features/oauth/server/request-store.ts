// SQL of sign-ins in progress, and of the clients that were approved in a browser.

import type { Database, Row } from '../../../database/tables.ts';

export type SignInRequest = Row<'oauth_requests'>;

const columns = [
  'id',
  'project_id',
  'browser_hash',
  'page_hash',
  'state_hash',
  'provider_id',
  'client_kind',
  'client_id',
  'client_name',
  'integration_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'resource',
  'scopes',
  'toolset_ids',
  'created_at',
  'expires_at',
] as const;

export async function insertRequest(database: Database, request: SignInRequest): Promise<void> {
  await database.insertInto('oauth_requests').values(request).execute();
}

/** Without a project: the secret of a page is a credential. */
export async function selectByPage(
  database: Database,
  { page_hash, browser_hash, now }: { page_hash: Buffer; browser_hash: Buffer; now: string },
): Promise<SignInRequest | undefined> {
  return database
    .selectFrom('oauth_requests')
    .select(columns)
    .where('page_hash', '=', page_hash)
    .where('browser_hash', '=', browser_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function setState(
  database: Database,
  { id, project_id }: SignInRequest,
  { provider_id, state_hash }: { provider_id: string; state_hash: Buffer },
): Promise<void> {
  await database
    .updateTable('oauth_requests')
    .set({ provider_id, state_hash })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

/**
 * Uses the state up. Only the browser that it was made for, and the provider that it was sent to, can bring it back. The pages
 * get a new secret, for the case that the sign-in has to be repeated.
 */
export async function takeState(
  database: Database,
  given: { state_hash: Buffer; browser_hash: Buffer; provider_id: string; page_hash: Buffer; now: string },
): Promise<SignInRequest | undefined> {
  return database
    .updateTable('oauth_requests')
    .set({ state_hash: null, page_hash: given.page_hash })
    .where('state_hash', '=', given.state_hash)
    .where('browser_hash', '=', given.browser_hash)
    .where('provider_id', '=', given.provider_id)
    .where('expires_at', '>', given.now)
    .returning(columns)
    .executeTakeFirst();
}

/** Returns false if another callback has completed the request. */
export async function deleteRequest(database: Database, { id, project_id }: SignInRequest): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('oauth_requests')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
