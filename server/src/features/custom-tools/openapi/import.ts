// POST /custom-tools/import: the operations of an OpenAPI document as tools. They are created disabled: somebody looks first.

import { z } from 'zod';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { ApiError } from '../../../errors.ts';
import { saveNewTool } from '../create.ts';
import { checkDefinition, proveSchemas } from '../definition.ts';
import { selectNames } from '../store.ts';
import { type Definition, definitionOf, showTool, toolSchema } from '../tool.ts';
import { freeNames } from './free-names.ts';
import { type ReadOperation, readDocument, type Skipped, shortened } from './read-document.ts';

const LONGEST_NAME = 64;

export const toolImport = z
  .strictObject({
    document: z.record(z.string(), z.unknown()).meta({ description: 'An OpenAPI 3.0 or 3.1 document, as JSON' }),
    base_url: z.string().max(512).optional().meta({ description: "Replaces the origin of the document's servers" }),
  })
  .meta({ id: 'ToolImportRequest' });

export const importedTools = z
  .strictObject({
    object: z.literal('tool_import'),
    created: z.array(toolSchema),
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
  { document, base_url }: z.infer<typeof toolImport>,
): Promise<CheckedImport> {
  const { found, skipped } = await readDocument(document, base_url);
  const checked: Definition[] = [];
  for (const operation of found) {
    const definition = await check(app, operation, skipped);
    if (definition) checked.push(definition);
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
    const created = [];
    for (const { name: wanted, ...rest } of checked) {
      const name = freeName(wanted);
      taken.add(name);
      const definition = definitionOf({ ...rest, name });
      created.push(await saveNewTool(app, caller, { definition, is_enabled: false, secret: null }));
    }
    return { object: 'tool_import', created: created.map((row) => showTool(row, app.now())), skipped };
  });
}

async function check(
  app: App,
  { operation, definition }: ReadOperation,
  skipped: Skipped[],
): Promise<Definition | null> {
  try {
    const checked = checkDefinition(app.config, definition, { is_there: false, text: null });
    await proveSchemas(checked);
    return checked;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const { field, reason } = error.details;
    skipped.push({ operation, reason: shortened([field, reason ?? error.message].filter(Boolean).join(': ')) });
    return null;
  }
}
