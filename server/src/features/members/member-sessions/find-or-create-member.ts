// Returns the member with this external id, for a sign-in by OAuth. The first sign-in creates the member.

import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { upsertMember, upsertMemberOfIssuer } from './store.ts';

export async function findOrCreateMember(app: App, project_id: string, external_id: string): Promise<string> {
  const now = new Date(app.now()).toISOString();
  return upsertMember(app.database, { id: newId('mem'), project_id, external_id }, now);
}

/**
 * The same for a member whom `issuer` names by an email address. An address can be stated by several issuers, so the member belongs
 * to the first of them as long as the project has it: null if that is another one of `issuers`. Until then, also if the customer's
 * backend named the member by an assertion, it belongs to none.
 */
export async function findOrCreateMemberOf(
  app: App,
  project_id: string,
  { external_id, issuer, issuers }: { external_id: string; issuer: string; issuers: readonly string[] },
): Promise<string | null> {
  const now = new Date(app.now()).toISOString();
  const member = { id: newId('mem'), project_id, external_id, issuer };
  return (await upsertMemberOfIssuer(app.database, member, issuers, now)) ?? null;
}
