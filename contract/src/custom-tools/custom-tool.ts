// A custom tool and its versions, and what is sent to create and change one. Its secret is never returned.

import { z } from 'zod';
import { toolConfirm } from '../approvals/confirm.ts';
import { certificateId } from '../certificates/field.ts';
import { booleanFilter, limitedText, pageQuery, text, timestamp } from '../fields.ts';
import { weight } from '../limits/limit.ts';
import { toolPolling } from '../tasks/polling.ts';
import { toolTag, toolTags } from '../toolsets/fields.ts';
import { bodyDefaults, bodyFields } from './body-fields.ts';
import { MAX_JWE_LENGTH } from './encryption-key.ts';
import { hintNames } from './hints.ts';
import { MAX_TEMPLATE } from './path-template.ts';
import {
  authStrategies,
  contextPlaces,
  DEFAULT_KEY_PARAMETER,
  DEFAULT_TIMEOUT_MS,
  MAX_FIXED_ARGUMENTS,
  MAX_TIMEOUT_MS,
  MIN_TIMEOUT_MS,
  TOOL_NAME,
  TOOL_NAME_RULE,
  toolMethods,
} from './rules.ts';
import { toolResponse } from './tool-response.ts';
import { toolSource } from './tool-source.ts';

const schemaField = (description: string) => z.record(z.string(), z.unknown()).meta({ description });

/** The fields that determine the behavior of a tool; each save of them is a version. */
const definitionFields = {
  name: z
    .string()
    .regex(TOOL_NAME, TOOL_NAME_RULE)
    .meta({ description: 'The name that models use to call it; unique in the project', example: 'find_order' }),
  title: text(1, 128).nullable().meta({ description: 'A name for people' }),
  description: text(0, 8192).nullable().meta({ description: 'Models read it to decide when to call the tool' }),
  base_url: text(0, 512).meta({
    description: 'HTTPS origin without a path. Plain HTTP only if the operator allows it',
    example: 'https://api.example.com',
  }),
  endpoint_path: limitedText(MAX_TEMPLATE, `must have at most ${MAX_TEMPLATE} characters`).meta({
    description:
      "Begins with `/`; `{{name}}` is replaced by the argument of that name, `{{member_id}}` by the member's id",
    example: '/v1/orders/{{order_id}}',
  }),
  method: z.enum(toolMethods).meta({
    description: 'GET and DELETE send the arguments in the query, the others in the body, in the format `body_format`',
  }),
  ...bodyFields,
  timeout_ms: z
    .int()
    .min(MIN_TIMEOUT_MS)
    .max(MAX_TIMEOUT_MS)
    .meta({ description: 'How long the whole call can take, in milliseconds' }),
  headers: z.record(z.string(), z.string()).meta({
    description:
      'Request headers that are sent with every call. A value can contain arguments as `{{name}}`; if the argument is missing, the header is left out. Cookies must be arguments: `a={{a}}; b={{b}}`',
    example: { 'X-Tenant': 'acme', 'X-Locale': '{{locale}}' },
  }),
  context_in: z.enum(contextPlaces).meta({
    description:
      'Where `project_id`, `integration_id` and `member_id` are sent: with the arguments, or in X-Toolgate-*-Id headers',
  }),
  require_member: z.boolean().meta({ description: 'Whether only a member session can call it' }),
  input_schema: schemaField('JSON Schema 2020-12 of the arguments; `type` must be `object`'),
  output_schema: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'JSON Schema 2020-12 of the response; null accepts any response' }),
  annotations: z
    .strictObject({
      title: text(1, 128).optional().meta({ description: 'A name for people' }),
      readOnlyHint: z.boolean().optional().meta({ description: 'Whether the tool only reads' }),
      destructiveHint: z
        .boolean()
        .optional()
        .meta({ description: 'Whether the tool can delete or overwrite something' }),
      idempotentHint: z
        .boolean()
        .optional()
        .meta({ description: 'Whether a second call with the same arguments has no further effect' }),
      openWorldHint: z
        .boolean()
        .optional()
        .meta({ description: 'Whether the tool reaches systems beyond your own API' }),
    })
    .nullable()
    .meta({
      description:
        'Hints for MCP clients that you set. Hints you do not set are derived from the method: see `derived_annotations`',
    }),
  fixed_arguments: z.record(z.string(), z.unknown()).meta({
    description: `Arguments that are added to every call, at most ${MAX_FIXED_ARGUMENTS}. Models do not see them in the schema, and calls that include one are refused. They must be valid for \`input_schema\`, and are used in the path, query, headers and body like other arguments`,
    example: { locale: 'en' },
  }),
  response: toolResponse.nullable().meta({
    description:
      "Which parts of your API's responses callers get, in both protocols and in recorded payloads; null: everything. `tools/list` shows the `output_schema` that results from it",
  }),
  confirm: toolConfirm.nullable().meta({
    description:
      'Whether a person has to approve each call before it is sent; null: only if the project setting `confirm_destructive` requires it',
  }),
  polling: toolPolling.nullable().meta({
    description:
      'How a call is followed if the first response only says that the work has begun: status 202, or a `status` that is neither done nor failed. Such a call goes on as a task. Null: the first response is the result',
  }),
  auth_strategy: z.enum(authStrategies).meta({ description: 'How calls authenticate to your API' }),
  auth_config: z
    .strictObject({
      header_name: text(1, 128).optional().meta({ description: 'api_key_header: X-API-Key by default' }),
      parameter_name: text(1, 128)
        .optional()
        .meta({
          description: `api_key_query: the query parameter that has the secret; \`${DEFAULT_KEY_PARAMETER}\` by default. No argument can have this name`,
        }),
      token_url: text(1, 2048).optional().meta({
        description: 'oauth2_client_credentials, token_exchange: the HTTPS URL that issues access tokens',
      }),
      client_id: text(1, 1024).optional().meta({
        description: 'oauth2_client_credentials, token_exchange: the id of the client whose secret is stored',
      }),
      scope: text(1, 1024).optional().meta({
        description: 'oauth2_client_credentials, token_exchange: scopes to request, separated by single spaces',
      }),
      audience: text(1, 1024)
        .optional()
        .meta({ description: 'member_jwt: the `aud` of the JWT. token_exchange: the audience to request' }),
      oauth_provider_id: text(1, 64).optional().meta({
        description: 'member_oauth: the provider whose token is sent. Optional if the project has only one provider',
      }),
    })
    .meta({ description: 'What the strategy requires besides its secret' }),
  certificate_id: certificateId.meta({
    description:
      "The certificate that connections to base_url and `auth_config.token_url` are made with; null: none, and the system's certificate authorities. Only callers with `admin` can set it, or change these hosts while it is set. For an MCP server's tool, set it on the server",
  }),
};

