// Serves /projects/{id}/api-keys.

import { apiKeyRoutes } from '@toolgate/contract/api-keys/routes.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { showKey } from './api-key.ts';
import { createKey } from './create.ts';
import { deleteKey } from './delete.ts';
import { listKeys } from './list.ts';
import { revokeKey } from './revoke.ts';
import { rotateKey } from './rotate.ts';
import { selectKey } from './store.ts';
import { updateKey } from './update.ts';

export function serveApiKeys(server: Server, app: App): void {
  implement(server, app, apiKeyRoutes, {
    createApiKey: (app, { caller, body }) => createKey(app, caller, body),
    listApiKeys: (app, { caller, query }) => listKeys(app, caller, {}, query),
    getApiKey: async (app, { caller, params }) =>
      showKey(await getRow(app, caller, params.api_key_id, selectKey), app.now()),
    updateApiKey: (app, { caller, params, body }) => updateKey(app, caller, params.api_key_id, body),
    rotateApiKey: (app, { caller, params, body }) =>
      rotateKey(app, caller, params.api_key_id, body ?? { overlap_seconds: 0 }),
    revokeApiKey: (app, { caller, params }) => revokeKey(app, caller, params.api_key_id),
    deleteApiKey: (app, { caller, params }) => deleteKey(app, caller, params.api_key_id),
  });
}
