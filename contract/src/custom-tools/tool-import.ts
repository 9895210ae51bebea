// An import of tools from an OpenAPI document: which of its operations, what all tools get, and what became of each.

import { z } from 'zod';
import { limitedText } from '../fields.ts';
import { customTool, customToolChange } from './custom-tool.ts';
import { MAX_DEEP_PATHS } from './response-paths.ts';
import { dropReasons, importConflictRules } from './rules.ts';
import { toolResponse } from './tool-response.ts';

export const MAX_IMPORT_BYTES = 20 * 2 ** 20;
const MAX_RULES = 100;
const MAX_SECRETS = 20;
const MAX_NAMES = 10_000;

const pattern = (description: string, example: string) =>
  limitedText(256).min(1).optional().meta({ description, example });

const toolImportRule = z
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

export type ToolImportRule = z.infer<typeof toolImportRule>;

const { auth_strategy, auth_config, encrypted_auth_secret, is_enabled, require_member, context_in } =
  customToolChange.shape;

const secret = encrypted_auth_secret.unwrap().unwrap();
const dropPaths = toolResponse.shape.drop
  .unwrap()
  .min(1)
  .refine((drop) => toolResponse.safeParse({ drop }).success, `must have at most ${MAX_DEEP_PATHS} paths with **`);

export const toolImportRequest = z
  .strictObject({
    document: z
      .union([z.record(z.string(), z.unknown()), z.string()])
      .optional()
      .meta({
        description:
          'An OpenAPI 3.0 or 3.1 document: an object, or its text as JSON or YAML. Required unless there is a `document_url`',
      }),
    document_url: limitedText(2_048).optional().meta({
      description:
        'Where to fetch the document instead: an HTTPS address on the public internet. Redirects are not followed',
      example: 'https://api.example.com/openapi.yaml',
    }),
    include: z
      .array(toolImportRule)
      .min(1)
      .max(MAX_RULES)
      .optional()
      .meta({ description: 'Only operations that one of these matches; all unless given' }),
    exclude: z
      .array(toolImportRule)
      .max(MAX_RULES)
      .default([])
      .meta({ description: 'No operation that one of these matches, included or not' }),
    tool_names: z
      .array(limitedText(64))
      .min(1)
      .max(MAX_NAMES)
      .optional()
      .meta({
        description:
          'Only operations whose tools get these names, as a dry run shows them; in addition to `include` and `exclude`',
        example: ['listOrders', 'getOrder'],
      }),
    base_url: limitedText(512).optional().meta({ description: "Replaces the origin of the document's servers" }),
    auth_strategy,
    auth_config,
    encrypted_auth_secret: encrypted_auth_secret.meta({
      description:
        'The secret of all tools, for `auth_strategy`. Without `auth_strategy` it is for the only security scheme of the document',
    }),
    auth_secrets: z
      .record(limitedText(256).min(1), secret)
      .refine((secrets) => Object.keys(secrets).length <= MAX_SECRETS, `must be at most ${MAX_SECRETS}`)
      .optional()
      .meta({
        description:
          'Secrets by the names of security schemes of the document, instead of `auth_strategy`. A tool gets the strategy and secret of the first scheme that is enough for its operation. `client_id:client_secret` for the flow clientCredentials, `user:password` for basic',
        example: { bearerAuth: 'replace-with-the-token-of-your-api' },
      }),
    output_schemas: z.boolean().default(true).meta({
      description: 'Whether the JSON responses of the document become the `output_schema` of tools',
    }),
    is_enabled: is_enabled.meta({
      description: 'Whether all of these tools can be called. A new tool is disabled unless this is true',
    }),
    require_member,
    context_in,
    drop: z
      .record(limitedText(64), dropPaths)
      .refine((drop) => Object.keys(drop).length <= MAX_NAMES, `must be at most ${MAX_NAMES} tools`)
      .optional()
      .meta({
        description:
          'Paths that results of tools are without, by the names of the tools, such as those of `proposed_drop` in a dry run: they become `drop` of `response`. A tool that has a `response` already keeps it',
        example: { listOrders: ['items[]._links'] },
      }),
    on_conflict: z.enum(importConflictRules).default('fail').meta({
      description:
        'What to do with names that the project has already: refuse the import and list them, leave those tools as they are, or change them',
    }),
    dry_run: z.boolean().default(false).meta({ description: 'Return what would happen, and change nothing' }),
  })
  .refine(({ document, document_url }) => (document === undefined) !== (document_url === undefined), {
    path: ['document'],
    error: 'must be given, or else document_url, and not both',
  })
  .meta({
    id: 'ToolImportRequest',
    description:
      'As multipart/form-data: the file or text `document`, and each other field as text; `include`, `exclude`, `tool_names`, `auth_config`, `auth_secrets` and `drop` as JSON',
  });

