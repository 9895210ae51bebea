// Adds an MCP server. Saving makes no network call: the first sync shows whether it can be reached.

import type { McpServer, NewMcpServer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import { RESERVED_SLUG } from '@toolgate/contract/mcp-servers/rules.ts';
import { type Caller, creatorOf, projectOf } from '../../../access/caller.ts';
import { refuseBeyondLimit } from '../../../api/resource-limit.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { lockProjectRow } from '../../../database/lock-project-row.ts';
import { transact } from '../../../database/transact.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { checkServer, checkServerDestination, serverApproval } from './check.ts';
import { auditServer, recordChange, type ServerRow, showServer } from './mcp-server.ts';
import { saveMemberSignIn } from './member-sign-in.ts';
import { sealSecret } from './secret.ts';
import { insertServer, selectServer } from './store.ts';
import { enqueueSync } from './sync-job.ts';

export async function createServer(
  app: App,
  caller: Caller,
  { encrypted_auth_secret: secret, ...input }: NewMcpServer,
): Promise<McpServer> {
  const { id: project_id, fairness_key } = projectOf(caller);
  if (input.slug === RESERVED_SLUG) throw invalidField('slug', 'is reserved');
  checkServer(app, input, { exists: !!secret, text: secret });
  const id = newId('mcs');
  return transact(app, async (app) => {
    await lockProjectRow(app.database, project_id);
    await refuseBeyondLimit(app, 'mcp_servers', project_id);
    await checkServerDestination(app, caller, null, input);
    const auth_secret = await sealSecret(app, { ...input, id, project_id }, secret);
    const created_by = creatorOf(caller);
    const is_approved = serverApproval(caller, null, input);
    const server = { ...input, id, project_id, auth_secret, is_approved, created_by };
    await insertServer(app.database, server).catch(refuseTakenSlug);
    const row = (await selectServer(app.database, project_id, id)) as ServerRow;
    await saveMemberSignIn(app, caller, { old: null, saved: row, secret });
    await enqueueSync(app, row, fairness_key);
    const data = showServer(row);
    await recordChange(app, caller, { type: 'mcp_server.created', target_id: id, data, after: auditServer(row) });
    return data;
  });
}

const UNIQUE_VIOLATION = '23505';

/** The unique index decides, so that of two concurrent creations one succeeds. */
function refuseTakenSlug(error: Error & { code?: string; constraint?: string }): never {
  if (error.code === UNIQUE_VIOLATION && error.constraint === 'mcp_servers_project_id_slug_key')
    throw refuse.slugTaken({ details: { field: 'slug' } });
  throw error;
}
