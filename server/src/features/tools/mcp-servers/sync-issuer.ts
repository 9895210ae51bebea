// With each sync of an MCP server with `member_oauth` it is looked up where its members sign in. An authorization server that waits for an
// admin is reported once.

import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { lookUpIssuer, takeUnreportedIssuer } from '../../oauth/providers/server-issuer.ts';
import { auditServer, recordChange, type ServerRow, showServer } from './mcp-server.ts';
import { lockServer } from './store.ts';

/** Do not hold a database permit. */
export async function syncIssuer(app: App, caller: Caller, row: ServerRow): Promise<void> {
  if (row.auth_strategy !== 'member_oauth') return;
  const project = projectOf(caller);
  await lookUpIssuer(app, project, row.id);
  await app.permits.run(project, () =>
    transact(app, async (app) => {
      const saved = await lockServer(app.database, project.id, row.id);
      if (!saved || !(await takeUnreportedIssuer(app, saved))) return;
      const [before, after] = [{ ...auditServer(saved), found_issuer: null }, auditServer(saved)];
      const data = showServer(saved);
      await recordChange(app, caller, { type: 'mcp_server.changed', target_id: row.id, data, before, after });
    }),
  );
}
