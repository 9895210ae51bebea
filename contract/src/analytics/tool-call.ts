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
  tool_name: z.string().meta({ description: "The tool's name at the time of the call" }),
  tool_version: z.int().meta({ description: "The version of the tool's definition" }),
  api_key_id: z
    .string()
    .nullable()
    .meta({ description: 'Id of the API key; for a member session, of the key that created it' }),
  session_id: z.string().nullable().meta({ description: "The caller's member session; null for an API key" }),
  member_id: z.string().nullable().meta({ description: 'The member the tool was called for' }),
  integration_id: z.string().nullable().meta({ description: 'The integration of the key or session' }),
  account_id: z.string().nullable().meta({ description: 'The person who tried the tool in the dashboard' }),
  is_test: z
    .boolean()
    .meta({ description: 'Whether a person tried the tool; your API received `X-Toolgate-Test: true`' }),
  transport: z.enum(transports).meta({ description: 'Whether the call came over REST or MCP' }),
  client_name: z.string().nullable().meta({ description: 'The name that the MCP client sent, if it sent one' }),
  protocol_version: z.string().nullable().meta({ description: 'The MCP revision of the request' }),
  via: z
    .enum(vias)
    .nullable()
    .meta({ description: '`search`: a model found the tool with `search_tools` and called it with `call_tool`' }),
  outcome: z.enum(toolCallOutcomes).meta({ description: 'Whether your API returned 2xx' }),
  is_waiting: z.boolean().meta({
    description:
      'Whether the call only asked a person for approval, so that nothing was sent, or its MCP server asked the user a question first. Its code is `CONFIRMATION_REQUIRED` or `INPUT_REQUIRED`, and analytics do not count it as an error',
  }),
  status: z.int().meta({ description: 'The HTTP status of the response over REST' }),
  error_code: z.string().nullable().meta({ description: 'The error code that the caller received' }),
  upstream_status: z.int().nullable().meta({ description: 'The status your API returned, if it responded' }),
  request_bytes: z.int().meta({ description: 'The size of the arguments' }),
  response_bytes: z.int().meta({ description: "The size of your API's response" }),
  result_tokens: z
    .int()
    .nullable()
    .meta({ description: "Your API's response in tokens, estimated as bytes / 4; null if the call failed" }),
  shaped_tokens: z
    .int()
    .nullable()
    .meta({ description: "Tokens that the caller received after the tool's `response` rule was applied" }),
  policy: z.array(policyEntry).meta({ description: "What the project's hooks decided, in the order they were called" }),
  duration_ms: z.int().meta({
    description: 'From the start of the call to its response, not counting the time it waited for a person',
  }),
  waiting_ms: z.int().nullable().meta({
    description:
      'How long the approver took, from the question to the approval; null if nobody was asked. Not part of `duration_ms`',
  }),
  stages: z
    .strictObject({
      queue_ms: z.int().meta({ description: 'Waiting for a slot' }),
      connect_ms: z.int().meta({ description: 'Connecting; 0 on an open connection' }),
      upstream_ms: z.int().meta({ description: 'From sending the request to the end of the response' }),
    })
    .nullable()
    .meta({ description: 'Null if no request was sent' }),
  poll_count: z.int().nullable().meta({
    description: 'How often your API was asked about the job, if the call went on as a task; null if it did not',
  }),
  task_ms: z.int().nullable().meta({
    description: 'From the start of the call to the end of its task; `duration_ms` is then that of the first request',
  }),
  request_id: z.string().meta({ description: 'The request that made the call: the X-Request-Id of its response' }),
  created_at: timestamp,
};

export const toolCallEntry = z.strictObject(fields).meta({ id: 'ToolCallEntry' });

export type ToolCallEntry = z.infer<typeof toolCallEntry>;

const payload = z.unknown().optional();

export const toolCallDetails = z
  .strictObject({
    ...fields,
    arguments: payload.meta({
      description: 'Only for `admin`, if `record_payloads` was on: JSON, or text if it was cut at 16 KiB',
    }),
    result: payload.meta({ description: "The same for your API's response" }),
    not_recorded_reason: z.literal('daily_limit').optional().meta({
      description:
        'Only for `admin`: why both are missing although `record_payloads` was on. `daily_limit`: the project had used up its daily limit',
    }),
  })
  .meta({ id: 'ToolCallDetails' });

export type ToolCallDetails = z.infer<typeof toolCallDetails>;

const value = text(1, 128).optional();

/** Each is a field of a shown call. All that are given must match. */
const callFilters = {
  tool_id: value.meta({ description: 'Only calls of this tool' }),
  api_key_id: value.meta({ description: 'Only calls made with this key or with sessions it created' }),
  member_id: value.meta({ description: 'Only calls of this member' }),
  integration_id: value.meta({ description: 'Only calls of this integration' }),
  outcome: z.enum(toolCallOutcomes).optional().meta({ description: 'Only calls with this outcome' }),
  error_code: value.meta({ description: 'Only calls that failed with this code', example: 'UPSTREAM_STATUS' }),
  request_id: value.meta({ description: 'Only calls of this request' }),
  via: z.enum(vias).optional().meta({ description: 'Only calls that a model made after a search' }),
  is_test: booleanFilter('Only calls by people who tried a tool, or only others'),
  is_waiting: booleanFilter('Only calls that asked a person for approval, or only others'),
};

export const toolCallQuery = pageQuery.extend({
  ...callFilters,
  from: timestampInput.optional().meta({ description: 'Only calls at or after this time' }),
  to: timestampInput.optional().meta({ description: 'Only calls before this time' }),
});

export type ToolCallQuery = z.infer<typeof toolCallQuery>;

export const toolCallStreamQuery = z.strictObject(callFilters);

export type ToolCallFilters = z.infer<typeof toolCallStreamQuery>;
