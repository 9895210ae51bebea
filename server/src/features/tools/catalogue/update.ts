// Updates a tool. A save of its definition or secret is a new version; enabling or disabling it, or changing its tags, is not.

import { bodyDefaults } from '@toolgate/contract/custom-tools/body-fields.ts';
import type {
  CustomTool,
  CustomToolChange,
  CustomToolDefinition,
} from '@toolgate/contract/custom-tools/custom-tool.ts';
import { setByServer } from '@toolgate/contract/custom-tools/rules.ts';
import { type Caller, creatorOf, projectOf } from '../../../access/caller.ts';
import { isNarrowed, refuseNarrowed } from '../../../access/narrowed-caller.ts';
import type { App } from '../../../app.ts';
import { lockProjectRow } from '../../../database/lock-project-row.ts';
import { transact } from '../../../database/transact.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { settleApprovals } from '../approvals/settle.ts';
import { refuseLimitConflicts } from '../limits/applied.ts';
import { refuseTaskName } from '../tasks/reserved-name.ts';
import { isNamedByReadOnlyToolset, saveMembership } from '../toolsets/membership.ts';
import { refuseReservedNames } from '../toolsets/search-names.ts';
import { refuseToMoveSecret } from './auth-rules.ts';
import { checkCertificates } from './certificate-use.ts';
import { refuseTakenName } from './create.ts';
import { checkDefinition, compileSchemas } from './definition.ts';
import { requireTool } from './find.ts';
import { refuseBeyondLimits } from './limits.ts';
import { isApproved } from './member-approval.ts';
import { checkDestinations, toolApproval } from './member-token-destination.ts';
import { isSameSecret, replaceSecret } from './replace-secret.ts';
import { resolveChangedProvider } from './resolve-provider.ts';
import { lockTool, updateToolRow } from './store.ts';
import {
  auditTool,
  definitionOf,
  hashDefinition,
  recordChanges,
  showTool,
  summarizeTool,
  type ToolChanged,
  type ToolRow,
} from './tool.ts';
import { insertVersions } from './version-store.ts';

export async function updateTool(
  app: App,
  caller: Caller,
  id_or_name: string,
  given: CustomToolChange,
): Promise<CustomTool> {
  const { id: project_id, fairness_key } = projectOf(caller);
  const before = await requireTool(app.database, project_id, id_or_name);
  if (before.source) refuseSetByServer(given);
  const change = await resolveChangedProvider(app, before, given);
  // Schemas are compiled before the row is locked: that takes time, and other requests must not wait for it.
  await compileSchemas({ validators: app.validators, fairness_key }, merge(app, before, change), definitionOf(before));
  return transact(app, async (app) => {
    const row = await lockTool(app.database, project_id, before.id);
    if (!row) throw refuse.notFound();
    // A client that sends the secret with every update must not create a version each time.
    if (change.encrypted_auth_secret !== undefined && (await isUnchanged(app, row, change)))
      return showTool(row, app.now());
    const [saved] = await saveUpdates(app, caller, [{ row, change }]);
    return showTool(saved as ToolRow, app.now());
  });
}

/** Where a tool of an MCP server is called, and what it takes and gives, is decided there and approved here. */
function refuseSetByServer(change: CustomToolChange): void {
  const field = setByServer.find((name) => change[name] !== undefined);
  if (field) throw invalidField(field, "is set by the tool's MCP server", { reason: 'set_by_mcp_server' });
}

/** With what only an approval of the MCP server's definition changes. */
export type ToolChange = Omit<CustomToolChange, 'source'> & { source?: CustomToolDefinition['source'] | undefined };

export type Update = { row: ToolRow; change: ToolChange };

/** The rows must be locked. Several updates share their versions, events and audit entries in one statement each. */
export async function saveUpdates(app: App, caller: Caller, updates: Update[]): Promise<ToolRow[]> {
  const project_id = projectOf(caller).id;
  const done: { old: ToolRow; saved: ToolRow }[] = [];
  for (const { row, change } of updates) done.push({ old: row, saved: await saveUpdate(app, caller, row, change) });
  await checkDestinations(app, caller, done);
  await checkCertificates(app, caller, done);
  await saveMemberships(app, caller, done);
  const renamed = done.filter(({ old, saved }) => saved.name !== old.name).map(({ saved }) => saved.name);
  await refuseReservedNames(app, project_id, renamed);
  const named = done.filter(({ old, saved }) => saved.name !== old.name || saved.polling !== old.polling);
  await refuseTaskName(
    app,
    project_id,
    named.map(({ saved }) => saved),
  );
  const otherwiseLimited = done.filter(
    ({ old, saved }) => !isSameUse(saved, old) || old.is_read_only !== saved.is_read_only,
  );
  if (otherwiseLimited.length > 0) {
    await lockProjectRow(app.database, project_id);
    const tool_ids = otherwiseLimited.map(({ saved }) => saved.id);
    await refuseLimitConflicts(app, project_id, { field: 'weight', tool_ids });
  }
  const newVersions = done.filter(({ old, saved }) => saved.version !== old.version).map(({ saved }) => saved);
  await insertVersions(app.database, project_id, newVersions, creatorOf(caller));
  if (done.some(({ old, saved }) => saved.stored_bytes > old.stored_bytes)) await refuseBeyondLimits(app, project_id);
  // Now: an approval that was cancelled must not count again when the tool is changed back.
  if (done.some(({ old, saved }) => saved.definition_hash !== old.definition_hash))
    while (await settleApprovals(app, { project_id }));
  app.changes.add(project_id);
  const changes = done.flatMap(({ old, saved }) => toolChanges(app, old, saved));
  await recordChanges(app, caller, changes);
  return done.map(({ saved }) => saved);
}

