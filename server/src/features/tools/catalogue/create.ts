// Registers a tool. Saving makes no network call: only a call shows whether the customer's API responds.

import type {
  CustomTool,
  CustomToolDefinition,
  CustomToolRequest,
} from '@toolgate/contract/custom-tools/custom-tool.ts';
import { type Caller, creatorOf, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { refuseLimitConflicts } from '../limits/applied.ts';
import { refuseTaskName } from '../tasks/reserved-name.ts';
import { saveMembership } from '../toolsets/membership.ts';
import { refuseReservedNames } from '../toolsets/search-names.ts';
import { hasSecret } from './auth-rules.ts';
import { checkCertificates } from './certificate-use.ts';
import { checkDefinition, compileSchemas } from './definition.ts';
import { refuseBeyondLimits } from './limits.ts';
import { checkDestinations, toolApproval } from './member-token-destination.ts';
import { resolveProvider } from './resolve-provider.ts';
import { secretContext } from './secret-context.ts';
import { insertTools } from './store.ts';
import {
  auditTool,
  definitionOf,
  hashDefinition,
  recordChanges,
  showTool,
  summarizeTool,
  type ToolRow,
} from './tool.ts';
import { insertVersions } from './version-store.ts';

/** A tool that has passed every check and can be saved. */
export type CheckedTool = {
  definition: CustomToolDefinition;
  tags: string[];
  weight: number;
  is_enabled: boolean;
  secret: string | null;
  /** The title of the document that it is imported from. */
  imported_from?: string;
};

/** Call before the transaction: compiling schemas takes time, and a connection must not be held meanwhile. */
export async function checkNewTool(app: App, caller: Caller, input: CustomToolRequest): Promise<CheckedTool> {
  const { encrypted_auth_secret: secret, tags, weight, is_enabled } = input;
  if (tags.length > 0) refuseNarrowed(caller);
  const checked = checkDefinition({ egress_allow: app.egress.allowed() }, definitionOf(input), {
    exists: !!secret,
    text: secret,
  });
  const auth_config = await resolveProvider(app, projectOf(caller).id, checked);
  const definition = { ...checked, auth_config };
  const { fairness_key } = projectOf(caller);
  await compileSchemas({ validators: app.validators, fairness_key }, definition);
  return { definition, tags, weight, is_enabled, secret: hasSecret(definition.auth_strategy) ? secret : null };
}

export async function createTool(app: App, caller: Caller, checked: CheckedTool): Promise<CustomTool> {
  const [tool] = await createTools(app, caller, [checked]);
  return tool as CustomTool;
}

/** All of them, or none. */
export async function createTools(app: App, caller: Caller, checked: CheckedTool[]): Promise<CustomTool[]> {
  return transact(app, async (app) => {
    const rows = await saveNewTools(app, caller, checked);
    await refuseBeyondLimits(app, projectOf(caller).id);
    return rows.map((row) => showTool(row, app.now()));
  });
}

/** Pass some dozens at most: they are written in one statement, without a pause for the event loop. */
export async function saveNewTools(app: App, caller: Caller, tools: CheckedTool[]): Promise<ToolRow[]> {
  const project_id = projectOf(caller).id;
  const created_by = creatorOf(caller);
  const given: Parameters<typeof insertTools>[1] = [];
  for (const { definition, tags, weight, is_enabled, secret, imported_from = null } of tools) {
    const id = newId('tool');
    const auth_secret =
      secret &&
      (await app.secrets.seal(app.database, project_id, secretContext({ ...definition, id }, 'auth_secret'), secret));
    given.push({
      ...definition,
      id,
      project_id,
      tags,
      weight,
      is_enabled,
      is_approved: toolApproval(caller, null, { ...definition, is_enabled }),
      auth_secret,
      previous_auth_secret: null,
      previous_secret_ends_at: null,
      version: 1,
      definition_hash: hashDefinition(definition),
      imported_from,
      created_by,
    });
  }
  const rows = await insertTools(app.database, given).catch(refuseTakenName);
  const saves = rows.map((saved) => ({ old: null, saved }));
  await checkDestinations(app, caller, saves);
  await checkCertificates(app, caller, saves);
  await insertVersions(app.database, project_id, rows, created_by);
  const tagged = rows.filter(({ tags }) => tags.length > 0).map(({ id }) => id);
  if (tagged.length > 0) await saveMembership(app, project_id, { tool_ids: tagged });
  await refuseReservedNames(
    app,
    project_id,
    rows.map(({ name }) => name),
  );
  await refuseTaskName(app, project_id, rows);
  await refuseLimitConflicts(app, project_id, { field: 'weight', tool_ids: rows.map(({ id }) => id) });
  app.changes.add(project_id);
  const changes = rows.map((row) => {
    const after = auditTool(row, app.now());
    return { type: 'custom_tool.created' as const, target_id: row.id, data: summarizeTool(row), after };
  });
  await recordChanges(app, caller, changes);
  return rows;
}

const UNIQUE_VIOLATION = '23505';

/** The unique index decides, so that of two concurrent creations one succeeds. */
export function refuseTakenName(error: Error & { code?: string; constraint?: string }): never {
  if (error.code === UNIQUE_VIOLATION && error.constraint === 'custom_tools_project_id_name_key')
    throw refuse.nameTaken({ details: { field: 'name' } });
  throw error;
}
