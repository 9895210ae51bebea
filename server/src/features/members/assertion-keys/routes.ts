// Serves /assertion-keys.

import type { AssertionKey } from '@toolgate/contract/assertion-keys/assertion-key.ts';
import { assertionKeyRoutes } from '@toolgate/contract/assertion-keys/routes.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { recordChange, showAssertionKey } from './assertion-key.ts';
import { deactivateAssertionKey } from './deactivate.ts';
import { debugAssertion } from './debug.ts';
import { registerAssertionKey } from './register.ts';
import { deleteAssertionKeyRow, lockAssertionKey, pageOfAssertionKeys, selectAssertionKey } from './store.ts';

export function serveAssertionKeys(server: Server, app: App): void {
  implement(server, app, assertionKeyRoutes, {
    registerAssertionKey: (app, { caller, body }) => registerAssertionKey(app, caller, body),
    listAssertionKeys: (app, { caller, query }) => listAssertionKeys(app, caller, query),
    debugAssertion: (app, { caller, body }) => debugAssertion(app, caller, body ?? {}),
    getAssertionKey: async (app, { caller, params }) =>
      showAssertionKey(await getRow(app, caller, params.assertion_key_id, selectAssertionKey)),
    deactivateAssertionKey: (app, { caller, params }) => deactivateAssertionKey(app, caller, params.assertion_key_id),
    deleteAssertionKey: (app, { caller, params }) => deleteAssertionKey(app, caller, params.assertion_key_id),
  });
}

async function listAssertionKeys(app: App, caller: Caller, query: PageQuery): Promise<Page<AssertionKey>> {
  const page = await pageOfAssertionKeys(app.database, projectOf(caller).id, query);
  return makePage(page, page.rows.map(showAssertionKey));
}

async function deleteAssertionKey(app: App, caller: Caller, id: string): Promise<void> {
  await withLockedRow(app, caller, id, lockAssertionKey, async (app, row) => {
    await deleteAssertionKeyRow(app.database, row.project_id, id);
    await recordChange(app, caller, { type: 'assertion_key.deleted', target_id: id, data: showAssertionKey(row) });
  });
}