const source = toolSource.nullable().meta({
  description:
    'The MCP server that the tool comes from; `base_url`, `endpoint_path` and `method` are then null. Null: the tool calls your API',
});

/** What a definition has that does not say otherwise. Every field that comes later needs a default: stored definitions lack it. */
export const definitionDefaults = {
  title: null,
  description: null,
  method: 'POST',
  ...bodyDefaults,
  timeout_ms: DEFAULT_TIMEOUT_MS,
  headers: {},
  context_in: 'arguments',
  require_member: false,
  input_schema: { type: 'object' },
  output_schema: null,
  annotations: null,
  fixed_arguments: {},
  response: null,
  confirm: null,
  polling: null,
  auth_strategy: 'none',
  auth_config: {},
  certificate_id: null,
  source: null,
} satisfies Partial<CustomToolDefinition>;

/** As it is stored: the URL of a tool of an MCP server is that of the server. */
const storedDefinition = z.strictObject({ ...definitionFields, source });

export const definitionNames = storedDefinition.keyof().options;

export type CustomToolDefinition = z.infer<typeof storedDefinition>;

const orNull = <T extends z.ZodType>(field: T) =>
  field.nullable().meta({ description: `${field.description}; null for an MCP server's tool` });

const shownFields = {
  ...definitionFields,
  base_url: orNull(definitionFields.base_url),
  endpoint_path: orNull(definitionFields.endpoint_path),
  method: orNull(definitionFields.method),
  source,
};

const customToolDefinition = z.strictObject(shownFields).meta({ id: 'CustomToolDefinition' });

export type ShownDefinition = z.infer<typeof customToolDefinition>;

const is_enabled = z.boolean().meta({ description: 'Whether the tool can be called' });
const is_approved = z.boolean().meta({
  description:
    "Only callers with `admin` can set it: whether calls can send members' tokens, or JWTs about them, in production. When a caller with `admin` changes where they are sent, that counts as approval; when another caller does, it is set to false",
});
const encrypted_auth_secret = text(0, MAX_JWE_LENGTH).nullable().meta({
  description:
    'A JWE (ECDH-ES, A256GCM) encrypted for the key at /encryption-key, or the plain secret. Never returned. `basic` takes `user:password`',
});

