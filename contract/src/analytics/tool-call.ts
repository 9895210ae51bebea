// A tool call as the call log shows it, and the filters of the log.

import { z } from 'zod';
import { booleanFilter, pageQuery, text, timestamp, timestampInput } from '../fields.ts';
import { policyEntry } from '../hooks/hook.ts';
import { toolCallOutcomes, transports, vias } from './rules.ts';

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
    .meta({ description: 'Id of the API key; for a member session, of the key that created it' }),
  session_id: z.string().nullable().meta({ description: 'The member session of the caller; null for an API key' }),
  member_id: z.string().nullable().meta({ description: 'The member for whom the tool was called' }),
  integration_id: z.string().nullable().meta({ description: 'The integration of the key or the session' }),
  account_id: z.string().nullable().meta({ description: 'The person who tried the tool in the dashboard' }),
  is_test: z.boolean().meta({ description: 'A person tried the tool; your API got `X-Toolgate-Test: true`' }),
  transport: z.enum(transports).meta({ description: 'Whether the call came over REST or over MCP' }),
  client_name: z.string().nullable().meta({ description: 'What an MCP client calls itself, if the request says it' }),
  protocol_version: z.string().nullable().meta({ description: 'The MCP revision of the request' }),
  via: z
    .enum(vias)
    .nullable()
    .meta({ description: '`search`: a model found the tool with `search_tools` and called it with `call_tool`' }),
  outcome: z.enum(toolCallOutcomes).meta({ description: 'Whether your API returned 2xx' }),
  is_waiting: z.boolean().meta({
    description:
      'The call only asked a person to confirm it, and nothing was sent, or its MCP server asked the user something first. Its code is `CONFIRMATION_REQUIRED` or `INPUT_REQUIRED`, and analytics do not count it as an error',
  }),
  status: z.int().meta({ description: 'The status of the response over REST' }),
  error_code: z.string().nullable().meta({ description: 'The code of the error that the caller got' }),
  upstream_status: z.int().nullable().meta({ description: 'The status of your API, if it responded' }),
  request_bytes: z.int().meta({ description: 'The size of the arguments' }),
  response_bytes: z.int().meta({ description: "The size of your API's response" }),
  result_tokens: z
    .int()
    .nullable()
    .meta({ description: "Your API's response in tokens, estimated as bytes / 4; null if the call failed" }),
  shaped_tokens: z
    .int()
    .nullable()
    .meta({ description: 'The same for what the caller got of it, by `response` of the tool' }),
  policy: z
    .array(policyEntry)
    .meta({ description: 'What the hooks of the project decided, in the order in which they were asked' }),
  duration_ms: z.int().meta({
    description: 'From the start of the call to its response, without the time in which it was held for a person',
  }),
  waiting_ms: z.int().nullable().meta({
    description:
      'How long the person took whose yes the call used, from the question to the answer; null if nobody was asked. Not part of `duration_ms`',
  }),
  stages: z
    .strictObject({
      queue_ms: z.int().meta({ description: 'Waiting for a slot' }),
      connect_ms: z.int().meta({ description: 'Connecting; 0 on an open connection' }),
      upstream_ms: z.int().meta({ description: 'From sending the request to the end of the response' }),
    })
    .nullable()
    .meta({ description: 'Null if no request was sent' }),
  request_id: z.string().meta({ description: 'The request that made the call: X-Request-Id of its response' }),
  created_at: timestamp,
};

export const toolCallEntry = z.strictObject(fields).meta({ id: 'ToolCallEntry' });

export type ToolCallEntry = z.infer<typeof toolCallEntry>;

const payload = z.unknown().optional();

export const toolCallDetails = z
  .strictObject({
    ...fields,
    arguments: payload.meta({
      description: 'For `admin`, if `record_payloads` was on: as JSON, or as text if it was cut at 16 KiB',
    }),
    result: payload.meta({ description: 'The same for the response of your API' }),
    not_recorded_reason: z.literal('daily_limit').optional().meta({
      description:
        'For `admin`: why both are missing although `record_payloads` was on. `daily_limit`: the project had recorded its bytes of the day',
    }),
  })
  .meta({ id: 'ToolCallDetails' });

export type ToolCallDetails = z.infer<typeof toolCallDetails>;

const value = text(1, 128).optional();

/** Each is a field of a shown call. All that are given must match. */
const callFilters = {
  tool_id: value.meta({ description: 'Only calls of this tool' }),
  api_key_id: value.meta({ description: 'Only calls with this key, or with sessions that it created' }),
  member_id: value.meta({ description: 'Only calls of this member' }),
  integration_id: value.meta({ description: 'Only calls of this integration' }),
  outcome: z.enum(toolCallOutcomes).optional().meta({ description: 'Only calls that went so' }),
  error_code: value.meta({ description: 'Only calls that failed with this code', example: 'UPSTREAM_STATUS' }),
  request_id: value.meta({ description: 'Only calls of this request' }),
  via: z.enum(vias).optional().meta({ description: 'Only calls that a model made after a search' }),
  is_test: booleanFilter('Only calls of people who tried a tool, or only others'),
  is_waiting: booleanFilter('Only calls that asked a person to confirm them, or only others'),
};

export const toolCallQuery = pageQuery.extend({
  ...callFilters,
  from: timestampInput.optional().meta({ description: 'Only calls since then, that moment included' }),
  to: timestampInput.optional().meta({ description: 'Only calls before then' }),
});

export type ToolCallQuery = z.infer<typeof toolCallQuery>;

export const toolCallStreamQuery = z.strictObject(callFilters);

export type ToolCallFilters = z.infer<typeof toolCallStreamQuery>;
