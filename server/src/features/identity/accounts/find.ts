// Questions about the people of an organization, for other features.

import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { countAccounts, selectByEmail } from './store.ts';

const MAX_ACCOUNTS = 1000;

export async function isColleague(app: App, organization_id: string, email: string): Promise<boolean> {
  return (await selectByEmail(app.database, email))?.organization_id === organization_id;
}

export async function refuseFullOrganization(app: App, organization_id: string): Promise<void> {
  if ((await countAccounts(app.database, organization_id)) < MAX_ACCOUNTS) return;
  throw refuse.limitReached({ details: { reason: 'too_many_accounts', limit: MAX_ACCOUNTS } });
}
