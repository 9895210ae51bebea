// Asks for the password again before a change that would let somebody at an unlocked screen keep the account. Waits grow after
// failures, for this account only: they do not delay its sign-ins.

import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { verifyPassword } from './password.ts';
import { beginAttempt } from './sign-in-waits.ts';
import { type SecretAccountRow, selectSecretAccount } from './store.ts';

/** Returns the account. `field` is where the password was sent. */
export async function verifyOwnPassword(
  app: App,
  account_id: string,
  field: string,
  password: string,
): Promise<SecretAccountRow> {
  const account = await selectSecretAccount(app.database, account_id);
  if (!account) throw refuse.notSignedIn(); // removed since the request was authenticated
  if (account.sso_subject !== null) throw refuse.ssoAccount();
  const attempt = await beginAttempt(app, [{ account_id }]);
  const isRight = await verifyPassword(app, { account_id }, account.password_hash, password).catch(
    async (error: unknown) => {
      await attempt.undo();
      throw error;
    },
  );
  if (!isRight) throw refuse.passwordIncorrect({ details: { field } });
  await attempt.succeed(app);
  return account;
}
