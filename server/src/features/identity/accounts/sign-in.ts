// Signs a person in: email address and password, and the second factor if it is on. The response for an unknown address takes the
// same work and says the same as for a wrong password. docs/design/people.md explains why.

import type { CurrentAccount } from '@toolgate/contract/accounts/account.ts';
import type { SignIn } from '@toolgate/contract/accounts/sign-in.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { ApiError, refuse } from '../../../errors/errors.ts';
import { showCurrentAccount } from './account.ts';
import { refusePasswordIfSsoRequired } from './break-glass.ts';
import { DUMMY_HASH, verifyPassword } from './password.ts';
import { queueByNetwork } from './queue-by-network.ts';
import { recordOwn } from './record.ts';
import { checkSecondFactor } from './second-factor.ts';
import { type Browser, startSession } from './session.ts';
import { type Attempt, beginAttempt } from './sign-in-waits.ts';
import { lockAccount, type SecretAccountRow, selectByEmail } from './store.ts';

/** The response, and the secret for the cookie of the new session. */
export type SignedIn = { account: CurrentAccount; token: string };

export function signIn(app: App, browser: Browser, input: SignIn): Promise<SignedIn> {
  return withPassword(app, browser, input, async (app, account, proveSecondFactor) => {
    await refusePasswordIfSsoRequired(app, account);
    const second_factor = await proveSecondFactor();
    const started = await startSession(app, account.id, browser);
    const { session } = started.current;
    const after = { session_id: session.id, user_agent: session.user_agent, second_factor };
    await recordOwn(app, account, 'account.signed_in', { after });
    return { account: showCurrentAccount(app, started.current), token: started.token };
  });
}

/** What is done for a person whose password was right, in a transaction with the account locked. It asks for the second factor. */
type Proven<T> = (
  app: App,
  account: SecretAccountRow,
  proveSecondFactor: () => ReturnType<typeof checkSecondFactor>,
) => Promise<T>;

export async function withPassword<T>(app: App, browser: Browser, input: SignIn, work: Proven<T>): Promise<T> {
  const begin = async () => ({
    attempt: await beginAttempt(app, [{ email: input.email }, { ip: browser.ip }]),
    account: await selectByEmail(app.database, input.email),
  });
  const { attempt, account } = await queueByNetwork(app, browser, begin);
  try {
    const isRight = await verifyPassword(app, browser, account?.password_hash ?? DUMMY_HASH, input.password);
    if (!account || !isRight) throw refuse.signInFailed();
    return await queueByNetwork(app, browser, () => finish(app, { account, attempt, input }, work));
  } catch (error) {
    // Neither a missing second factor nor a busy server is a failure of the person.
    if (!isFailure(error)) await queueByNetwork(app, browser, () => attempt.undo());
    throw error;
  }
}

const failures: ReadonlySet<string> = new Set(['SIGN_IN_FAILED', 'TOTP_INVALID']);
const isFailure = (error: unknown) => error instanceof ApiError && failures.has(error.code);

type Checked = { account: SecretAccountRow; attempt: Attempt; input: SignIn };

function finish<T>(app: App, { account, attempt, input }: Checked, work: Proven<T>): Promise<T> {
  return transact(app, async (app) => {
    const current = await lockAccount(app.database, account.id);
    // Removed, or the password changed, since it was checked.
    if (current?.password_hash !== account.password_hash) throw refuse.signInFailed();
    return work(app, current, async () => {
      const second_factor = await checkSecondFactor(app, current, input);
      await attempt.succeed(app);
      return second_factor;
    });
  });
}
