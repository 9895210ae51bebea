// The choices and limits of MCP servers. Without zod: the dashboard ships it to browsers.

export const MAX_MCP_SERVERS = 20;
/** Tools of one server that can be approved. */
export const MAX_SERVER_TOOLS = 1_000;

export const MIN_SYNC_MINUTES = 5;
export const MAX_SYNC_MINUTES = 1_440;
export const DEFAULT_SYNC_MINUTES = 15;

export const serverAuthStrategies = [
  'none',
  'bearer_token',
  'api_key_header',
  'oauth2_client_credentials',
  'member_oauth',
  'member_jwt',
  'token_exchange',
] as const;

export type ServerAuthStrategy = (typeof serverAuthStrategies)[number];

/** Whether new tools wait for a person, or those that say that they change nothing do not. */
export const reviewModes = ['manual', 'read_only_auto'] as const;

export const serverStatuses = ['ok', 'unreachable', 'unauthorized'] as const;

export const pendingKinds = ['new', 'changed'] as const;

export const approvedStates = ['ok', 'changed', 'removed'] as const;

/** What may be wrong with a definition. With the last three it cannot be approved. */
export const warningCodes = [
  'invisible_characters',
  'look_alike_letters',
  'names_other_tool',
  'addresses_model',
  'base64',
  'long_description',
  'contradicting_hints',
  'view_not_supported',
  'schema_not_supported',
  'definition_not_supported',
  'storage_full',
] as const;

/** Why the view of a tool is not used. */
export const viewProblems = [
  'not_readable',
  'not_html',
  'too_large',
  'origin_not_allowed',
  'too_many',
  'storage_full',
] as const;

export type ViewProblem = (typeof viewProblems)[number];

/** It would be the host of project views in `ui://`. */
export const RESERVED_SLUG = 'toolgate';

export type WarningCode = (typeof warningCodes)[number];

export const blocksApproval = (code: WarningCode) =>
  code === 'schema_not_supported' || code === 'definition_not_supported' || code === 'storage_full';
