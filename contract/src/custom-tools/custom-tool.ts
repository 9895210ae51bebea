// A custom tool and its versions, and what is sent to create and change one. Its secret is never returned.

import { z } from 'zod';
import { toolConfirm } from '../approvals/confirm.ts';
import { booleanFilter, limitedText, pageQuery, text, timestamp } from '../fields.ts';
import { weight } from '../limits/limit.ts';
import { toolTag, toolTags } from '../toolsets/fields.ts';
import { MAX_JWE_LENGTH } from './encryption-key.ts';
import { hintNames } from './hints.ts';
import { MAX_TEMPLATE } from './path-template.ts';
import {
  authStrategies,
  contextPlaces,
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
    .meta({ description: 'The name that a model calls it by; unique in the project', example: 'find_order' }),
  title: text(1, 128).nullable().meta({ description: 'A name for people' }),
  description: text(0, 8192).nullable().meta({ description: 'What a model reads to decide when to call it' }),
  base_url: text(0, 512).meta({
    description: 'HTTPS origin, without a path. Plain HTTP only where the operator allows it',
    example: 'https://api.example.com',
  }),
  endpoint_path: limitedText(MAX_TEMPLATE, `must have at most ${MAX_TEMPLATE} characters`).meta({
    description: 'Begins with `/`; `{{name}}` takes the argument of that name, `{{member_id}}` the member',
    example: '/v1/orders/{{order_id}}',
  }),
  method: z.enum(toolMethods).meta({
    description: 'GET and DELETE send the arguments in the query, the others as a JSON body',
  }),
  timeout_ms: z
    .int()
    .min(MIN_TIMEOUT_MS)
    .max(MAX_TIMEOUT_MS)
    .meta({ description: 'How long the whole call may take, in milliseconds' }),
  headers: z.record(z.string(), z.string()).meta({
    description:
      'Request headers, sent with every call. A value may take arguments: `{{name}}`. Without the argument the header is left out. Cookies must be arguments: `a={{a}}; b={{b}}`',
    example: { 'X-Tenant': 'acme', 'X-Locale': '{{locale}}' },
  }),
  context_in: z.enum(contextPlaces).meta({
    description:
      'Where `project_id`, `integration_id` and `member_id` go: among the arguments, or in X-Toolgate-*-Id headers',
  }),
  require_member: z.boolean().meta({ description: 'Only a member session may call it' }),
  input_schema: schemaField('JSON Schema 2020-12 of the arguments; `type` must be `object`'),
  output_schema: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'JSON Schema 2020-12 of the response; null: any response is passed on' }),
  annotations: z
    .strictObject({
      title: text(1, 128).optional().meta({ description: 'A name for people' }),
      readOnlyHint: z.boolean().optional().meta({ description: 'The tool changes nothing' }),
      destructiveHint: z.boolean().optional().meta({ description: 'The tool may delete or overwrite something' }),
      idempotentHint: z
        .boolean()
        .optional()
        .meta({ description: 'A second call with the same arguments changes nothing more' }),
      openWorldHint: z.boolean().optional().meta({ description: 'The tool reaches beyond your own API' }),
    })
    .nullable()
    .meta({
      description:
        'Hints for MCP clients that the project sets. Those that it does not set are derived from the method: see `derived_annotations`',
    }),
  fixed_arguments: z.record(z.string(), z.unknown()).meta({
    description: `Arguments that every call has: at most ${MAX_FIXED_ARGUMENTS}. Models do not see them in the schema, and a call that gives one is refused. They must be valid for \`input_schema\`, and are used in the path, query, headers and body like other arguments`,
    example: { locale: 'en' },
  }),
  response: toolResponse.nullable().meta({
    description:
      'What is left of the response of the API, in both protocols and in recorded payloads; null: all of it. `tools/list` shows `output_schema` as it is after this',
  }),
  confirm: toolConfirm.nullable().meta({
    description:
      'Whether a person has to confirm each call before it is sent; null: nobody, unless the setting `confirm_destructive` of the project is on',
  }),
  auth_strategy: z.enum(authStrategies).meta({ description: "How calls authenticate to the customer's API" }),
  auth_config: z
    .strictObject({
      header_name: text(1, 128).optional().meta({ description: 'api_key_header: X-API-Key by default' }),
      token_url: text(1, 2048).optional().meta({
        description: 'oauth2_client_credentials, token_exchange: where access tokens are fetched from, HTTPS',
      }),
      client_id: text(1, 1024)
        .optional()
        .meta({ description: 'oauth2_client_credentials, token_exchange: id of the client whose secret is stored' }),
      scope: text(1, 1024).optional().meta({
        description: 'oauth2_client_credentials, token_exchange: scopes to ask for, with one space between them',
      }),
      audience: text(1, 1024)
        .optional()
        .meta({ description: 'member_jwt: `aud` of the JWT. token_exchange: the audience that is asked for' }),
      oauth_provider_id: text(1, 64)
        .optional()
        .meta({ description: 'member_oauth: whose token is sent. May be left out if the project has one provider' }),
    })
    .meta({ description: 'What the strategy needs in addition to its secret' }),
};

