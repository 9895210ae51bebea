// The body of POST /custom-tools/import: the document, which of its operations to import, and what all tools get.

import { z } from 'zod';
import { limitedText } from '../../../api/fields.ts';
import { toolChange } from '../tool.ts';

export const MAX_IMPORT_BYTES = 20 * 2 ** 20;
const MAX_RULES = 100;
const MAX_SECRETS = 20;
const MAX_NAMES = 10_000;

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

const secret = encrypted_auth_secret.unwrap().unwrap();

export const toolImport = z
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
        'Of all tools, for `auth_strategy`. Without `auth_strategy` it is for the only security scheme of the document',
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
    is_enabled: is_enabled.meta({ description: 'Of all tools. A new tool is disabled unless this is true' }),
    require_member,
    on_conflict: z.enum(['fail', 'skip', 'update']).default('fail').meta({
      description:
        'What to do with names that the project has already: refuse the import and list them, leave those tools as they are, or change them',
    }),
    dry_run: z.boolean().default(false).meta({ description: 'Answer with what would happen, and change nothing' }),
  })
  .refine(({ document, document_url }) => (document === undefined) !== (document_url === undefined), {
    path: ['document'],
    error: 'must be given, or else document_url, and not both',
  })
  .meta({
    id: 'ToolImportRequest',
    description:
      'As multipart/form-data: the file or text `document`, and each other field as text; `include`, `exclude`, `tool_names`, `auth_config` and `auth_secrets` as JSON',
  });

export type ImportOptions = Omit<z.infer<typeof toolImport>, 'document' | 'document_url'>;
