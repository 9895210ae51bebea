// Tools of an import whose names the project has already: left as they are, or changed to what the document says.

import type { CustomToolChange, CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { compileHeader, hasPlaceholder, namesIn } from '@toolgate/contract/custom-tools/header-template.ts';
import type { ToolImportOptions } from '@toolgate/contract/custom-tools/tool-import.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { ApiError, describeRefusal } from '../../../errors/errors.ts';
import { withoutArguments } from '../catalogue/fixed-arguments.ts';
import { isSameSecret } from '../catalogue/replace-secret.ts';
import { lockTools } from '../catalogue/store.ts';
import type { ToolRow } from '../catalogue/tool.ts';
import { isUnchanged, saveUpdates, type Update } from '../catalogue/update.ts';
import { changedFields } from './diff.ts';
import { type Outcome, showImported } from './imported-tools.ts';
import { shortened } from './read-document.ts';
import type { ReadImport } from './read-off-thread.ts';
import type { ReadTool } from './read-operations.ts';
import { setImportedFrom } from './store.ts';

type Planned = Update & { has_new_secret: boolean };

/** Returns those that somebody has deleted since: they are to be created. */
export async function changeExisting(
  app: App,
  caller: Caller,
  tools: ReadTool[],
  read: ReadImport,
  outcome: Outcome,
): Promise<ReadTool[]> {
  if (tools.length === 0) return [];
  const skip = ({ operation }: ReadTool, reason: string) =>
    outcome.skipped.push({ operation, reason: shortened(reason) });
  if (read.options.on_conflict === 'skip') {
    for (const tool of tools) skip(tool, `the project already has a tool named ${tool.name}`);
    return [];
  }
  const updates: Planned[] = [];
  const names = tools.map(({ name }) => name);
  const rows = new Map(
    (await lockTools(app.database, projectOf(caller).id, 'name', names)).map((row) => [row.name, row]),
  );
  const ofOther: string[] = [];
  for (const tool of tools) {
    const row = rows.get(tool.name);
    if (!row) continue;
    const planned = await planUpdate(app, row, changeFrom(row, tool, read));
    if (typeof planned === 'string') {
      skip(tool, planned);
      continue;
    }
    if (row.imported_from !== read.title) ofOther.push(row.id);
    if (planned === null) outcome.unchanged.push(showImported(row));
    else updates.push(planned);
  }
  const saved = await saveUpdates(app, caller, updates);
  // It is as the document says now, whoever made it.
  if (ofOther.length > 0) await setImportedFrom(app.database, projectOf(caller).id, ofOther, read.title);
  for (const [at, row] of saved.entries()) {
    const { row: old, has_new_secret } = updates[at] as Planned;
    const changed_fields = [...changedFields(old, row), ...(has_new_secret ? ['encrypted_auth_secret'] : [])];
    outcome.updated.push({ ...showImported(row), changed_fields });
  }
  return tools.filter(({ name }) => !rows.has(name));
}

/** Null: it would change nothing. A text: why it is not allowed. */
async function planUpdate(app: App, row: ToolRow, change: CustomToolChange): Promise<Planned | string | null> {
  try {
    if (await isUnchanged(app, row, change)) return null;
    const { encrypted_auth_secret: secret } = change;
    return { row, change, has_new_secret: secret !== undefined && !(await isSameSecret(app, row, secret)) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return describeRefusal(error);
  }
}

/** What the document says, and what was asked for all tools; the rest stays as it is. */
function changeFrom(row: ToolRow, tool: ReadTool, { options, scheme_secrets }: ReadImport): CustomToolChange {
  const made = JSON.parse(tool.definition) as CustomToolDefinition;
  const { title, description, base_url, endpoint_path, method, annotations, output_schema } = made;
  const { body_format, body_encoding, body_argument, body_content_type } = made;
  const asked = tool.scheme === null ? askedAuth(options) : schemeAuth(made, scheme_secrets.get(tool.scheme));
  const { is_enabled, require_member, context_in } = options;
  const given = { ...asked, is_enabled, require_member, context_in };
  return {
    ...{ title, description, base_url, endpoint_path, method },
    ...{ body_format, body_encoding, body_argument, body_content_type },
    // Hints that people set stay, unless the document states others.
    annotations: annotations === null ? row.annotations : { ...row.annotations, ...annotations },
    ...keepFixedHeaders(row.headers, made),
    // Somebody decided what is left of its results.
    ...(made.response !== null && row.response === null ? { response: made.response } : {}),
    ...(output_schema !== null || !options.output_schemas ? { output_schema } : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}

function askedAuth({ auth_strategy, auth_config, encrypted_auth_secret }: ToolImportOptions) {
  // Without a strategy the secret is for tools with a security scheme.
  return auth_strategy === undefined ? {} : { auth_strategy, auth_config, encrypted_auth_secret };
}

function schemeAuth({ auth_strategy, auth_config }: CustomToolDefinition, encrypted_auth_secret: string | undefined) {
  return { auth_strategy, auth_config, encrypted_auth_secret };
}

/** Headers that take arguments come from the document; fixed ones stay as they were saved. A header that is fixed takes no argument. */
function keepFixedHeaders(
  current: Record<string, string>,
  { headers: made, input_schema }: CustomToolDefinition,
): Pick<CustomToolDefinition, 'headers' | 'input_schema'> {
  const fixed = Object.entries(current).filter(([, value]) => !hasPlaceholder(value));
  const isFixed = (name: string) => fixed.some(([each]) => each.toLowerCase() === name.toLowerCase());
  const taken = Object.entries(made).filter(([name]) => isFixed(name));
  const unused = new Set(taken.flatMap(([name, value]) => namesIn(compileHeader(name, value))));
  const kept = Object.keys(current).filter((name) => isFixed(name) || Object.hasOwn(made, name));
  const headers = {
    ...Object.fromEntries(kept.map((name) => [name, isFixed(name) ? current[name] : made[name]] as [string, string])),
    ...Object.fromEntries(Object.entries(made).filter(([name]) => !isFixed(name))),
  };
  return { headers, input_schema: withoutArguments(input_schema, unused) };
}