async function saveUpdate(app: App, caller: Caller, row: ToolRow, change: ToolChange): Promise<ToolRow> {
  const definition = merge(app, row, change);
  const definition_hash = hashDefinition(definition);
  const isNewVersion = definition_hash !== row.definition_hash || change.encrypted_auth_secret !== undefined;
  const { tags = row.tags, weight = row.weight, is_enabled = row.is_enabled } = change;
  const is_approved = toolApproval(caller, row, { ...definition, is_enabled }, change.is_approved);
  const isSame = is_enabled === row.is_enabled && is_approved === row.is_approved && isSameUse({ tags, weight }, row);
  if (!isNewVersion && isSame) return row;
  return updateToolRow(app.database, row.project_id, row.id, {
    ...definition,
    ...(await replaceSecret(app, row, definition, change.encrypted_auth_secret)),
    tags,
    weight,
    is_enabled,
    is_approved,
    definition_hash,
    version: isNewVersion ? row.version + 1 : row.version,
    // No import knows it by its new name.
    imported_from: definition.name === row.name ? row.imported_from : null,
    updated_at: new Date(app.now()).toISOString(),
  }).catch(refuseTakenName);
}

/** Whether an update would change nothing, also if it gives the same secret again. Throws the refusal of an update that is not allowed. */
export async function isUnchanged(app: App, row: ToolRow, change: CustomToolChange): Promise<boolean> {
  const { encrypted_auth_secret: secret, tags = row.tags, weight = row.weight, is_enabled = row.is_enabled } = change;
  if (hashDefinition(merge(app, row, change)) !== row.definition_hash) return false;
  if (is_enabled !== row.is_enabled || !isSameUse({ tags, weight }, row)) return false;
  if (change.is_approved !== undefined && change.is_approved !== isApproved(row)) return false;
  return secret === undefined || isSameSecret(app, row, secret);
}

type Use = Pick<ToolRow, 'tags' | 'weight'>;

const sameTags = (one: string[], other: string[]) => one.join(' ') === other.join(' ');
/** Tags and weight are no part of the definition. */
const isSameUse = (one: Use, other: Use) => one.weight === other.weight && sameTags(one.tags, other.tags);

/** Tags and the hint that a tool is read-only decide which toolsets it is in. */
async function saveMemberships(app: App, caller: Caller, done: { old: ToolRow; saved: ToolRow }[]): Promise<void> {
  const changed = done.filter(
    ({ old, saved }) => !sameTags(old.tags, saved.tags) || old.is_read_only !== saved.is_read_only,
  );
  if (changed.length === 0) return;
  const project_id = projectOf(caller).id;
  const tools = changed.map(({ saved }) => saved);
  const changes_tags = changed.some(({ old, saved }) => !sameTags(old.tags, saved.tags));
  if (changes_tags || (isNarrowed(caller) && (await isNamedByReadOnlyToolset(app.database, project_id, tools))))
    refuseNarrowed(caller);
  const tool_ids = tools.map(({ id }) => id);
  await saveMembership(app, project_id, { tool_ids });
}

/** One save may be two events: a new version, and enabled or disabled. */
export function toolChanges(app: App, old: ToolRow, saved: ToolRow): ToolChanged[] {
  const [before, after] = [auditTool(old, app.now()), auditTool(saved, app.now())];
  const types: ToolChanged['type'][] = [];
  if (saved.version !== old.version || !isSameUse(saved, old) || saved.is_approved !== old.is_approved)
    types.push('custom_tool.updated');
  if (saved.is_enabled !== old.is_enabled)
    types.push(saved.is_enabled ? 'custom_tool.enabled' : 'custom_tool.disabled');
  return types.map((type) => ({ type, target_id: saved.id, data: summarizeTool(saved), before, after }));
}

/** Returns the definition after the change, checked by the rules of a new tool. */
function merge(app: App, row: ToolRow, change: ToolChange): CustomToolDefinition {
  const { is_enabled: _, is_approved: __, tags: ___, weight: ____, encrypted_auth_secret: secret, ...given } = change;
  const current = definitionOf(row);
  // Disabling must work even for a tool that the current rules would refuse.
  if (secret === undefined && Object.keys(given).length === 0) return current;
  // What belongs to one strategy or body format has no meaning for another, and the secret was not given for another strategy.
  const isOtherStrategy = given.auth_strategy !== undefined && given.auth_strategy !== current.auth_strategy;
  const isOtherFormat = given.body_format !== undefined && given.body_format !== current.body_format;
  const merged = {
    ...current,
    ...(isOtherStrategy ? { auth_config: {} } : {}),
    ...(isOtherFormat ? bodyDefaults : {}),
    ...given,
  } as CustomToolDefinition;
  const exists = secret === undefined ? row.auth_secret !== null && !isOtherStrategy : !!secret;
  const checked = checkDefinition({ egress_allow: app.egress.allowed() }, merged, { exists, text: secret ?? null });
  if (secret === undefined) refuseToMoveSecret(current, checked);
  return checked;
}
