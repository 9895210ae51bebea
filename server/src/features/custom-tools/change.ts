// Changes to a tool: a save of its definition or secret is a new version; switching it on or off is not.

import { type Caller, creatorOf, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { SecretUnreadable } from '../../secrets/aes-gcm.ts';
import { sameBytes } from '../../secrets/tokens.ts';
import { refuseToMoveSecret } from './auth-rules.ts';
import { refuseTakenName } from './create.ts';
import { checkDefinition, proveSchemas } from './definition.ts';
import { recordChange } from './events.ts';
import { refuseBeyondLimits } from './limits.ts';
import { destinationOf, type SecretColumn, type SecretOwner, secretPlace } from './secret-place.ts';
import { lockTool, removeTool, selectTool, type ToolSecrets, updateTool } from './store.ts';
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

/** How long the secret before signs too: time enough to bring the new one to every receiver. */
const ROTATION_MS = 24 * 3_600_000;

export async function changeTool(app: App, caller: Caller, id: string, change: ToolChange): Promise<ToolAnswer> {
  const { id: project_id, quota_group_id } = projectOf(caller);
  const before = await selectTool(app.database, project_id, id);
  if (!before) throw refuse.notFound();
  // Schemas are compiled before the row is locked: that may take a while, and others must not wait for it.
  await proveSchemas(quota_group_id, merge(app, before, change), definitionOf(before));
  return transact(app, async (app) => {
    const row = await lockTool(app.database, project_id, id);
    if (!row) throw refuse.notFound();
    app.changes.add(project_id);
    return save(app, caller, row, change);
  });
}

export async function switchTool(app: App, caller: Caller, id: string, is_enabled: boolean): Promise<ToolAnswer> {
  return changeTool(app, caller, id, { is_enabled });
}

export async function deleteTool(app: App, caller: Caller, id: string): Promise<void> {
  const project_id = projectOf(caller).id;
  await transact(app, async (app) => {
    const row = await lockTool(app.database, project_id, id);
    if (!row) throw refuse.notFound();
    await removeTool(app.database, project_id, id);
    app.changes.add(project_id);
    const before = auditTool(row, app.now());
    await recordChange(app, caller, { type: 'custom_tool.deleted', target_id: id, data: summarizeTool(row), before });
  });
}

async function save(app: App, caller: Caller, row: ToolRow, change: ToolChange): Promise<ToolAnswer> {
  const definition = merge(app, row, change);
  const definition_hash = hashDefinition(definition);
  const isNewVersion = definition_hash !== row.definition_hash || change.encrypted_auth_secret !== undefined;
  const is_enabled = change.is_enabled ?? row.is_enabled;
  if (!isNewVersion && is_enabled === row.is_enabled) return showTool(row, app.now());
  const saved = await updateTool(app.database, row.project_id, row.id, {
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

/** One save may be two events: a new version, and the switch. */
async function recordSave(app: App, caller: Caller, old: ToolRow, saved: ToolRow): Promise<void> {
  const data = summarizeTool(saved);
  const [before, after] = [auditTool(old, app.now()), auditTool(saved, app.now())];
  const record = (type: 'custom_tool.updated' | 'custom_tool.enabled' | 'custom_tool.disabled') =>
    recordChange(app, caller, { type, target_id: saved.id, data, before, after });
  if (saved.version !== old.version) await record('custom_tool.updated');
  if (saved.is_enabled !== old.is_enabled)
    await record(saved.is_enabled ? 'custom_tool.enabled' : 'custom_tool.disabled');
}

/** The tool as it would be, having passed the rules of a new one. */
function merge(app: App, row: ToolRow, change: ToolChange): Definition {
  const { is_enabled: _, encrypted_auth_secret: secret, ...given } = change;
  const current = definitionOf(row);
  // Switching off must work even for a tool that the rules of today would refuse.
  if (secret === undefined && Object.keys(given).length === 0) return current;
  // What one strategy was told means nothing to another, and its secret was not given for the other.
  const isOtherStrategy = given.auth_strategy !== undefined && given.auth_strategy !== current.auth_strategy;
  const merged = { ...current, ...(isOtherStrategy ? { auth_config: {} } : {}), ...given } as Definition;
  const is_there = secret === undefined ? row.auth_secret !== null && !isOtherStrategy : !!secret;
  const checked = checkDefinition(app.config, merged, { is_there, text: secret ?? null });
  if (secret === undefined) refuseToMoveSecret(current, checked);
  return checked;
}

/** A signing secret that is replaced signs on for a while beside its successor. */
async function replaceSecret(
  app: App,
  row: ToolRow,
  definition: Definition,
  secret: string | null | undefined,
): Promise<ToolSecrets> {
  const { auth_strategy } = definition;
  const saved = { ...definition, id: row.id };
  if (auth_strategy === 'none')
    return { auth_secret: null, previous_auth_secret: null, previous_auth_secret_until: null };
  if (secret === undefined) return keepSecrets(app, row, saved);
  const isSigning = auth_strategy === 'hmac_signature' && row.auth_strategy === 'hmac_signature';
  const current = isSigning && secret !== null ? await openSecret(app, row, 'auth_secret') : null;
  // The same again, by a client that tries twice or always sends it: the one before signs on as it did.
  if (current !== null && sameBytes(current, Buffer.from(secret as string))) return keepSecrets(app, row, saved);
  const seal = (column: SecretColumn, text: string | Buffer) =>
    app.secrets.seal(app.database, row.project_id, secretPlace(saved, column), text);
  const previous = current && (await seal('previous_auth_secret', current));
  return {
    auth_secret: secret && (await seal('auth_secret', secret)),
    previous_auth_secret: previous,
    previous_auth_secret_until: previous && new Date(app.now() + ROTATION_MS).toISOString(),
  };
}

/** Sealed anew where the tool goes elsewhere; refuseToMoveSecret() has seen to it that only a signing secret may. */
async function keepSecrets(app: App, row: ToolRow, saved: SecretOwner): Promise<ToolSecrets> {
  const { auth_secret, previous_auth_secret, previous_auth_secret_until } = row;
  if (destinationOf(row) === destinationOf(saved))
    return { auth_secret, previous_auth_secret, previous_auth_secret_until };
  const move = async (column: SecretColumn) => {
    const text = await openSecret(app, row, column);
    // What cannot be opened stays as it is, and unreadable.
    return text === null
      ? row[column]
      : app.secrets.seal(app.database, row.project_id, secretPlace(saved, column), text);
  };
  return {
    auth_secret: await move('auth_secret'),
    previous_auth_secret: await move('previous_auth_secret'),
    previous_auth_secret_until,
  };
}

/** Null where there is none, or it cannot be opened: then it can sign nothing anyway. */
async function openSecret(app: App, row: ToolRow, column: SecretColumn): Promise<Buffer | null> {
  const blob = row[column];
  if (blob === null) return null;
  try {
    return await app.secrets.open(app.database, row.project_id, secretPlace(row, column), blob);
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}
