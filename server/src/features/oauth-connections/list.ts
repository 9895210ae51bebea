// Lists the connections of a member.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { getMember } from '../members/get.ts';
import { type ConnectionAnswer, showConnection } from './connection.ts';
import { pageOfConnections } from './store.ts';

export async function listConnections(
  app: App,
  caller: Caller,
  member_id: string,
  query: PageQuery,
): Promise<Page<ConnectionAnswer>> {
  const member = await getMember(app, caller, member_id);
  const page = await pageOfConnections(app.database, projectOf(caller).id, member.id, query);
  return { ...page, data: page.data.map(showConnection) };
}
