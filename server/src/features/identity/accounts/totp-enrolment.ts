// Turns two-factor authentication on and off. A new secret counts only once a code of it was sent: nobody is locked out by an app
// that did not store it.

import type {
  PendingTotp,
  RecoveryCodes,
  RecoveryCodesInput,
  TotpConfirmation,
} from '@toolgate/contract/accounts/totp.ts';
import { accountOf, type Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { endSessionsIfSsoRequired, refuseLastBreakGlass } from './break-glass.ts';
import { requireRecentAuthentication } from './recent-authentication.ts';
import { recordOwn } from './record.ts';
import { hashRecoveryCode, makeRecoveryCodes } from './recovery-codes.ts';
import { acceptCode, totpContext } from './second-factor.ts';
import { beginAttempt } from './sign-in-waits.ts';
import { lockAccount, lockPeople, noSecondFactor, type SecretAccountRow, updateAccountRow } from './store.ts';
import { makeTotpSecret, otpauthUrl } from './totp.ts';
import { verifyOwnPassword } from './verify-own-password.ts';

/** Each call makes a new secret; the one before can no longer be confirmed. */
export async function beginTotp(app: App, given: Caller): Promise<PendingTotp> {
  const caller = accountOf(given);
  const { account_id } = caller;
  requireRecentAuthentication(app, caller);
  return transact(app, async (app) => {
    const account = await lockOwn(app, account_id);
    if (account.sso_subject !== null) throw refuse.ssoAccount();
    if (account.totp_enabled_at !== null) throw refuse.totpAlreadyOn();
    const secret = makeTotpSecret();
    const totp_secret = await app.secrets.seal(app.database, null, totpContext(account_id), secret);
    await updateAccountRow(app.database, account_id, { totp_secret, totp_last_step: null });
    const otpauth_url = otpauthUrl(secret, { issuer: 'toolgate', email: account.email });
    return { object: 'totp' as const, status: 'pending' as const, secret, otpauth_url };
  });
}

export async function confirmTotp(app: App, caller: Caller, given: TotpConfirmation): Promise<RecoveryCodes> {
  const { account_id } = accountOf(caller);
  requireRecentAuthentication(app, accountOf(caller));
  const attempt = await beginAttempt(app, [{ account_id }]);
  return transact(app, async (app) => {
    const account = await lockOwn(app, account_id);
    if (account.totp_enabled_at !== null) throw refuse.totpAlreadyOn();
    if (account.totp_secret === null) throw refuse.totpNotPending();
    if (!(await acceptCode(app, account, given.code)))
      throw invalidField('code', 'is not the current code of this secret', { reason: 'totp_invalid' });
    await attempt.succeed(app);
    await updateAccountRow(app.database, account_id, { totp_enabled_at: new Date(app.now()).toISOString() });
    await recordOwn(app, account, 'account.totp_enabled');
    return renewCodes(app, account_id);
  });
}

export async function disableTotp(app: App, caller: Caller, given: { password: string }): Promise<void> {
  const { account_id } = accountOf(caller);
  await verifyOwnPassword(app, account_id, 'password', given.password);
  await transact(app, async (app) => {
    await lockPeople(app.database, accountOf(caller).organization_id);
    const account = await lockOwn(app, account_id);
    if (account.totp_enabled_at === null) throw refuse.totpNotOn();
    await refuseLastBreakGlass(app, account);
    await updateAccountRow(app.database, account_id, { ...noSecondFactor, is_break_glass: false });
    if (account.is_break_glass) await endSessionsIfSsoRequired(app, account);
    await recordOwn(app, account, 'account.totp_disabled');
  });
}

/** The codes before no longer work. */
export async function renewRecoveryCodes(app: App, caller: Caller, given: RecoveryCodesInput): Promise<RecoveryCodes> {
  const { account_id } = accountOf(caller);
  if (given.password === undefined) requireRecentAuthentication(app, accountOf(caller));
  else await verifyOwnPassword(app, account_id, 'password', given.password);
  return transact(app, async (app) => {
    const account = await lockOwn(app, account_id);
    if (account.totp_enabled_at === null) throw refuse.totpNotOn();
    await recordOwn(app, account, 'account.recovery_codes_renewed');
    return renewCodes(app, account_id);
  });
}

async function renewCodes(app: App, account_id: string): Promise<RecoveryCodes> {
  const codes = makeRecoveryCodes();
  const recovery_codes = codes.map((each) => hashRecoveryCode(account_id, each));
  await updateAccountRow(app.database, account_id, { recovery_codes });
  return { object: 'recovery_codes', recovery_codes: codes };
}

async function lockOwn(app: App, account_id: string): Promise<SecretAccountRow> {
  const account = await lockAccount(app.database, account_id);
  if (!account) throw refuse.notSignedIn(); // removed since the request was authenticated
  return account;
}
