// Registers a tool. Saving makes no network call: only a call shows whether the customer's API responds.

import { type Caller, creatorOf, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { newId } from '../../database/ids.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { checkDefinition, compileSchemas } from './definition.ts';
import { recordChange } from './events.ts';
import { refuseBeyondLimits } from './limits.ts';
import { secretContext } from './secret-context.ts';
import { insertTool } from './store.ts';
import {
  auditTool,
  type Definition,
  definitionOf,
  hashDefinition,
  type NewTool,
  showTool,
  summarizeTool,
  type ToolAnswer,
  type ToolRow,
} from './tool.ts';
import { insertVersion } from './version-store.ts';

/** A tool that has passed every check and can be saved. */
export type CheckedTool = { definition: Definition; is_enabled: boolean; secret: string | null };

/** Call before the transaction: compiling schemas takes time, and a connection must not be held meanwhile. */
export async function checkNewTool(app: App, caller: Caller, input: NewTool): Promise<CheckedTool> {
  const { encrypted_auth_secret: secret, is_enabled } = input;
  const definition = checkDefinition(app.config, definitionOf(input), { exists: !!secret, text: secret });
  await compileSchemas(projectOf(caller).quota_group_id, definition);
  return { definition, is_enabled, secret: definition.auth_strategy === 'none' ? null : secret };
}

export async function createTool(app: App, caller: Caller, checked: CheckedTool): Promise<ToolAnswer> {
  return transact(app, async (app) => {
    const row = await saveNewTool(app, caller, checked);
    await refuseBeyondLimits(app, row.project_id);
    return showTool(row, app.now());
  });
}

export async function saveNewTool(app: App, caller: Caller, checked: CheckedTool): Promise<ToolRow> {
  const { definition, is_enabled, secret } = checked;
  const project_id = projectOf(caller).id;
  const id = newId('tool');
  const auth_secret =
    secret &&
    (await app.secrets.seal(app.database, project_id, secretContext({ ...definition, id }, 'auth_secret'), secret));
  const row = await insertTool(app.database, {
    ...definition,
    id,
    project_id,
    is_enabled,
    auth_secret,
    previous_auth_secret: null,
    previous_secret_ends_at: null,
    version: 1,
    definition_hash: hashDefinition(definition),
    created_by: creatorOf(caller),
  }).catch(refuseTakenName);
  await insertVersion(app.database, row, row.created_by);
  app.changes.add(project_id);
  const after = auditTool(row, app.now());
  await recordChange(app, caller, { type: 'custom_tool.created', target_id: id, data: summarizeTool(row), after });
  return row;
}

const UNIQUE_VIOLATION = '23505';

/** The unique index decides, so that of two concurrent creations one succeeds. */
export function refuseTakenName(error: Error & { code?: string; constraint?: string }): never {
  if (error.code === UNIQUE_VIOLATION && error.constraint === 'custom_tools_project_id_name_key')
    throw refuse.nameTaken({ details: { field: 'name' } });
  throw error;
}
