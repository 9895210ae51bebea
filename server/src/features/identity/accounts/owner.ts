// Owners from the settings and the command line: whoever operates the server can always create one, or give one a new password.

import { type Account, email as emailSchema } from '@toolgate/contract/accounts/account.ts';
import { newPassword } from '@toolgate/contract/accounts/password.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { ApiError, describeRefusal } from '../../../errors/errors.ts';
import { findFirstOrganization } from '../../projects/projects/find.ts';
import { showAccount } from './account.ts';
import { createAccount } from './create.ts';
import { hashPassword, refuseCommonPassword } from './password.ts';
import { recordAccount } from './record.ts';
import { deleteSessions } from './session-store.ts';
import { deleteLinks, lockSetup } from './setup-store.ts';
import { insertOrganization, lockAccount, noSecondFactor, selectByEmail, updateAccountRow } from './store.ts';

/** At the start and on the command line nobody else waits. */
const OPERATOR = { account_id: 'operator' };

type NewOwner = {
  email: string;
  name: string;
  password: string;
  /** The name of a new organization for the owner; otherwise the first one. */
  organization?: string | undefined;
};

/** Throws an Error with text for the operator. */
export async function createOwner(app: App, { email, name, password, organization }: NewOwner): Promise<Account> {
  return forOperator(async () => {
    const password_hash = await hashNewPassword(app, email, password);
    return transact(app, async (app) => {
      await lockSetup(app.database);
      const organization_id = organization
        ? await insertOrganization(app.database, { id: newId('org'), name: organization })
        : await findFirstOrganization(app);
      const owner = { organization_id, name, email: parseEmail(email), password_hash, role: 'owner' as const };
      const row = await createAccount(app, owner, 'system');
      if (!organization) await deleteLinks(app.database);
      return showAccount(row);
    });
  });
}

/** A new password, no second factor, no single sign-on, the role `owner`, and no session: for a person who cannot sign in any more. */
export async function resetOwner(app: App, { email, password }: { email: string; password: string }): Promise<Account> {
  return forOperator(async () => {
    const password_hash = await hashNewPassword(app, email, password);
    return transact(app, async (app) => {
      const found = await selectByEmail(app.database, parseEmail(email));
      const before = found && (await lockAccount(app.database, found.id));
      if (!before) throw new Error(`there is no account with the email address ${email}`);
      const { id: account_id, organization_id } = before;
      const after = await updateAccountRow(app.database, account_id, {
        password_hash,
        role: 'owner',
        ...noSecondFactor,
        is_break_glass: false,
        sso_issuer: null,
        sso_subject: null,
      });
      await deleteSessions(app.database, account_id, null);
      await recordAccount(app, 'system', {
        action: 'account.reset',
        organization_id,
        account_id,
        before: showAccount(before),
        after: showAccount(after),
      });
      return showAccount(after);
    });
  });
}

async function hashNewPassword(app: App, email: string, password: string): Promise<string> {
  const parsed = newPassword.safeParse(password);
  if (!parsed.success) throw new Error(`the password ${parsed.error.issues[0]?.message}`);
  refuseCommonPassword('password', password, email);
  return hashPassword(app, OPERATOR, password);
}

function parseEmail(text: string): string {
  const parsed = emailSchema.safeParse(text);
  if (!parsed.success) throw new Error(`${text} is not an email address`);
  return parsed.data;
}

async function forOperator<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ApiError ? new Error(describeRefusal(error), { cause: error }) : error;
  }
}
