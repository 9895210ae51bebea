// The choices and limits of a custom tool. Without zod: the dashboard ships it to browsers.

export const authStrategies = [
  'none',
  'bearer_token',
  'api_key_header',
  'api_key_query',
  'basic',
  'hmac_signature',
  'oauth2_client_credentials',
  'member_oauth',
  'member_jwt',
  'token_exchange',
] as const;

export type AuthStrategy = (typeof authStrategies)[number];

/** They send a token of, or about, the member: in production only admins decide where. */
export const strategiesOfMembers: readonly AuthStrategy[] = ['member_oauth', 'member_jwt', 'token_exchange'];

/** Those for which the tool itself has no secret. */
export const strategiesWithoutSecret: readonly AuthStrategy[] = ['none', 'member_oauth', 'member_jwt'];

/** The query parameter of api_key_query, unless the tool names another. */
export const DEFAULT_KEY_PARAMETER = 'api_key';

export const toolMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const contextPlaces = ['arguments', 'headers'] as const;

export const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

export const isToolName = (name: string) => TOOL_NAME.test(name);

export const TOOL_NAME_RULE = 'must be 1 to 64 letters, digits, _ or -';

export const MIN_TIMEOUT_MS = 1_000;
export const MAX_TIMEOUT_MS = 55_000;
export const DEFAULT_TIMEOUT_MS = 30_000;

export const MAX_FIXED_ARGUMENTS = 20;

export const importConflictRules = ['fail', 'skip', 'update'] as const;

export const dropReasons = ['link', 'avatar', 'null', 'audit'] as const;

export const bulkActions = ['enable', 'disable', 'confirm_hints', 'delete'] as const;

export const bodyEncodings = ['utf8', 'base64'] as const;

/** What an MCP server decides of its tools: it is approved, and cannot be changed here. */
export const setByServer = [
  'source',
  'base_url',
  'endpoint_path',
  'method',
  'body_format',
  'body_encoding',
  'body_argument',
  'body_content_type',
  'timeout_ms',
  'headers',
  'certificate_id',
  'context_in',
  'input_schema',
  'output_schema',
  'auth_strategy',
  'auth_config',
  'encrypted_auth_secret',
  'polling',
] as const;

/** Who may call a tool (MCP Apps): a model, or a view that a host shows. */
export const visibilities = ['model', 'app'] as const;

export type Visibility = (typeof visibilities)[number];
