// Serves /projects/{id}/effective-tools.

import { effectiveToolRoutes } from '@toolgate/contract/toolsets/routes.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { explainTools } from './explain.ts';

export function serveEffectiveTools(server: Server, app: App): void {
  implement(server, app, effectiveToolRoutes, {
    listEffectiveTools: (app, { caller, query: { limit, cursor, ...ids } }) =>
      explainTools(app, caller, ids, { limit, cursor }),
  });
}
