// Serves /assertion-keys.

import { assertionKeyRoutes } from '@toolgate/contract/assertion-keys/routes.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { showAssertionKey } from './assertion-key.ts';
import { deactivateAssertionKey } from './deactivate.ts';
import { debugAssertion } from './debug.ts';
import { deleteAssertionKey } from './delete.ts';
import { listAssertionKeys } from './list.ts';
import { registerAssertionKey } from './register.ts';
import { selectAssertionKey } from './store.ts';

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
