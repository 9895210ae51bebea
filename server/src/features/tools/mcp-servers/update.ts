// Changes an MCP server. Its approved tools stay as they are.

import type { McpServer, McpServerChange } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { isEmptyChange } from '../../../api/empty-change.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { checkServer, checkServerDestination, refuseToMoveServerSecret } from './check.ts';
import { recordChange } from './events.ts';
import { auditServer, type ServerRow, showServer } from './mcp-server.ts';
import { saveMemberSignIn } from './member-sign-in.ts';
import { sealSecret } from './secret.ts';
import { lockServer, selectServer, updateServerRow } from './store.ts';
import { enqueueSync } from './sync-job.ts';
import { alignTools } from './tool-store.ts';

export async function updateServer(
  app: App,
  caller: Caller,
  id: string,
  { slug, ...change }: McpServerChange,
): Promise<McpServer> {
  return withLockedRow(app, caller, id, lockServer, async (app, row) => {
    if (slug !== undefined && slug !== row.slug)
      throw invalidField('slug', 'cannot be changed', { reason: 'field_not_changeable' });
    if (isEmptyChange(change)) return showServer(row);
    const merged = await merge(app, row, change);
    await checkServerDestination(app, caller, row, merged);
    await updateServerRow(app.database, row, merged);
    const saved = (await selectServer(app.database, row.project_id, id)) as ServerRow;
    await saveMemberSignIn(app, caller, { old: row, saved, secret: change.encrypted_auth_secret });
    await alignTools(app.database, saved);
    if (change.sync_minutes !== undefined) await enqueueSync(app, saved, projectOf(caller).fairness_key);
    const [before, after] = [auditServer(row), auditServer(saved)];
    const data = showServer(saved);
    await recordChange(app, caller, { type: 'mcp_server.updated', target_id: id, data, before, after });
    return data;
  });
}

async function merge(
  app: App,
  row: ServerRow,
  { encrypted_auth_secret: secret, ...change }: Omit<McpServerChange, 'slug'>,
) {
  const { name, url, auth_strategy, auth_config, headers, timeout_ms, sync_minutes, review, auth_secret, version } =
    row;
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  // The auth_config of one strategy has no meaning for another, and its secret was not given for the other.
  const isOther = change.auth_strategy !== undefined && change.auth_strategy !== auth_strategy;
  const current = { name, url, auth_strategy, auth_config, headers, timeout_ms, sync_minutes, review };
  const merged: typeof current = { ...current, ...(isOther ? { auth_config: {} } : {}), ...given };
  const exists = secret === undefined ? auth_secret !== null && !isOther : !!secret;
  checkServer(app, merged, { exists, text: secret ?? null });
  if (secret === undefined && !isOther && auth_secret !== null) refuseToMoveServerSecret(current, merged);
  const { id, project_id } = row;
  const kept = isOther ? null : auth_secret;
  const sealed = secret === undefined ? kept : await sealSecret(app, { ...merged, id, project_id }, secret);
  return { ...merged, auth_secret: sealed, version: version + 1 };
}
