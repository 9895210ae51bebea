// Creates an account: the first owner, a person who accepts an invitation or signs in by single sign-on for the first time, or an
// owner made from the command line.

import type { Role } from '@toolgate/contract/roles.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { refuse } from '../../../errors/errors.ts';
import { type AccountRow, showAccount } from './account.ts';
import { recordAccount, recordOwn } from './record.ts';
import { insertAccount } from './store.ts';

type NewAccount = {
  organization_id: string;
  name: string;
  email: string;
  password_hash: string;
  role: Role;
  sso_issuer?: string;
  sso_subject?: string;
};

/** Inside a transaction. The person itself is the actor, unless the operator creates it. */
export async function createAccount(
  app: App,
  account: NewAccount,
  actor: 'self' | 'system' = 'self',
): Promise<AccountRow> {
  const row = await insertAccount(app.database, { id: newId('usr'), ...account });
  if (!row) throw refuse.emailTaken({ details: { field: 'email' } });
  const { id: account_id, organization_id } = row;
  const after = showAccount(row);
  if (actor === 'self') await recordOwn(app, row, 'account.created', { after });
  else await recordAccount(app, 'system', { action: 'account.created', organization_id, account_id, after });
  return row;
}