const source = toolSource.nullable().meta({
  description:
    'The MCP server that it comes from, in place of `base_url`, `endpoint_path` and `method`, which are null then; null: it is an endpoint of your API',
});

/** What a definition has that does not say otherwise. Every field that comes later needs a default: stored definitions lack it. */
export const definitionDefaults = {
  title: null,
  description: null,
  method: 'POST',
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
  auth_strategy: 'none',
  auth_config: {},
  source: null,
} satisfies Partial<CustomToolDefinition>;

/** As it is stored: the address of a tool of an MCP server is that of the server. */
const storedDefinition = z.strictObject({ ...definitionFields, source });

export const definitionNames = storedDefinition.keyof().options;

export type CustomToolDefinition = z.infer<typeof storedDefinition>;

const orNull = <T extends z.ZodType>(field: T) =>
  field.nullable().meta({ description: `${field.description}; null for a tool of an MCP server` });

const shownFields = {
  ...definitionFields,
  base_url: orNull(definitionFields.base_url),
  endpoint_path: orNull(definitionFields.endpoint_path),
  method: orNull(definitionFields.method),
  source,
};

const customToolDefinition = z.strictObject(shownFields).meta({ id: 'CustomToolDefinition' });

export type ShownDefinition = z.infer<typeof customToolDefinition>;

const is_enabled = z.boolean().meta({ description: 'A tool that is not enabled cannot be called' });
const is_approved = z.boolean().meta({
  description:
    'Set by callers with `admin` only: whether calls may send tokens of members, or JWTs about them, in production. A caller with `admin` who changes where they go approves that; such a change by another caller sets it to false',
});
const encrypted_auth_secret = text(0, MAX_JWE_LENGTH).nullable().meta({
  description:
    'A JWE (ECDH-ES, A256GCM) sealed to the key at /encryption-key, or the plain secret. Never returned. `basic` takes `user:password`',
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
    source: z.null().meta({ description: 'As in the definition of an older version, so that it can be saved again' }),
  })
  .partial()
  .meta({ id: 'CustomToolChange' });

export type CustomToolRequest = z.infer<typeof customToolRequest>;
export type CustomToolChange = z.infer<typeof customToolChange>;

const hint = (description: string) => z.boolean().meta({ description });
const listed = z.strictObject({
  title: z.string().meta({ description: 'The title that is set, else words made of the name' }),
  readOnlyHint: hint('The tool changes nothing'),
  destructiveHint: hint('The tool may delete or overwrite something'),
  idempotentHint: hint('A second call with the same arguments changes nothing more'),
  openWorldHint: hint('The tool reaches beyond your own API'),
});

export const customTool = z
  .strictObject({
    id: z.string(),
    object: z.literal('custom_tool'),
    project_id: z.string(),
    ...shownFields,
    derived_annotations: z.array(z.enum(hintNames)).meta({
      description: 'Hints that nobody set, so that they are derived. Setting them in `annotations` confirms them',
    }),
    listed_annotations: listed.meta({ description: 'What `tools/list` shows: the set hints and the derived ones' }),
    tags: toolTags,
    weight,
    is_enabled,
    is_approved: z.boolean().meta({
      description:
        'With `member_oauth`, `member_jwt` or `token_exchange`: whether somebody with the permission `admin` saved or approved where it sends tokens of members, or JWTs about them. In production calls of a tool that is not approved are refused. True with another strategy; of a tool of an MCP server the server is approved',
    }),
    has_auth_secret: z.boolean().meta({ description: 'Whether a secret is stored; it is never returned' }),
    previous_secret_ends_at: timestamp
      .nullable()
      .meta({ description: 'While a secret is rotated: until then calls are signed with the previous secret, too' }),
    version: z
      .int()
      .meta({ description: 'Number of the newest version; one more with each save of the definition or secret' }),
    definition_hash: z.string().meta({ description: 'SHA-256 of the definition, without secrets and is_enabled' }),
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
  search: text(1, 128).optional().meta({ description: 'Text in the name, title or description' }),
  tag: toolTag.optional().meta({ description: 'Only tools that have this tag' }),
});
