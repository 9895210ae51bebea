// POST /account/sso/link: an account with a password becomes one of single sign-on. The person has just signed in at the provider in
// this browser, and proves the account with its password: neither alone is enough.

import type { SsoLink } from '@toolgate/contract/organizations/sso.ts';
import type { App } from '../../../app.ts';
import type { SsoIdentity } from '../../../database/tables.ts';
import { refuse } from '../../../errors/errors.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { showAccount, showCurrentAccount } from '../accounts/account.ts';
import { DUMMY_HASH } from '../accounts/password.ts';
import { refuseLastOwner } from '../accounts/people.ts';
import { queueByNetwork } from '../accounts/queue-by-network.ts';
import { recordOwn } from '../accounts/record.ts';
import { deleteSessions } from '../accounts/session-store.ts';
import { type SignedIn, withPassword } from '../accounts/sign-in.ts';
import { lockPeople, noSecondFactor, type SecretAccountRow, updateAccountRow } from '../accounts/store.ts';
import type { Visitor } from './browser.ts';
import { deleteRequest, type SsoRequest, selectLink } from './request-store.ts';
import { startSsoSession } from './sign-person-in.ts';
import { selectSso } from './store.ts';

export async function linkSso(app: App, visitor: Visitor, input: SsoLink): Promise<SignedIn> {
  const request = await queueByNetwork(app, visitor, () => findLink(app, visitor));
  const { identity } = request;
  return withPassword(app, visitor, { ...input, email: identity.email }, async (app, account, proveSecondFactor) => {
    // The address has moved to another account since.
    if (account.id !== request.account_id || account.is_break_glass) throw refuse.ssoExpired();
    await proveSecondFactor();
    await link(app, account, request);
    const { token, current } = await startSsoSession(app, account, visitor);
    return { account: showCurrentAccount(app, current), token };
  });
}

type OpenLink = SsoRequest & { identity: SsoIdentity };

async function findLink(app: App, { secret }: Visitor): Promise<OpenLink> {
  const now = new Date(app.now()).toISOString();
  const request = await selectLink(app.database, { browser_hash: hashToken(secret), now });
  if (!request?.identity) throw refuse.ssoExpired();
  return { ...request, identity: request.identity };
}

async function link(app: App, before: SecretAccountRow, { identity, ...request }: OpenLink): Promise<void> {
  const { organization_id } = request;
  const { issuer, subject, role } = identity;
  await lockPeople(app.database, organization_id);
  const settings = await selectSso(app.database, organization_id);
  if (settings?.issuer !== issuer || !(await deleteRequest(app.database, request))) throw refuse.ssoExpired();
  await refuseLastOwner(app, before);
  const after = await updateAccountRow(app.database, before.id, {
    role,
    password_hash: DUMMY_HASH,
    ...noSecondFactor,
    sso_issuer: issuer,
    sso_subject: subject,
  });
  await deleteSessions(app.database, before.id, null);
  await recordOwn(app, before, 'account.sso_linked', { before: showAccount(before), after: showAccount(after) });
}
