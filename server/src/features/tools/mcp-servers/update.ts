// Changes an MCP server. Its approved tools stay as they are.

import { isDeepStrictEqual } from 'node:util';
import type { McpServer, McpServerChange } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { isEmptyChange } from '../../../api/empty-change.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { checkServer, checkServerDestination, refuseToMoveServerSecret, serverApproval } from './check.ts';
import { auditServer, recordChange, type ServerRow, showServer } from './mcp-server.ts';
import { saveMemberSignIn } from './member-sign-in.ts';
import { isSameServerSecret, sealSecret } from './secret.ts';
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
    const { is_approved: given, ...others } = change;
    const settings = mergeSettings(app, row, others);
    const is_approved = serverApproval(caller, row, settings, given);
    // A client that sends the secret with every update must not make a change each time.
    const isSame = await isUnchanged(app, row, settings, change.encrypted_auth_secret);
    if (isSame && is_approved === row.is_approved) return showServer(row);
    // An approval alone is no new version: nothing is called in another way.
    const versioned = isSame ? row : await replaceSecret(app, row, settings, change.encrypted_auth_secret);
    const { auth_secret, version } = versioned;
    const merged = { ...settings, is_approved, auth_secret, version };
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

const settingNames = [
  'name',
  'url',
  'auth_strategy',
  'auth_config',
  'headers',
  'certificate_id',
  'timeout_ms',
  'sync_minutes',
  'review',
] as const;

type Settings = Pick<ServerRow, (typeof settingNames)[number]>;

const settingsOf = (row: ServerRow) => Object.fromEntries(settingNames.map((name) => [name, row[name]])) as Settings;

// The auth_config of one strategy has no meaning for another, and its secret was not given for the other.
const isOtherStrategy = (row: ServerRow, { auth_strategy }: { auth_strategy?: string | undefined }) =>
  auth_strategy !== undefined && auth_strategy !== row.auth_strategy;

function mergeSettings(
  app: App,
  row: ServerRow,
  { encrypted_auth_secret: secret, ...change }: Omit<McpServerChange, 'slug' | 'is_approved'>,
): Settings {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const isOther = isOtherStrategy(row, change);
  const current = settingsOf(row);
  const merged: Settings = { ...current, ...(isOther ? { auth_config: {} } : {}), ...given };
  const exists = secret === undefined ? row.auth_secret !== null && !isOther : !!secret;
  checkServer(app, merged, { exists, text: secret ?? null });
  if (secret === undefined && !isOther && row.auth_secret !== null) refuseToMoveServerSecret(current, merged);
  return merged;
}

async function isUnchanged(app: App, row: ServerRow, settings: Settings, secret: string | null | undefined) {
  if (!isDeepStrictEqual(settings, settingsOf(row))) return false;
  return secret === undefined || isSameServerSecret(app, row, secret);
}

async function replaceSecret(app: App, row: ServerRow, settings: Settings, secret: string | null | undefined) {
  const { id, project_id, version } = row;
  const kept = isOtherStrategy(row, settings) ? null : row.auth_secret;
  const auth_secret = secret === undefined ? kept : await sealSecret(app, { ...settings, id, project_id }, secret);
  return { auth_secret, version: version + 1 };
}
