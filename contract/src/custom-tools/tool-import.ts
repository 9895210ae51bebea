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
    path: pattern('The path, as written in the document', '/orders/*'),
    method: pattern('The HTTP method, in uppercase or lowercase', 'GET'),
    operation_id: pattern('The operationId', 'list*'),
  })
  .refine((rule) => Object.keys(rule).length > 0, 'must have a tag, path, method or operation_id')
  .meta({
    id: 'ToolImportRule',
    description: 'Matches operations that meet all of these conditions. `*` matches any characters, including `/`',
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
      description: 'A public HTTPS URL to fetch the document from instead. Redirects are not followed',
      example: 'https://api.example.com/openapi.yaml',
    }),
    include: z
      .array(toolImportRule)
      .min(1)
      .max(MAX_RULES)
      .optional()
      .meta({ description: 'Only operations that match one of these; default: all' }),
    exclude: z
      .array(toolImportRule)
      .max(MAX_RULES)
      .default([])
      .meta({ description: 'Skips operations that match one of these, even if `include` selects them' }),
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
    base_url: limitedText(512).optional().meta({ description: "Replaces the origin in the document's `servers`" }),
    auth_strategy,
    auth_config,
    encrypted_auth_secret: encrypted_auth_secret.meta({
      description:
        "The secret for all tools, used with `auth_strategy`. Without `auth_strategy`, it is for the document's only security scheme",
    }),
    auth_secrets: z
      .record(limitedText(256).min(1), secret)
      .refine((secrets) => Object.keys(secrets).length <= MAX_SECRETS, `must be at most ${MAX_SECRETS}`)
      .optional()
      .meta({
        description:
          "Secrets by the names of the document's security schemes, instead of `auth_strategy`. A tool gets the strategy and secret of the first scheme that is sufficient for its operation. Use `client_id:client_secret` for the clientCredentials flow and `user:password` for basic",
        example: { bearerAuth: 'replace-with-the-token-of-your-api' },
      }),
    output_schemas: z.boolean().default(true).meta({
      description: "Whether to use the document's JSON responses as the tools' `output_schema`",
    }),
    is_enabled: is_enabled.meta({
      description: 'Whether all of these tools are enabled. By default, new tools are disabled',
    }),
    require_member,
    context_in,
    drop: z
      .record(limitedText(64), dropPaths)
      .refine((drop) => Object.keys(drop).length <= MAX_NAMES, `must be at most ${MAX_NAMES} tools`)
      .optional()
      .meta({
        description:
          "Paths to remove from tool results, by tool name, such as those in `proposed_drop` of a dry run. They become `drop` in the tool's `response` rule. A tool that already has a `response` rule keeps it",
        example: { listOrders: ['items[]._links'] },
      }),
    on_conflict: z.enum(importConflictRules).default('fail').meta({
      description:
        'What to do with names that already exist in the project: refuse the import and list them, skip those tools, or update them',
    }),
    dry_run: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to return what would happen without changing anything' }),
  })
  .refine(({ document, document_url }) => (document === undefined) !== (document_url === undefined), {
    path: ['document'],
    error: 'must be given unless document_url is given, and not both',
  })
  .meta({
    id: 'ToolImportRequest',
    description:
      'As multipart/form-data: `document` as a file or text, and each other field as text; `include`, `exclude`, `tool_names`, `auth_config`, `auth_secrets` and `drop` as JSON',
  });

/** What a request says besides where its document is. */
export type ToolImportOptions = Omit<z.infer<typeof toolImportRequest>, 'document' | 'document_url'>;

const toolImportSecurityScheme = z
  .strictObject({
    name: z.string().meta({ description: 'Its name in the document', example: 'bearerAuth' }),
    type: z.string().meta({ description: 'Its type, in OpenAPI terms', example: 'http bearer' }),
    auth_strategy: customTool.shape.auth_strategy
      .nullable()
      .meta({ description: 'The strategy for tools that use it; null if no strategy fits' }),
    reason: z.string().nullable().meta({ description: 'Why no strategy fits' }),
    tools: z.int().meta({ description: 'How many of the tools could use it' }),
    has_secret: z.boolean().meta({ description: 'Whether this import included a secret for it' }),
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
        'Up to 10 tags of its operation in the document, each with up to 100 characters. Empty for tools that are not in the document',
      example: ['orders'],
    }),
    has_output_schema: z.boolean().meta({ description: 'Whether it has an `output_schema`' }),
    proposed_drop: z
      .array(
        z.strictObject({
          path: z.string().meta({ description: 'A path for `drop`', example: 'items[].avatar_url' }),
          reason: z.enum(dropReasons).meta({ description: 'What the path contains' }),
          tokens: z.int().meta({ description: 'The share of a result that it saves, estimated for lists of 10 items' }),
        }),
      )
      .meta({
        description:
          "Parts of its results that models rarely need, based on its `output_schema`: for `drop` in the tool's `response` rule. At most 20, the largest savings first",
      }),
  })
  .meta({ id: 'ImportedTool' });

const updatedTool = importedTool
  .extend({
    changed_fields: z.array(z.string()).meta({
      description:
        'What differs from the previous version, at most 50 entries; inside a schema, with its keyword and property',
      example: ['description', 'input_schema.properties.limit'],
    }),
  })
  .meta({ id: 'UpdatedTool' });

export const toolImport = z
  .strictObject({
    object: z.literal('tool_import'),
    dry_run: z.boolean().meta({ description: 'Whether this was a dry run, which changes nothing' }),
    created: z.array(importedTool).meta({ description: 'New tools, in the order of the document, without schemas' }),
    updated: z.array(updatedTool).meta({ description: 'Existing tools that were updated' }),
    unchanged: z.array(importedTool).meta({
      description: 'With `on_conflict: update`: tools that already match the document. They get no new version',
    }),
    not_in_document: z.array(importedTool).meta({
      description:
        'Tools that came from this document but no longer match any of its operations, at most 1,000. They stay unchanged. A tool came from the document if an import created or updated it from a document with the same `info.title` and `base_url`',
    }),
    skipped: z
      .array(
        z.strictObject({
          operation: z.string().meta({ description: 'Method and path of the operation', example: 'GET /orders/{id}' }),
          reason: z.string().meta({ description: 'Why it did not create or update a tool' }),
        }),
      )
      .meta({ description: 'Operations that did not become tools, or whose tools were left unchanged' }),
    not_selected: z.int().meta({ description: 'How many operations `include` and `exclude` left out' }),
    security_schemes: z
      .array(toolImportSecurityScheme)
      .meta({ description: 'How the API authenticates, according to the document' }),
  })
  .meta({ id: 'ToolImport' });

export type ToolImport = z.infer<typeof toolImport>;
export type ImportedTool = z.infer<typeof importedTool>;
