// The answer of an import: what became of each operation, and of the tools that the project has already.

import { z } from 'zod';
import { type ToolRow, toolSchema } from '../tool.ts';
import { shownScheme } from './import-security.ts';

const importedTool = toolSchema
  .pick({
    object: true,
    name: true,
    method: true,
    base_url: true,
    endpoint_path: true,
    auth_strategy: true,
    is_enabled: true,
    version: true,
    definition_hash: true,
  })
  .extend({
    id: z.string().nullable().meta({ description: 'Null for a tool that a dry run would create' }),
    has_output_schema: z.boolean().meta({ description: 'Whether it has an `output_schema`' }),
  })
  .meta({ id: 'ImportedTool' });

const updatedTool = importedTool
  .extend({
    changed_fields: z.array(z.string()).meta({
      description: 'What differs from the version before, 50 at most; inside a schema with its keyword and property',
      example: ['description', 'input_schema.properties.limit'],
    }),
  })
  .meta({ id: 'UpdatedTool' });

export const importedTools = z
  .strictObject({
    object: z.literal('tool_import'),
    dry_run: z.boolean().meta({ description: 'Whether nothing was changed' }),
    created: z.array(importedTool).meta({ description: 'New tools, in the order of the document, without schemas' }),
    updated: z.array(updatedTool).meta({ description: 'Tools that were there and are changed now' }),
    unchanged: z
      .array(importedTool)
      .meta({ description: 'With `on_conflict` update: tools that are as the document says already. No new version' }),
    not_in_document: z.array(importedTool).meta({
      description:
        'Other tools of the project with a `base_url` of these, whose names no operation of the document has: 1,000 at most. They stay as they are',
    }),
    skipped: z
      .array(
        z.strictObject({
          operation: z.string().meta({ description: 'Method and path of the operation', example: 'GET /orders/{id}' }),
          reason: z.string().meta({ description: 'Why there is no new or changed tool for it' }),
        }),
      )
      .meta({ description: 'Operations that are no tools, or whose tools were left as they are' }),
    not_selected: z.int().meta({ description: 'Operations that `include` and `exclude` left out' }),
    security_schemes: z.array(shownScheme).meta({ description: 'How the API authenticates, as the document says' }),
  })
  .meta({ id: 'ToolImport' });

export type ImportAnswer = z.infer<typeof importedTools>;
export type ImportedTool = z.infer<typeof importedTool>;

export type Outcome = Pick<ImportAnswer, 'created' | 'updated' | 'unchanged' | 'skipped'>;

export type ShownRow = Pick<
  ToolRow,
  'id' | 'name' | 'method' | 'base_url' | 'endpoint_path' | 'is_enabled' | 'version' | 'definition_hash'
> & { auth_strategy: string; has_output_schema: boolean };

export function showRow(row: ShownRow): ImportedTool {
  const { id, name, method, base_url, endpoint_path, is_enabled, version, definition_hash, has_output_schema } = row;
  const auth_strategy = row.auth_strategy as ImportedTool['auth_strategy'];
  return {
    ...{ object: 'custom_tool', id, name, method, base_url, endpoint_path, auth_strategy },
    ...{ is_enabled, version, definition_hash, has_output_schema },
  };
}

export const showImported = (row: ToolRow) => showRow({ ...row, has_output_schema: row.output_schema !== null });

export function inDocumentOrder<T extends { name: string }>(tools: T[], places: ReadonlyMap<string, number>): T[] {
  return tools.toSorted((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0));
}
