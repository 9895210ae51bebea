// Serves /projects/{id}/hooks.

import { type Hook, type HookTest, type HookTestRequest, hookSecretRotation } from '@toolgate/contract/hooks/hook.ts';
import { hookRoutes } from '@toolgate/contract/hooks/routes.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { createHook } from './create.ts';
import { recordChange, showHook } from './hook.ts';
import { rotateHookSecret } from './rotate-secret.ts';
import { deleteHookRow, lockHook, pageOfHooks, selectHook } from './store.ts';
import { updateHook } from './update.ts';

type TestHook = (app: App, caller: Caller, id: string, request: HookTestRequest) => Promise<HookTest>;

/** `testHook` is handed in: it belongs to the calls, which know hooks. */
export function serveHooks(server: Server, app: App, testHook: TestHook): void {
  implement(
    server,
    app,
    hookRoutes,
    {
      createHook: (app, { caller, body }) => createHook(app, caller, body),
      listHooks: (app, { caller, query }) => listHooks(app, caller, query),
      getHook: async (app, { caller, params }) =>
        showHook(await getRow(app, caller, params.hook_id, selectHook), app.now()),
      updateHook: (app, { caller, params, body }) => updateHook(app, caller, params.hook_id, body),
      deleteHook: (app, { caller, params }) => deleteHook(app, caller, params.hook_id),
      rotateHookSecret: (app, { caller, params, body = hookSecretRotation.parse({}) }) =>
        rotateHookSecret(app, caller, params.hook_id, body),
      testHook: (app, { caller, params, body }) => testHook(app, caller, params.hook_id, body),
    },
    // It waits for the hook, and takes permits only where it reads the database.
    { testHook: { database_permit: false } },
  );
}

async function listHooks(app: App, caller: Caller, query: PageQuery): Promise<Page<Hook>> {
  const page = await pageOfHooks(app.database, projectOf(caller).id, query);
  return makePage(
    page,
    page.rows.map((row) => showHook(row, app.now())),
  );
}

async function deleteHook(app: App, caller: Caller, id: string): Promise<void> {
  refuseNarrowed(caller);
  return withLockedRow(app, caller, id, lockHook, async (app, row) => {
    await deleteHookRow(app.database, row.project_id, id);
    await recordChange(app, caller, { type: 'hook.deleted', target_id: id, data: showHook(row, app.now()) });
  });
}
