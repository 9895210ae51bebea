// Gives the password, or the second factor, again in a session that goes on. The cookie is renewed: one that was stolen before
// would otherwise gain what only the person should have now.

import type { Reauthenticated, Reauthentication } from '@toolgate/contract/accounts/sign-in.ts';
import { type AccountCaller, accountOf, type Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { ApiError, invalidField, refuse } from '../../../errors/errors.ts';
import { hashToken, randomSecret } from '../../../secrets/tokens.ts';
import { RECENT_MS } from './recent-authentication.ts';
import { recordOwn } from './record.ts';
import { checkSecondFactor } from './second-factor.ts';
import type { Browser } from './session.ts';
import { renewHash, writeAuthenticated } from './session-store.ts';
import { beginAttempt } from './sign-in-waits.ts';
import { lockAccount } from './store.ts';
import { verifyOwnPassword } from './verify-own-password.ts';

/** `token` is for the new cookie; null if another request has renewed it at the same time. */
type Renewed = { result: Reauthenticated; token: string | null };

export async function reauthenticate(
  app: App,
  given: Caller,
  browser: Browser,
  input: Reauthentication,
): Promise<Renewed> {
  const caller = accountOf(given);
  const { password, ...factor } = input;
  if ([password, factor.code, factor.recovery_code].filter((each) => each !== undefined).length !== 1)
    throw invalidField('password', 'send exactly one of password, code and recovery_code');
  if (password === undefined) return withSecondFactor(app, caller, browser, factor);
  const { password_hash } = await verifyOwnPassword(app, caller.account_id, 'password', password);
  return transact(app, async (app) => {
    const account = await lockAccount(app.database, caller.account_id);
    // The password was changed while it was checked.
    if (account?.password_hash !== password_hash) throw refuse.passwordIncorrect({ details: { field: 'password' } });
    return renew(app, caller, browser, 'password');
  });
}

async function withSecondFactor(
  app: App,
  caller: AccountCaller,
  browser: Browser,
  factor: Omit<Reauthentication, 'password'>,
): Promise<Renewed> {
  const attempt = await beginAttempt(app, [{ account_id: caller.account_id }]);
  try {
    return await transact(app, async (app) => {
      const account = await lockAccount(app.database, caller.account_id);
      if (!account) throw refuse.notSignedIn(); // removed since the request was authenticated
      if (account.sso_subject !== null) throw refuse.ssoAccount();
      // A secret that was not confirmed proves nothing: whoever has the cookie may have asked for it.
      if (account.totp_enabled_at === null) throw refuse.totpNotOn();
      const used = await checkSecondFactor(app, account, factor);
      await attempt.succeed(app);
      return renew(app, caller, browser, used);
    });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'TOTP_INVALID')) await attempt.undo();
    throw error;
  }
}

async function renew(
  app: App,
  { account_id: id, organization_id, session_id }: AccountCaller,
  { session_token }: Browser,
  by: string,
): Promise<Renewed> {
  const now = app.now();
  if (!(await writeAuthenticated(app.database, session_id, now))) throw refuse.notSignedIn(); // it has just ended
  const token = randomSecret(32);
  const is_renewed = await renewHash(app.database, session_id, hashToken(session_token ?? ''), hashToken(token));
  await recordOwn(app, { id, organization_id }, 'account.reauthenticated', { after: { session_id, by } });
  const expires_at = new Date(now + RECENT_MS).toISOString();
  return { result: { object: 'reauthentication', expires_at }, token: is_renewed ? token : null };
}
