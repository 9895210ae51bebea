// POST /custom-tools/import: the operations of an OpenAPI document as tools. All of them or none: one transaction.

import { setImmediate as othersFirst } from 'node:timers/promises';
import { z } from 'zod';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { ApiError, describeRefusal, invalidField, refuse } from '../../../errors.ts';
import { hasSecret } from '../auth-rules.ts';
import { saveNewTools } from '../create.ts';

import { refuseBeyondLimits } from '../limits.ts';
import { resolveProvider } from '../resolve-provider.ts';
import { lockTools, selectTakenNames } from '../store.ts';
import { type Definition, type ToolChange, type ToolRow, toolSchema } from '../tool.ts';
import { isUnchanged, saveUpdates, type Update } from '../update.ts';
import type { ImportOptions } from './options.ts';
import { shortened } from './read-document.ts';
import type { ReadImport } from './read-off-thread.ts';
import type { ReadTool } from './read-operations.ts';

/** What is parsed and written without a pause: some milliseconds. */
const BATCH = { tools: 50, characters: 250_000 };
/** A refusal names so many conflicts, and counts the others. */
const MAX_SHOWN = 100;

const importedTool = toolSchema
  .pick({
    object: true,
    name: true,
    method: true,
    base_url: true,
    endpoint_path: true,
    is_enabled: true,
    version: true,
    definition_hash: true,
  })
  .extend({ id: z.string().nullable().meta({ description: 'Null for a tool that a dry run would create' }) })
  .meta({ id: 'ImportedTool' });

export const importedTools = z
  .strictObject({
    object: z.literal('tool_import'),
    dry_run: z.boolean().meta({ description: 'Whether nothing was changed' }),
    created: z.array(importedTool).meta({ description: 'New tools, in the order of the document, without schemas' }),
    updated: z.array(importedTool).meta({ description: 'Tools that were there and are changed now' }),
    skipped: z
      .array(
        z.strictObject({
          operation: z.string().meta({ description: 'Method and path of the operation', example: 'GET /orders/{id}' }),
          reason: z.string().meta({ description: 'Why there is no new or changed tool for it' }),
        }),
      )
      .meta({ description: 'Operations without a new or changed tool' }),
    not_selected: z.int().meta({ description: 'Operations that `include` and `exclude` left out' }),
  })
  .meta({ id: 'ToolImport' });

export type ImportAnswer = z.infer<typeof importedTools>;

type Outcome = Pick<ImportAnswer, 'created' | 'updated' | 'skipped'>;

export async function importTools(app: App, caller: Caller, read: ReadImport): Promise<ImportAnswer> {
  const { dry_run } = read.options;
  await checkProvider(app, caller, read.options);
  if (!dry_run) return importInTransaction(app, caller, read);
  // A dry run does everything and takes it back, so that its answer is what would happen.
  const undo = { answer: undefined as ImportAnswer | undefined };
  try {
    await transact(app, async (app) => {
      undo.answer = await importInTransaction(app, caller, read);
      throw undo;
    });
  } catch (error) {
    if (error !== undo || !undo.answer) throw error;
  }
  const { created, ...rest } = undo.answer as ImportAnswer;
  return { ...rest, created: created.map((tool) => ({ ...tool, id: null })) };
}

/** The definitions were made without the database, so the provider must be named. */
async function checkProvider(app: App, caller: Caller, { auth_strategy, auth_config = {} }: ImportOptions) {
  if (auth_strategy === 'member_oauth' && auth_config.oauth_provider_id === undefined)
    throw invalidField('auth_config.oauth_provider_id', 'is required');
  if (auth_strategy !== undefined) await resolveProvider(app, projectOf(caller).id, { auth_strategy, auth_config });
}

async function importInTransaction(app: App, caller: Caller, read: ReadImport): Promise<ImportAnswer> {
  const { options, tools, not_selected } = read;
  return transact(app, async (app) => {
    const names = tools.map(({ name }) => name);
    const taken = new Set(await selectTakenNames(app.database, projectOf(caller).id, names));
    if (options.on_conflict === 'fail') refuseConflicts(names, taken);
    const outcome: Outcome = { created: [], updated: [], skipped: [...read.skipped] };
    // In the order of the names, so that two imports of the same names do not wait for each other in a circle.
    for (const batch of inBatches(tools.toSorted((one, other) => (one.name < other.name ? -1 : 1)))) {
      const isTaken = ({ name }: ReadTool) => taken.has(name);
      const deleted = await changeExisting(app, caller, batch.filter(isTaken), options, outcome);
      await createNew(app, caller, [...batch.filter((tool) => !isTaken(tool)), ...deleted], options, outcome);
      await othersFirst();
    }
    if (outcome.created.length > 0) await refuseBeyondLimits(app, projectOf(caller).id).catch(adviseSelection);
    return { object: 'tool_import', dry_run: options.dry_run, ...inDocumentOrder(outcome, names), not_selected };
  });
}

