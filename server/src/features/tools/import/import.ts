// POST /custom-tools/import: the operations of an OpenAPI document as tools. All of them or none: one transaction.

import { setImmediate as othersFirst } from 'node:timers/promises';
import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import type { ImportedTool, ToolImport, ToolImportOptions } from '@toolgate/contract/custom-tools/tool-import.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { isNarrowed } from '../../../access/narrowed-caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { ApiError, invalidField, refuse } from '../../../errors/errors.ts';
import { hasSecret } from '../catalogue/auth-rules.ts';
import { saveNewTools } from '../catalogue/create.ts';
import { refuseBeyondLimits } from '../catalogue/limits.ts';
import { resolveProvider } from '../catalogue/resolve-provider.ts';
import { changeExisting } from './change-existing.ts';
import { inDocumentOrder, type Outcome, showImported, showRow } from './imported-tools.ts';
import type { ReadImport } from './read-off-thread.ts';
import type { ReadTool } from './read-operations.ts';
import { selectOtherTools, selectTakenNames } from './store.ts';
import { toToolTags } from './tool-tags.ts';

/** What is parsed and written without a pause: some milliseconds. */
const BATCH = { tools: 50, characters: 250_000 };
/** A refusal names so many conflicts, and counts the others. */
const MAX_SHOWN = 100;
const MAX_OTHERS = 1_000;

export async function importTools(app: App, caller: Caller, read: ReadImport): Promise<ToolImport> {
  const { dry_run } = read.options;
  await checkProvider(app, caller, read.options);
  if (!dry_run) return importInTransaction(app, caller, read);
  // A dry run does everything and takes it back, so that its response is what would happen.
  const undo = { response: undefined as ToolImport | undefined };
  try {
    await transact(app, async (app) => {
      undo.response = await importInTransaction(app, caller, read);
      throw undo;
    });
  } catch (error) {
    if (error !== undo || !undo.response) throw error;
  }
  const { created, ...rest } = undo.response as ToolImport;
  return { ...rest, created: created.map((tool) => ({ ...tool, id: null })) };
}

/** The definitions were made without the database, so the provider must be named. */
async function checkProvider(app: App, caller: Caller, { auth_strategy, auth_config = {} }: ToolImportOptions) {
  if (auth_strategy === 'member_oauth' && auth_config.oauth_provider_id === undefined)
    throw invalidField('auth_config.oauth_provider_id', 'is required');
  if (auth_strategy !== undefined) await resolveProvider(app, projectOf(caller).id, { auth_strategy, auth_config });
}

async function importInTransaction(app: App, caller: Caller, read: ReadImport): Promise<ToolImport> {
  const { options, tools, not_selected, security_schemes } = read;
  return transact(app, async (app) => {
    const names = tools.map(({ name }) => name);
    const taken = new Set(await selectTakenNames(app.database, projectOf(caller).id, names));
    if (options.on_conflict === 'fail') refuseConflicts(names, taken);
    const outcome: Outcome = { created: [], updated: [], unchanged: [], skipped: [...read.skipped] };
    // In the order of the names, so that two imports of the same names do not wait for each other in a circle.
    for (const batch of inBatches(tools.toSorted((one, other) => (one.name < other.name ? -1 : 1)))) {
      const isTaken = ({ name }: ReadTool) => taken.has(name);
      const deleted = await changeExisting(app, caller, batch.filter(isTaken), read, outcome);
      await createNew(app, caller, [...batch.filter((tool) => !isTaken(tool)), ...deleted], read, outcome);
      await othersFirst();
    }
    if (outcome.created.length > 0) await refuseBeyondLimits(app, projectOf(caller).id).catch(adviseSelection);
    return {
      object: 'tool_import',
      dry_run: options.dry_run,
      ...sortOutcome(outcome, tools),
      not_in_document: await findOthers(app, caller, read),
      not_selected,
      security_schemes,
    };
  });
}

function refuseConflicts(names: string[], taken: ReadonlySet<string>): void {
  if (taken.size === 0) return;
  const conflicts = names.filter((name) => taken.has(name));
  const message = `the project already has ${conflicts.length} tools with these names`;
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

async function createNew(app: App, caller: Caller, tools: ReadTool[], read: ReadImport, outcome: Outcome) {
  if (tools.length === 0) return;
  const { is_enabled = false, auth_strategy = 'none', encrypted_auth_secret = null } = read.options;
  const secret = hasSecret(auth_strategy) ? encrypted_auth_secret : null;
  // A caller that sees only some toolsets cannot decide what is in them.
  const takesTags = !isNarrowed(caller);
  const checked = tools.map(({ definition, tags, scheme }) => ({
    definition: JSON.parse(definition) as CustomToolDefinition,
    tags: takesTags ? toToolTags(tags) : [],
    weight: 1,
    is_enabled,
    imported_from: read.title,
    secret: scheme === null ? secret : (read.scheme_secrets.get(scheme) ?? null),
  }));
  outcome.created.push(...(await saveNewTools(app, caller, checked)).map(showImported));
}

function sortOutcome({ created, updated, unchanged, skipped }: Outcome, tools: ReadTool[]): Outcome {
  const places = new Map(tools.map(({ name, tags }, at) => [name, { at, tags }]));
  return {
    created: inDocumentOrder(created, places),
    updated: inDocumentOrder(updated, places),
    unchanged: inDocumentOrder(unchanged, places),
    skipped,
  };
}

async function findOthers(app: App, caller: Caller, read: ReadImport): Promise<ImportedTool[]> {
  const { title: imported_from, names, base_urls } = read;
  if (names === null || base_urls.length === 0) return [];
  const others = { imported_from, base_urls, names, limit: MAX_OTHERS };
  const rows = await selectOtherTools(app.database, projectOf(caller).id, others);
  return rows.map(showRow);
}

function adviseSelection(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const remedy = 'Import fewer operations: select them with include and exclude.';
  throw refuse.limitReached({ details: { ...error.details, remedy } });
}
