// The events of tool calls.

import { z } from 'zod';
import type { EventKind } from '../events/event-kind.ts';
import { exampleIds } from '../ids.ts';
import { defineResource } from '../resource.ts';

const toolCall = z
  .strictObject({
    id: z.string(),
    tool_id: z.string().meta({ description: 'Id of the tool' }),
    tool_name: z.string().meta({ description: "The tool's name at the time of the call" }),
    status: z.int().nullable().meta({ description: 'HTTP status that your API returned; null if it did not respond' }),
    error_code: z
      .string()
      .nullable()
      .meta({ description: 'The error code that the caller received; null if the call succeeded' }),
    duration_ms: z.int().meta({ description: 'How long the call took, in milliseconds' }),
    api_key_id: z
      .string()
      .nullable()
      .meta({ description: "Id of the API key that made the call or created the member's session" }),
    integration_id: z
      .string()
      .nullable()
      .meta({ description: "Id of the key's or session's integration; null if it has none" }),
    member_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the member the call was made for; null for an API key' }),
    is_test: z.boolean().meta({ description: 'Whether a person tried the tool in the dashboard' }),
  })
  .meta({ id: 'ToolCallSummary' });

const example = {
  id: 'call_0zQy6cXnKb5rWv3TdM8pJs',
  tool_id: exampleIds.tool_id,
  tool_name: 'find_order',
  status: 200,
  error_code: null,
  duration_ms: 143,
  api_key_id: exampleIds.api_key_id,
  integration_id: null,
  member_id: null,
  is_test: false,
};

export const toolCallEvents = {
  'tool_call.succeeded': {
    description: 'A tool call succeeded: your API returned 2xx',
    data: toolCall,
    example,
    readable_with: 'read',
  },
  'tool_call.failed': {
    description: 'A tool call failed',
    data: toolCall,
    example: { ...example, status: 503, error_code: 'UPSTREAM_STATUS' },
    readable_with: 'read',
  },
} satisfies Record<string, EventKind>;

export const toolCalls = defineResource({ events: toolCallEvents });