function refuseConflicts(names: string[], taken: ReadonlySet<string>): void {
  if (taken.size === 0) return;
  const conflicts = names.filter((name) => taken.has(name));
  const message = `the project has ${conflicts.length} tools of these names already`;
  throw refuse.nameTaken({
    details: {
      field: 'on_conflict',
      reason: 'names_taken',
      problems: [{ field: 'on_conflict', message }],
      conflicts: conflicts.slice(0, MAX_SHOWN),
    },
  });
}

function* inBatches(tools: ReadTool[]): Generator<ReadTool[]> {
  let batch: ReadTool[] = [];
  let characters = 0;
  for (const tool of tools) {
    batch.push(tool);
    characters += tool.definition.length;
    if (batch.length < BATCH.tools && characters < BATCH.characters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

async function createNew(app: App, caller: Caller, tools: ReadTool[], options: ImportOptions, outcome: Outcome) {
  if (tools.length === 0) return;
  const { is_enabled = false, auth_strategy = 'none', encrypted_auth_secret = null } = options;
  const secret = hasSecret(auth_strategy) ? encrypted_auth_secret : null;
  const checked = tools.map(({ definition }) => ({ definition: parseDefinition(definition), is_enabled, secret }));
  outcome.created.push(...(await saveNewTools(app, caller, checked)).map(showImported));
}

/** Answers those that somebody has deleted since: they are to be created. */
async function changeExisting(
  app: App,
  caller: Caller,
  tools: ReadTool[],
  options: ImportOptions,
  outcome: Outcome,
): Promise<ReadTool[]> {
  if (tools.length === 0) return [];
  const skip = ({ operation }: ReadTool, reason: string) =>
    outcome.skipped.push({ operation, reason: shortened(reason) });
  if (options.on_conflict === 'skip') {
    for (const tool of tools) skip(tool, `the project has a tool called ${tool.name} already`);
    return [];
  }
  const updates: Update[] = [];
  const names = tools.map(({ name }) => name);
  const rows = new Map(
    (await lockTools(app.database, projectOf(caller).id, 'name', names)).map((row) => [row.name, row]),
  );
  for (const tool of tools) {
    const row = rows.get(tool.name);
    if (!row) continue;
    const change = changeFrom(parseDefinition(tool.definition), options);
    const problem = await refusalOf(isUnchanged(app, row, change));
    if (typeof problem === 'string') skip(tool, problem);
    else updates.push({ row, change });
  }
  outcome.updated.push(...(await saveUpdates(app, caller, updates)).map(showImported));
  return tools.filter(({ name }) => !rows.has(name));
}

/** Why it is not to be saved, or null. */
async function refusalOf(unchanged: Promise<boolean>): Promise<string | null> {
  try {
    return (await unchanged) ? 'the tool is the same already' : null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return describeRefusal(error);
  }
}

const parseDefinition = (text: string) => JSON.parse(text) as Definition;

/** What the document says, and what was asked for all tools; the rest stays as it is. */
function changeFrom(definition: Definition, options: ImportOptions): ToolChange {
  const { title, description, base_url, endpoint_path, method, input_schema, annotations } = definition;
  const { auth_strategy, auth_config, encrypted_auth_secret, is_enabled, require_member } = options;
  const asked = { auth_strategy, auth_config, encrypted_auth_secret, is_enabled, require_member };
  return {
    ...{ title, description, base_url, endpoint_path, method, input_schema, annotations },
    ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)),
  };
}

function showImported(row: ToolRow): ImportAnswer['created'][number] {
  const { id, name, method, base_url, endpoint_path, is_enabled, version, definition_hash } = row;
  return { object: 'custom_tool', id, name, method, base_url, endpoint_path, is_enabled, version, definition_hash };
}

function inDocumentOrder({ created, updated, skipped }: Outcome, names: string[]): Outcome {
  const places = new Map(names.map((name, place) => [name, place]));
  const sorted = (tools: Outcome['created']) =>
    tools.toSorted((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0));
  return { created: sorted(created), updated: sorted(updated), skipped };
}

function adviseSelection(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const remedy = 'Import fewer operations: select them with include and exclude.';
  throw refuse.limitReached({ details: { ...error.details, remedy } });
}
