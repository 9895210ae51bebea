// Deletes all accounts of an organization that is deleted. Their sessions and invitations end with them.

import type { App } from '../../../app.ts';
import { deleteAccounts, lockPeople } from './store.ts';

export async function removeEveryone(app: App, organization_id: string): Promise<void> {
  await lockPeople(app.database, organization_id);
  await deleteAccounts(app.database, organization_id);
}
