// The parameters in the paths of routes. A path cannot name one that is not here.

import { z } from 'zod';
import { limitedText } from './fields.ts';

export const parameters = {
  project_id: { description: 'Id of the project', example: 'prj_4fTq0cDkXv8mWn2ZbR6yLs' },
  api_key_id: { description: 'Id of the key' },
  assertion_key_id: { description: 'Id of the assertion key' },
  integration_id: { description: 'Id of the integration' },
  member_id: { description: 'Id of the member' },
  webhook_id: { description: 'Id of the webhook' },
  delivery_id: { description: 'Id of the delivery' },
  event_id: { description: 'Id of the event' },
  account_id: { description: 'Id of the account' },
  sso_test_id: { description: 'Id of the test' },
  invitation_id: { description: 'Id of the invitation' },
  session_id: { description: 'Id of the session' },
  oauth_provider_id: { description: 'Id of the OAuth provider' },
  oauth_client_id: { description: 'Id of the OAuth client' },
  grant_id: { description: 'Id of the grant' },
  connection_id: { description: 'Id of the connection' },
  tool_id: { description: 'Id or name of the tool' },
  toolset_id: { description: 'Id of the toolset' },
  approval_id: { description: 'Id of the approval' },
  limit_id: { description: 'Id of the limit' },
  hook_id: { description: 'Id of the hook' },
  log_stream_id: { description: 'Id of the log stream' },
  mcp_server_id: { description: 'Id of the MCP server' },
  version: {
    schema: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'must be a number')
      .transform(Number),
    description: 'Number of the version',
    override: { type: 'integer', minimum: 1 },
  },
  call_id: { description: 'Id of the call' },
  request_id: {
    schema: limitedText(64),
    description: '`X-Request-Id` of the response, also `request_id` of an error',
    example: 'req_7hGs2mXcVb9nQw4ZtR1yKd',
  },
} as const satisfies Record<string, Parameter>;

/** Any text, unless it has a schema. */
export type Parameter = z.core.GlobalMeta & { schema?: z.ZodType; description: string };
