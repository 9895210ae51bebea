// SQL of clients that registered themselves. They belong to no project.

import { isId } from '@toolgate/contract/ids.ts';
import type { Database, Row } from '../../../database/tables.ts';

type DynamicClient = Row<'oauth_dynamic_clients'>;

export async function selectDynamicClient(
  database: Database,
  client_id: string,
  now: string,
): Promise<Pick<DynamicClient, 'client_id' | 'name' | 'redirect_uris'> | undefined> {
  if (!isId('odc', client_id)) return undefined;
  return database
    .selectFrom('oauth_dynamic_clients')
    .select(['client_id', 'name', 'redirect_uris'])
    .where('client_id', '=', client_id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function insertDynamicClient(database: Database, client: DynamicClient): Promise<void> {
  await database.insertInto('oauth_dynamic_clients').values(client).execute();
}
