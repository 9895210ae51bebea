// The body of POST /custom-tools/import: the document, which of its operations to import, and what all tools get.

import { z } from 'zod';
import { limitedText } from '../../../api/fields.ts';
import { toolChange } from '../tool.ts';

export const MAX_IMPORT_BYTES = 20 * 2 ** 20;
const MAX_RULES = 100;

const pattern = (description: string, example: string) =>
  limitedText(256).min(1).optional().meta({ description, example });

const operationRule = z
  .strictObject({
    tag: pattern('A tag of the operation', 'orders'),
    path: pattern('The path, as it is written in the document', '/orders/*'),
    method: pattern('The HTTP method, in upper or lower case', 'GET'),
    operation_id: pattern('The operationId', 'list*'),
  })
  .refine((rule) => Object.keys(rule).length > 0, 'must name a tag, path, method or operation_id')
  .meta({
    id: 'ToolImportRule',
    description: 'Matches an operation that has all of these. `*` stands for any characters, also for `/`',
  });

export type OperationRule = z.infer<typeof operationRule>;

const { auth_strategy, auth_config, encrypted_auth_secret, is_enabled, require_member } = toolChange.shape;

export const toolImport = z
  .strictObject({
    document: z.union([z.record(z.string(), z.unknown()), z.string()]).meta({
      description: 'An OpenAPI 3.0 or 3.1 document: an object, or its text as JSON or YAML',
    }),
    include: z
      .array(operationRule)
      .min(1)
      .max(MAX_RULES)
      .optional()
      .meta({ description: 'Only operations that one of these matches; all unless given' }),
    exclude: z
      .array(operationRule)
      .max(MAX_RULES)
      .default([])
      .meta({ description: 'No operation that one of these matches, included or not' }),
    base_url: limitedText(512).optional().meta({ description: "Replaces the origin of the document's servers" }),
    auth_strategy,
    auth_config,
    encrypted_auth_secret,
    is_enabled: is_enabled.meta({ description: 'Of all tools. A new tool is disabled unless this is true' }),
    require_member,
    on_conflict: z.enum(['fail', 'skip', 'update']).default('fail').meta({
      description:
        'What to do with names that the project has already: refuse the import and list them, leave those tools as they are, or change them',
    }),
    dry_run: z.boolean().default(false).meta({ description: 'Answer with what would happen, and change nothing' }),
  })
  .meta({
    id: 'ToolImportRequest',
    description:
      'As multipart/form-data: the file or text `document`, and each other field as text; `include`, `exclude` and `auth_config` as JSON',
  });

export type ImportOptions = Omit<z.infer<typeof toolImport>, 'document'>;
