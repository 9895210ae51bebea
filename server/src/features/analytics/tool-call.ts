// A tool call as the call log shows it.

import { z } from 'zod';
import { timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';

const fields = {
  id: z.string().meta({ example: 'call_4fTq0cDkXv8mWn2ZbR6yLs' }),
  object: z.literal('tool_call'),
  project_id: z.string(),
  tool_id: z.string().meta({ description: 'The tool that was called' }),
  tool_name: z.string().meta({ description: 'Its name when it was called' }),
  tool_version: z.int().meta({ description: 'The version of its definition that was called' }),
  api_key_id: z
    .string()
    .nullable()
    .meta({ description: 'Of a call with a member session: the key that created the session' }),
  session_id: z.string().nullable().meta({ description: 'The member session of the caller; null for an API key' }),
  member_id: z.string().nullable().meta({ description: 'The member for whom the tool was called' }),
  integration_id: z.string().nullable().meta({ description: 'The integration of the key or the session' }),
  account_id: z.string().nullable().meta({ description: 'The person who tried the tool in the dashboard' }),
  is_test: z.boolean().meta({ description: 'A person tried the tool; your API got `X-Toolgate-Test: true`' }),
  door: z.enum(['rest', 'mcp']).meta({ description: 'Whether the call came over REST or over MCP' }),
  client_name: z.string().nullable().meta({ description: 'What an MCP client calls itself, if the request says it' }),
  protocol_version: z.string().nullable().meta({ description: 'The MCP revision of the request' }),
  outcome: z.enum(['succeeded', 'failed']).meta({ description: 'Whether your API answered 2xx' }),
  status: z.int().meta({ description: 'What REST answers' }),
  error_code: z.string().nullable().meta({ description: 'The code of the error that the caller got' }),
  upstream_status: z.int().nullable().meta({ description: 'The status of your API, if it answered' }),
  request_bytes: z.int().meta({ description: 'The size of the arguments' }),
  response_bytes: z.int().meta({ description: "The size of your API's answer" }),
  duration_ms: z.int().meta({ description: 'From the start of the call to its answer' }),
  stages: z
    .strictObject({
      queue_ms: z.int().meta({ description: 'Waiting for a slot' }),
      connect_ms: z.int().meta({ description: 'Connecting; 0 on an open connection' }),
      upstream_ms: z.int().meta({ description: 'From sending the request to the end of the answer' }),
    })
    .nullable()
    .meta({ description: 'Null if no request was sent' }),
  request_id: z.string().meta({ description: 'The request that made the call: X-Request-Id of its answer' }),
  created_at: timestamp,
};

export const toolCallSchema = z.strictObject(fields).meta({ id: 'ToolCallEntry' });

export type ToolCall = z.infer<typeof toolCallSchema>;

const payload = z.unknown().optional();

export const toolCallWithPayloadSchema = z
  .strictObject({
    ...fields,
    arguments: payload.meta({
      description: 'For `admin`, if `record_payloads` was on: as JSON, or as text if it was cut at 16 KiB',
    }),
    result: payload.meta({ description: 'The same for the answer of your API' }),
  })
  .meta({ id: 'ToolCallDetails' });

export type ToolCallWithPayload = z.infer<typeof toolCallWithPayloadSchema>;

/** The columns of a shown call. */
export const callColumns = [
  'id',
  'project_id',
  'tool_id',
  'tool_name',
  'tool_version',
  'api_key_id',
  'session_id',
  'member_id',
  'integration_id',
  'account_id',
  'door',
  'client_name',
  'protocol_version',
  'status',
  'error_code',
  'upstream_status',
  'request_bytes',
  'response_bytes',
  'duration_ms',
  'queue_ms',
  'connect_ms',
  'upstream_ms',
  'request_id',
  'created_at',
] as const satisfies (keyof Row<'tool_calls'>)[];

export type CallRow = Pick<Row<'tool_calls'>, (typeof callColumns)[number]>;

export function showCall({ id, queue_ms, connect_ms, upstream_ms, ...row }: CallRow): ToolCall {
  const isSent = queue_ms !== null && connect_ms !== null && upstream_ms !== null;
  return {
    id,
    object: 'tool_call',
    ...row,
    is_test: row.account_id !== null,
    outcome: row.error_code === null ? 'succeeded' : 'failed',
    stages: isSent ? { queue_ms, connect_ms, upstream_ms } : null,
  };
}
