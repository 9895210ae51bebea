// The second factor at a sign-in: a code of the authenticator app, or a recovery code. Each is accepted once.

import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { hashRecoveryCode, useRecoveryCode } from './recovery-codes.ts';
import { type SecretAccountRow, updateAccountRow } from './store.ts';
import { matchTotp } from './totp.ts';

export type SecondFactor = { code?: string | undefined; recovery_code?: string | undefined };

export const totpContext = (account_id: string) => ({
  table: 'accounts',
  column: 'totp_secret',
  row_id: account_id,
});

/** With the account locked, so that of two sign-ins with one code one is refused. Returns which kind was used. */
export async function checkSecondFactor(
  app: App,
  account: SecretAccountRow,
  { code, recovery_code }: SecondFactor,
): Promise<'none' | 'code' | 'recovery_code'> {
  if (account.totp_enabled_at === null) return 'none';
  if (recovery_code !== undefined) {
    const left = useRecoveryCode(account.recovery_codes, hashRecoveryCode(account.id, recovery_code));
    if (left === null)
      throw refuse.totpInvalid({ details: { field: 'recovery_code', reason: 'recovery_code_invalid' } });
    await updateAccountRow(app.database, account.id, { recovery_codes: left });
    return 'recovery_code';
  }
  if (code === undefined) throw refuse.totpRequired();
  if (!(await acceptCode(app, account, code))) throw refuse.totpInvalid({ details: { field: 'code' } });
  return 'code';
}

/** Marks the code as used. Returns false for a code that is wrong or was used. */
export async function acceptCode(app: App, account: SecretAccountRow, code: string): Promise<boolean> {
  const { id, totp_secret, totp_last_step } = account;
  if (totp_secret === null) return false;
  const secret = (await app.secrets.open(app.database, null, totpContext(id), totp_secret)).toString();
  const step = matchTotp(secret, code, app.now(), totp_last_step);
  if (step === null) return false;
  await updateAccountRow(app.database, id, { totp_last_step: step });
  return true;
}