type WithDefaults<Fields, Defaults> = {
  [Name in keyof Fields]: Name extends keyof Defaults
    ? Fields[Name] extends z.ZodType
      ? z.ZodDefault<Fields[Name]>
      : never
    : Fields[Name];
};

function withDefaults<Fields extends Record<string, z.ZodType>, Defaults extends Record<string, unknown>>(
  fields: Fields,
  defaults: Defaults,
): WithDefaults<Fields, Defaults> {
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    Object.hasOwn(defaults, name) ? field.default(defaults[name]) : field,
  ]);
  return Object.fromEntries(entries);
}

export const customToolRequest = z
  .strictObject({
    ...withDefaults(definitionFields, definitionDefaults),
    tags: toolTags.default([]),
    weight: weight.default(1),
    is_enabled: is_enabled.default(true),
    encrypted_auth_secret: encrypted_auth_secret.default(null),
  })
  .meta({ id: 'CustomToolRequest' });

export const customToolChange = z
  .strictObject({
    ...definitionFields,
    tags: toolTags,
    weight,
    is_enabled,
    is_approved,
    encrypted_auth_secret,
    source: z.null().meta({ description: "As in an older version's definition, so that you can save it again" }),
  })
  .partial()
  .meta({ id: 'CustomToolChange' });

export type CustomToolRequest = z.infer<typeof customToolRequest>;
export type CustomToolChange = z.infer<typeof customToolChange>;

const hint = (description: string) => z.boolean().meta({ description });
const listed = z.strictObject({
  title: z.string().meta({ description: 'The title you set, or words made from the name' }),
  readOnlyHint: hint('Whether the tool only reads'),
  destructiveHint: hint('Whether the tool can delete or overwrite something'),
  idempotentHint: hint('Whether a second call with the same arguments has no further effect'),
  openWorldHint: hint('Whether the tool reaches systems beyond your own API'),
});

export const customTool = z
  .strictObject({
    id: z.string(),
    object: z.literal('custom_tool'),
    project_id: z.string(),
    ...shownFields,
    derived_annotations: z.array(z.enum(hintNames)).meta({
      description: 'Hints that nobody set and that are therefore derived. Set them in `annotations` to confirm them',
    }),
    listed_annotations: listed.meta({
      description: 'The hints that `tools/list` shows: those you set, and the derived ones',
    }),
    tags: toolTags,
    weight,
    is_enabled,
    is_approved: z.boolean().meta({
      description:
        "With `member_oauth`, `member_jwt` or `token_exchange`: whether someone with the permission `admin` saved or approved where it sends members' tokens, or JWTs about them. In production, calls to a tool that is not approved are refused. Always true with other strategies; for an MCP server's tool, approve the server",
    }),
    has_auth_secret: z.boolean().meta({ description: 'Whether a secret is stored. The secret is never returned' }),
    previous_secret_ends_at: timestamp
      .nullable()
      .meta({ description: 'During a rotation, calls are also signed with the previous secret until this time' }),
    version: z
      .int()
      .meta({ description: 'Number of the newest version; increases each time the definition or secret is saved' }),
    definition_hash: z.string().meta({ description: 'SHA-256 of the definition, without secrets and `is_enabled`' }),
    created_by: z.string().meta({ description: 'Id of the key that registered it, or `root`' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'CustomTool' });

export type CustomTool = z.infer<typeof customTool>;

export const customToolVersion = z
  .strictObject({
    id: z.string(),
    object: z.literal('custom_tool_version'),
    tool_id: z.string().meta({ description: 'Id of the tool' }),
    version: z.int().meta({ description: 'Number of this version, from 1' }),
    definition: customToolDefinition.meta({ description: 'The definition as it was saved' }),
    definition_hash: z
      .string()
      .meta({ description: 'SHA-256 of the definition; two versions with the same hash behave the same' }),
    created_by: z.string().meta({ description: 'Id of the key that saved it, or `root`' }),
    created_at: timestamp,
  })
  .meta({ id: 'CustomToolVersion' });

export type CustomToolVersion = z.infer<typeof customToolVersion>;

export const toolDuplicate = z
  .strictObject({ name: definitionFields.name.meta({ description: 'The name of the copy; unique in the project' }) })
  .meta({ id: 'ToolDuplicate' });

export type ToolDuplicate = z.infer<typeof toolDuplicate>;

export const customToolQuery = pageQuery.extend({
  is_enabled: booleanFilter('Only enabled tools, or only disabled ones'),
  search: text(1, 128).optional().meta({ description: 'Text to find in the name, title or description' }),
  tag: toolTag.optional().meta({ description: 'Only tools that have this tag' }),
});
