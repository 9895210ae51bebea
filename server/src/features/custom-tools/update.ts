// Updates a tool. A save of its definition or secret is a new version; enabling or disabling it is not.

import { type Caller, creatorOf, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { refuseToMoveSecret } from './auth-rules.ts';
import { refuseTakenName } from './create.ts';
import { checkDefinition, compileSchemas } from './definition.ts';
import { recordChange } from './events.ts';
import { refuseBeyondLimits } from './limits.ts';
import { replaceSecret } from './replace-secret.ts';
import { lockTool, selectTool, updateToolRow } from './store.ts';
import {
  auditTool,
  type Definition,
  definitionOf,
  hashDefinition,
  showTool,
  summarizeTool,
  type ToolAnswer,
  type ToolChange,
  type ToolRow,
} from './tool.ts';
import { insertVersion } from './version-store.ts';

export async function updateTool(app: App, caller: Caller, id: string, change: ToolChange): Promise<ToolAnswer> {
  const { id: project_id, quota_group_id } = projectOf(caller);
  const before = await selectTool(app.database, project_id, id);
  if (!before) throw refuse.notFound();
  // Schemas are compiled before the row is locked: that takes time, and other requests must not wait for it.
  await compileSchemas(quota_group_id, merge(app, before, change), definitionOf(before));
  return transact(app, async (app) => {
    const row = await lockTool(app.database, project_id, id);
    if (!row) throw refuse.notFound();
    app.changes.add(project_id);
    return save(app, caller, row, change);
  });
}

async function save(app: App, caller: Caller, row: ToolRow, change: ToolChange): Promise<ToolAnswer> {
  const definition = merge(app, row, change);
  const definition_hash = hashDefinition(definition);
  const isNewVersion = definition_hash !== row.definition_hash || change.encrypted_auth_secret !== undefined;
  const is_enabled = change.is_enabled ?? row.is_enabled;
  if (!isNewVersion && is_enabled === row.is_enabled) return showTool(row, app.now());
  const saved = await updateToolRow(app.database, row.project_id, row.id, {
    ...definition,
    ...(await replaceSecret(app, row, definition, change.encrypted_auth_secret)),
    is_enabled,
    definition_hash,
    version: isNewVersion ? row.version + 1 : row.version,
    updated_at: new Date(app.now()).toISOString(),
  }).catch(refuseTakenName);
  if (isNewVersion) await insertVersion(app.database, saved, creatorOf(caller));
  if (saved.stored_bytes > row.stored_bytes) await refuseBeyondLimits(app, row.project_id);
  await recordSave(app, caller, row, saved);
  return showTool(saved, app.now());
}

/** One save may be two events: a new version, and enabled or disabled. */
async function recordSave(app: App, caller: Caller, old: ToolRow, saved: ToolRow): Promise<void> {
  const data = summarizeTool(saved);
  const [before, after] = [auditTool(old, app.now()), auditTool(saved, app.now())];
  const record = (type: 'custom_tool.updated' | 'custom_tool.enabled' | 'custom_tool.disabled') =>
    recordChange(app, caller, { type, target_id: saved.id, data, before, after });
  if (saved.version !== old.version) await record('custom_tool.updated');
  if (saved.is_enabled !== old.is_enabled)
    await record(saved.is_enabled ? 'custom_tool.enabled' : 'custom_tool.disabled');
}

/** Returns the definition after the change, checked by the rules of a new tool. */
function merge(app: App, row: ToolRow, change: ToolChange): Definition {
  const { is_enabled: _, encrypted_auth_secret: secret, ...given } = change;
  const current = definitionOf(row);
  // Disabling must work even for a tool that the current rules would refuse.
  if (secret === undefined && Object.keys(given).length === 0) return current;
  // The auth_config of one strategy has no meaning for another, and its secret was not given for the other.
  const isOtherStrategy = given.auth_strategy !== undefined && given.auth_strategy !== current.auth_strategy;
  const merged = { ...current, ...(isOtherStrategy ? { auth_config: {} } : {}), ...given } as Definition;
  const exists = secret === undefined ? row.auth_secret !== null && !isOtherStrategy : !!secret;
  const checked = checkDefinition(app.config, merged, { exists, text: secret ?? null });
  if (secret === undefined) refuseToMoveSecret(current, checked);
  return checked;
}
