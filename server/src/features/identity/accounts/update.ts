// Changes one's own account. A new password ends all other sessions and renews this one.

import type { AccountChange, CurrentAccount } from '@toolgate/contract/accounts/account.ts';
import { type AccountCaller, accountOf, type Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { showAccount, showCurrentAccount } from './account.ts';
import { hashPassword, refuseCommonPassword } from './password.ts';
import { recordOwn } from './record.ts';
import { type Browser, startSession } from './session.ts';
import { deleteSessions, selectBySession } from './session-store.ts';
import { countNewEmail } from './sign-in-waits.ts';
import { isEmailInvited, isEmailTaken, lockAccount, updateAccountRow } from './store.ts';
import { verifyOwnPassword } from './verify-own-password.ts';

/** `token` is that of the renewed session, or null. */
export type Updated = { account: CurrentAccount; token: string | null };

export async function updateAccount(app: App, given: Caller, browser: Browser, input: AccountChange): Promise<Updated> {
  const caller = accountOf(given);
  const verified_hash = await verifyIfNeeded(app, caller, input);
  const password_hash = input.password === undefined ? undefined : await hashPassword(app, caller, input.password);
  return transact(app, async (app) => {
    const before = await lockAccount(app.database, caller.account_id);
    if (!before) throw refuse.notSignedIn();
    // The password was changed while it was checked.
    if (verified_hash !== null && verified_hash !== before.password_hash)
      throw refuse.passwordIncorrect({ details: { field: 'current_password' } });
    const { name, email } = input;
    if (email !== undefined && email !== before.email) await refuseTakenEmail(app, email);
    if (name === undefined && email === undefined && password_hash === undefined)
      return { account: await showOwn(app, caller.session_id), token: null };
    const after = await updateAccountRow(app.database, caller.account_id, { name, email, password_hash });
    if (name !== undefined || email !== undefined)
      await recordOwn(app, before, 'account.updated', { before: showAccount(before), after: showAccount(after) });
    if (password_hash === undefined) return { account: await showOwn(app, caller.session_id), token: null };
    return renewSession(app, before, browser);
  });
}

/** An address that is invited waits for the person who has the link, whichever organization invites them. */
async function refuseTakenEmail(app: App, email: string): Promise<void> {
  const now = new Date(app.now()).toISOString();
  if ((await isEmailTaken(app.database, email)) || (await isEmailInvited(app.database, email, now)))
    throw refuse.emailTaken({ details: { field: 'email' } });
}

/** Returns the hash of the password that was verified, or null if none was needed. */
async function verifyIfNeeded(app: App, { account_id }: AccountCaller, input: AccountChange): Promise<string | null> {
  const { current_password, password, email } = input;
  if (password === undefined && email === undefined) return null;
  if (current_password === undefined)
    throw invalidField('current_password', 'is required', { reason: 'current_password_required' });
  const account = await verifyOwnPassword(app, account_id, 'current_password', current_password);
  if (password !== undefined) refuseCommonPassword('password', password, email ?? account.email);
  if (email !== undefined && email !== account.email) await countNewEmail(app, account);
  return account.password_hash;
}

async function renewSession(app: App, account: { id: string; organization_id: string }, browser: Browser) {
  const ended = await deleteSessions(app.database, account.id, null);
  const { token, current } = await startSession(app, account.id, { ...browser, session_token: null });
  await recordOwn(app, account, 'account.password_changed', { after: { ended_sessions: ended } });
  return { account: showCurrentAccount(app, current), token };
}

export async function showOwn(app: App, session_id: string): Promise<CurrentAccount> {
  const current = await selectBySession(app.database, session_id, app.now());
  if (!current) throw refuse.notSignedIn(); // it ended since the request was authenticated
  return showCurrentAccount(app, current);
}
