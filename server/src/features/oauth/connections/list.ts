// Lists the connections of a member.

import type { OAuthConnection } from '@toolgate/contract/oauth-connections/oauth-connection.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { getMember } from '../../members/members/get.ts';
import { showConnection } from './connection.ts';
import { pageOfConnections } from './store.ts';

export async function listConnections(
  app: App,
  caller: Caller,
  member_id: string,
  query: PageQuery,
): Promise<Page<OAuthConnection>> {
  const member = await getMember(app, caller, member_id);
  const page = await pageOfConnections(app.database, projectOf(caller).id, member.id, query);
  return makePage(page, page.rows.map(showConnection));
}
