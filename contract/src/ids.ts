// Every kind of id: a prefix that names the kind, and a random part in base62. The key is the name of the parameter in paths, and of the
// field in other resources. Without zod: the dashboard ships it to browsers.

import { MAX_CERTIFICATES } from './certificates/rules.ts';
import { MAX_FILES } from './files/rules.ts';
import { MAX_HOOKS } from './hooks/rules.ts';
import { MAX_LIMITS } from './limits/rules.ts';
import { MAX_MCP_SERVERS } from './mcp-servers/rules.ts';
import { MAX_TOOLSETS } from './toolsets/rules.ts';

type IdKind = {
  prefix: string;
  /** What has it, for the description of the parameter. */
  of: string;
  /** For examples of the API. */
  example?: string;
  /** How many of it a project may have, so that no key can fill the disk, and where they are. */
  table?: string;
  max?: number;
};

export const idKinds = {
  project_id: { prefix: 'prj', of: 'the project', example: 'prj_4fTq0cDkXv8mWn2ZbR6yLs' },
  api_key_id: {
    prefix: 'key',
    of: 'the API key',
    example: 'key_9dKx2vQmTa7cBz0RfY4wLp',
    table: 'api_keys',
    max: 10_000,
  },
  assertion_key_id: { prefix: 'akey', of: 'the assertion key', table: 'assertion_keys', max: 1_000 },
  integration_id: {
    prefix: 'int',
    of: 'the integration',
    example: 'int_1sWd5aCbMe7nYk0XgP4tRu',
    table: 'integrations',
    max: 1_000,
  },
  member_id: { prefix: 'mem', of: 'the member', example: 'mem_5nXk8bGcRt3uQo7ZjT0wSv' },
  session_id: { prefix: 'ses', of: 'the session' },
  tool_id: { prefix: 'tool', of: 'the tool', example: 'tool_7kPm3zWdHs9vXc1QnT6yRb' },
  toolset_id: {
    prefix: 'tst',
    of: 'the toolset',
    example: 'tst_2mWq7xNdRb4vKc9ZtP0yLs',
    table: 'toolsets',
    max: MAX_TOOLSETS,
  },
  mcp_server_id: {
    prefix: 'mcs',
    of: 'the MCP server',
    example: 'mcs_9wKd3xQnTb6vYc1ZrM4sPf',
    table: 'mcp_servers',
    max: MAX_MCP_SERVERS,
  },
  limit_id: {
    prefix: 'lim',
    of: 'the limit',
    example: 'lim_5tXc8wKdQn2vYb7ZrM0sPf',
    table: 'tool_limits',
    max: MAX_LIMITS,
  },
  approval_id: { prefix: 'apr', of: 'the approval', example: 'apr_3nVx6wQdKb9tYc2ZmR7sLf' },
  task_id: { prefix: 'tsk', of: 'the task', example: 'tsk_6wRb2xNqTd9vYc4ZmP7sLk' },
  file_id: { prefix: 'fil', of: 'the file', example: 'fil_7bQw2nXvKd5mZc9RtY4sLp', table: 'files', max: MAX_FILES },
  hook_id: { prefix: 'hook', of: 'the hook', example: 'hook_3vZm8xKtWq1nRb6YcP0sLd', table: 'hooks', max: MAX_HOOKS },
  certificate_id: {
    prefix: 'crt',
    of: 'the certificate',
    example: 'crt_8mTd4xQnWb2vKc7ZrY1sLf',
    table: 'certificates',
    max: MAX_CERTIFICATES,
  },
  directory_submission_id: { prefix: 'dsub', of: 'the submission' },
  call_id: { prefix: 'call', of: 'the call' },
  webhook_id: { prefix: 'wh', of: 'the webhook', example: 'wh_4cYt9wNbXk1mQv7RzP2sFh' },
  event_id: { prefix: 'evt', of: 'the event' },
  delivery_id: { prefix: 'dlv', of: 'the delivery' },
  log_stream_id: { prefix: 'str', of: 'the log stream', example: 'str_9wTb4xKdMn7vQc2ZrY0sLp' },
  log_stream_test_id: { prefix: 'test', of: 'the test' },
  audit_entry_id: { prefix: 'aud', of: 'the audit entry' },
  oauth_provider_id: {
    prefix: 'oap',
    of: 'the OAuth provider',
    example: 'oap_6tRx1nZcQm4vWk8YbF3sHd',
    table: 'oauth_providers',
    max: 50,
  },
  oauth_client_id: {
    prefix: 'oac',
    of: 'the OAuth client',
    example: 'oac_3pWn8sLcVd5yTk1QmX7zRb',
    table: 'oauth_clients',
    max: 1_000,
  },
  dynamic_client_id: { prefix: 'odc', of: 'the registered client' },
  oauth_request_id: { prefix: 'oar', of: 'the request' },
  grant_id: { prefix: 'oag', of: 'the grant' },
  connection_id: { prefix: 'con', of: 'the connection', example: 'con_8vHn4kSdXw2qBt7MzL5yRc' },
  organization_id: { prefix: 'org', of: 'the organization' },
  account_id: { prefix: 'usr', of: 'the account' },
  account_session_id: { prefix: 'acs', of: 'the session' },
  invitation_id: { prefix: 'inv', of: 'the invitation' },
  sso_test_id: { prefix: 'sst', of: 'the test' },
  signing_key_id: { prefix: 'sig', of: 'the signing key' },
  request_id: { prefix: 'req', of: 'the request', example: 'req_6QpWm0dYx3VhKc9TzB2sLn' },
} as const satisfies Record<string, IdKind>;

export type IdPrefix = (typeof idKinds)[keyof typeof idKinds]['prefix'];

type WithExample = {
  [Name in keyof typeof idKinds]: (typeof idKinds)[Name] extends { example: string } ? Name : never;
};

/** Ids that examples share. */
export const exampleIds = Object.fromEntries(
  Object.entries<IdKind>(idKinds).flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])),
) as { readonly [Name in WithExample[keyof WithExample]]: string };

export const ID_RANDOM_LENGTH = 22;

const RANDOM_PART = new RegExp(`^[0-9A-Za-z]{${ID_RANDOM_LENGTH}}$`);

/** Whether the text has the form of such an id. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && RANDOM_PART.test(text.slice(prefix.length + 1));
}
