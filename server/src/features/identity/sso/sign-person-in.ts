// The account of a person who signed in at the identity provider: found by issuer and subject, never by the email address, or
// created. The role is that of this sign-in. A session of another account in this browser ends only if the person says so: whoever
// made the link to the sign-in may have wanted them to act in an account that is not theirs.

import { SSO_SESSION_HOURS } from '@toolgate/contract/organizations/sso-rules.ts';
import type { Role } from '@toolgate/contract/roles.ts';
import type { App } from '../../../app.ts';
import type { SsoIdentity } from '../../../database/tables.ts';
import { transact } from '../../../database/transact.ts';
import { type ApiError, refuse } from '../../../errors/errors.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { type AccountRow, type CurrentRow, showAccount } from '../accounts/account.ts';
import { createAccount } from '../accounts/create.ts';
import { refuseFullOrganization } from '../accounts/find.ts';
import { DUMMY_HASH } from '../accounts/password.ts';
import { recordAccount, recordOwn } from '../accounts/record.ts';
import { type Browser, startSession } from '../accounts/session.ts';
import { deleteSessions, selectByHash } from '../accounts/session-store.ts';
import { isEmailTaken, lockBySubject, lockPeople, selectByEmail, updateAccountRow } from '../accounts/store.ts';
import type { Identified } from './identify.ts';
import { awaitLink, awaitSwitch, deleteRequest, type SsoRequest } from './request-store.ts';
import { type SsoRow, selectSso } from './store.ts';

export const SESSION_MS = SSO_SESSION_HOURS * 3_600_000;

export type Started = { token: string; current: CurrentRow };

/** What the person is asked: whether the session of the account ends, and they continue with another email address. */
export type Switch = { request_id: string; account: Pick<AccountRow, 'id' | 'email'>; email: string };

export type Outcome = { kind: 'signed_in'; started: Started } | ({ kind: 'switch' } & Switch);

/** `ends_session_of`: the account of which the person said so. */
type Attempt = { request: SsoRequest; settings: SsoRow; identity: Identified; ends_session_of?: string };

/** Throws the reason why the person is refused. */
export async function signPersonIn(app: App, browser: Browser, attempt: Attempt): Promise<Outcome> {
  const result = await transact(app, (app) => decide(app, browser, attempt));
  // Thrown here: what was written with it is committed.
  if (result instanceof Error) throw result;
  return result;
}

async function decide(
  app: App,
  browser: Browser,
  { request, settings, identity, ends_session_of }: Attempt,
): Promise<Outcome | ApiError> {
  const { organization_id } = settings;
  await lockPeople(app.database, organization_id);
  const current = await selectSso(app.database, organization_id);
  // Whoever signed in under settings that were replaced starts again.
  if (current?.updated_at !== settings.updated_at) throw refuse.ssoExpired();
  const existing = await lockBySubject(app.database, organization_id, identity);
  const { role } = identity;
  if (role === null) {
    if (existing) await endSessions(app, existing);
    return refuse.ssoNoRole({ details: { role_claim: settings.role_claim } });
  }
  const known = { ...identity, role };
  const place = existing ? null : await findPlace(app, organization_id, identity.email);
  if (place?.kind === 'taken') throw refuse.ssoEmailTaken();
  const linked_id = place?.kind === 'link' ? place.account_id : null;
  const signed_in = await findAccountOf(app, browser);
  const may_end = [existing?.id ?? linked_id, ends_session_of];
  if (signed_in && !may_end.includes(signed_in.id)) {
    await awaitSwitch(app.database, request, known);
    return { kind: 'switch', request_id: request.id, account: signed_in, email: identity.email };
  }
  if (linked_id !== null) {
    await awaitLink(app.database, request, { account_id: linked_id, identity: known });
    return refuse.ssoLinkRequired();
  }
  // It is used once.
  if (!(await deleteRequest(app.database, request))) throw refuse.ssoExpired();
  const account = existing ? await refresh(app, existing, known) : await create(app, organization_id, known);
  return { kind: 'signed_in', started: await startSsoSession(app, account, browser) };
}

/** Returns null unless the session of the browser still counts. */
async function findAccountOf(app: App, { session_token }: Browser): Promise<AccountRow | null> {
  if (session_token === null) return null;
  return (await selectByHash(app.database, hashToken(session_token), app.now()))?.account ?? null;
}

/**
 * Where a person without an account here gets one. An account with the same address that has a password stays its person's: it is
 * linked only with that password.
 */
export async function findPlace(
  app: App,
  organization_id: string,
  email: string,
): Promise<{ kind: 'new' } | { kind: 'taken' } | { kind: 'link'; account_id: string }> {
  const other = await selectByEmail(app.database, email);
  if (!other) return { kind: 'new' };
  const can_link = other.organization_id === organization_id && other.sso_subject === null && !other.is_break_glass;
  return can_link ? { kind: 'link', account_id: other.id } : { kind: 'taken' };
}

async function create(app: App, organization_id: string, { issuer, subject, ...person }: SsoIdentity) {
  await refuseFullOrganization(app, organization_id);
  const sso = { sso_issuer: issuer, sso_subject: subject, password_hash: DUMMY_HASH };
  return createAccount(app, { organization_id, ...person, ...sso });
}

/** The role is read again at each sign-in; a new address is taken over if nobody else has it. */
async function refresh(app: App, before: AccountRow, { role, email }: { role: Role; email: string }) {
  const is_free = email !== before.email && !(await isEmailTaken(app.database, email));
  const change = { role, ...(is_free ? { email } : {}) };
  if (role === before.role && !is_free) return before;
  const after = await updateAccountRow(app.database, before.id, change);
  const { id: account_id, organization_id } = before;
  const state = { before: showAccount(before), after: showAccount(after) };
  const action = role === before.role ? 'account.updated' : 'account.role_changed';
  await recordAccount(app, 'system', { action, organization_id, account_id, ...state });
  return after;
}

/** The provider says that the person has no role any more: what it was signed in to ends too. */
async function endSessions(app: App, account: AccountRow): Promise<void> {
  const ended = await deleteSessions(app.database, account.id, null);
  const { id: account_id, organization_id } = account;
  const before = { ended, reason: 'sso_no_role' };
  await recordAccount(app, 'system', { action: 'account.sessions_ended', organization_id, account_id, before });
}

export async function startSsoSession(app: App, account: AccountRow, browser: Browser): Promise<Started> {
  const started = await startSession(app, account.id, browser, SESSION_MS);
  const { session } = started.current;
  const after = { session_id: session.id, user_agent: session.user_agent, by: 'sso' };
  await recordOwn(app, account, 'account.signed_in', { after });
  return started;
}