/** What a request says beside where its document is. */
export type ToolImportOptions = Omit<z.infer<typeof toolImportRequest>, 'document' | 'document_url'>;

const toolImportSecurityScheme = z
  .strictObject({
    name: z.string().meta({ description: 'Its name in the document', example: 'bearerAuth' }),
    type: z.string().meta({ description: 'What it is, in words of OpenAPI', example: 'http bearer' }),
    auth_strategy: customTool.shape.auth_strategy
      .nullable()
      .meta({ description: 'The strategy of tools that use it; null if no strategy fits' }),
    reason: z.string().nullable().meta({ description: 'Why there is no strategy for it' }),
    tools: z.int().meta({ description: 'How many of the tools could use it' }),
    has_secret: z.boolean().meta({ description: 'Whether this import gave a secret for it' }),
  })
  .meta({ id: 'ToolImportSecurityScheme' });

export type ToolImportSecurityScheme = z.infer<typeof toolImportSecurityScheme>;

const importedTool = customTool
  .pick({
    object: true,
    name: true,
    method: true,
    base_url: true,
    endpoint_path: true,
    auth_strategy: true,
    derived_annotations: true,
    listed_annotations: true,
    is_enabled: true,
    version: true,
    definition_hash: true,
  })
  .extend({
    id: z.string().nullable().meta({ description: 'Null for a tool that a dry run would create' }),
    tags: z.array(z.string()).meta({
      description:
        'Tags of its operation in the document, 10 at most, of 100 characters each. Empty for tools that are not in the document',
      example: ['orders'],
    }),
    has_output_schema: z.boolean().meta({ description: 'Whether it has an `output_schema`' }),
    proposed_drop: z
      .array(
        z.strictObject({
          path: z.string().meta({ description: 'A path for `drop`', example: 'items[].avatar_url' }),
          reason: z.enum(dropReasons).meta({ description: 'What it is' }),
          tokens: z.int().meta({ description: 'What it saves of a result, estimated for lists of 10 items' }),
        }),
      )
      .meta({
        description:
          'What a model hardly needs of its results, by its `output_schema`: for `drop` in `response` of the tool. 20 at most, those that save most first',
      }),
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

export const toolImport = z
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
        'Tools that came from this document, and whose names no operation has now: 1,000 at most. They stay as they are. A tool came from it if an import created or updated it from a document with the same `info.title` and `base_url`',
    }),
    skipped: z
      .array(
        z.strictObject({
          operation: z.string().meta({ description: 'Method and path of the operation', example: 'GET /orders/{id}' }),
          reason: z.string().meta({ description: 'Why there is no new or changed tool for it' }),
        }),
      )
      .meta({ description: 'Operations that are not tools, or whose tools were left as they are' }),
    not_selected: z.int().meta({ description: 'Operations that `include` and `exclude` left out' }),
    security_schemes: z
      .array(toolImportSecurityScheme)
      .meta({ description: 'How the API authenticates, as the document says' }),
  })
  .meta({ id: 'ToolImport' });

export type ToolImport = z.infer<typeof toolImport>;
export type ImportedTool = z.infer<typeof importedTool>;
