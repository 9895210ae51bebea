// POST /custom-tools/import: the operations of an OpenAPI document as tools. They are created disabled: somebody looks first.

import { setImmediate as othersFirst } from 'node:timers/promises';
import { z } from 'zod';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { limitedText } from '../../../api/fields.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { ApiError } from '../../../errors.ts';
import { saveNewTool } from '../create.ts';
import { checkDefinition, compileSchemas } from '../definition.ts';
import { invalidField } from '../invalid-field.ts';
import { refuseBeyondLimits } from '../limits.ts';
import { selectNames } from '../store.ts';
import { type Definition, type ToolRow, toolSchema } from '../tool.ts';
import { freeNames } from './free-names.ts';
import { type ReadOperation, readDocument, type Skipped, shortened } from './read-document.ts';

const LONGEST_NAME = 64;
/** Many operations may repeat one schema of the document, so the tools may be far larger than it. */
const MOST_CHARACTERS = 4_000_000;

export const toolImport = z
  .strictObject({
    document: z.record(z.string(), z.unknown()).meta({ description: 'An OpenAPI 3.0 or 3.1 document, as JSON' }),
    base_url: limitedText(512).optional().meta({ description: "Replaces the origin of the document's servers" }),
  })
  .meta({ id: 'ToolImportRequest' });

/** Enough to look at it: two hundred whole definitions would be megabytes. */
const importedTool = toolSchema.pick({
  id: true,
  object: true,
  name: true,
  method: true,
  base_url: true,
  endpoint_path: true,
  is_enabled: true,
  version: true,
  definition_hash: true,
});

export const importedTools = z
  .strictObject({
    object: z.literal('tool_import'),
    created: z.array(importedTool).meta({ description: 'In the order of the document' }),
    skipped: z.array(
      z.strictObject({
        operation: z.string().meta({ example: 'GET /orders/{id}' }),
        reason: z.string().meta({ description: 'Why it cannot be a tool' }),
      }),
    ),
  })
  .meta({ id: 'ToolImport' });

type CheckedImport = { checked: Definition[]; skipped: Skipped[] };

/** Before any transaction, as for a single tool. */
export async function checkImport(
  app: App,
  caller: Caller,
  { document, base_url }: z.infer<typeof toolImport>,
): Promise<CheckedImport> {
  const { found, skipped } = await readDocument(document, base_url);
  const checked: Definition[] = [];
  let size = 0;
  for (const operation of found) {
    await othersFirst();
    const definition = await check(app, caller, operation, skipped);
    if (!definition) continue;
    size += JSON.stringify(definition).length;
    if (size > MOST_CHARACTERS)
      throw invalidField('document', `makes tools of more than ${MOST_CHARACTERS} characters: import it in parts`);
    checked.push(definition);
  }
  return { checked, skipped };
}

export async function importTools(
  app: App,
  caller: Caller,
  { checked, skipped }: CheckedImport,
): Promise<z.infer<typeof importedTools>> {
  return transact(app, async (app) => {
    const taken = new Set(await selectNames(app.database, projectOf(caller).id));
    const freeName = freeNames((name) => taken.has(name), LONGEST_NAME);
    const named = checked.map((definition) => {
      const name = freeName(definition.name);
      taken.add(name);
      return { ...definition, name };
    });
    const rows = new Map<string, ToolRow>();
    // In one order, so that two imports of the same names do not wait for each other in a circle.
    for (const definition of named.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
      rows.set(definition.name, await saveNewTool(app, caller, { definition, is_enabled: false, secret: null }));
    await refuseBeyondLimits(app, projectOf(caller).id);
    const created = named.map(({ name }) => showImported(rows.get(name) as ToolRow));
    return { object: 'tool_import', created, skipped };
  });
}

function showImported(row: ToolRow): z.infer<typeof importedTool> {
  const { id, name, method, base_url, endpoint_path, is_enabled, version, definition_hash } = row;
  return { object: 'custom_tool', id, name, method, base_url, endpoint_path, is_enabled, version, definition_hash };
}

async function check(
  app: App,
  caller: Caller,
  { operation, definition }: ReadOperation,
  skipped: Skipped[],
): Promise<Definition | null> {
  try {
    const checked = checkDefinition(app.config, definition, { exists: false, text: null });
    await compileSchemas(projectOf(caller).quota_group_id, checked);
    return checked;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const { field, reason } = error.details;
    skipped.push({ operation, reason: shortened([field, reason ?? error.message].filter(Boolean).join(': ')) });
    return null;
  }
}
