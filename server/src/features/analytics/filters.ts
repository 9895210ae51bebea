// The filters of the call log. All that are given must match.

import { z } from 'zod';
import { booleanFilter, text, timestampInput } from '../../api/fields.ts';
import { invalidField } from '../../errors.ts';
import type { ToolCall } from './tool-call.ts';

const value = text(1, 128).optional();

/** Each is a field of a shown call. */
export const callFilters = {
  tool_id: value.meta({ description: 'Only calls of this tool' }),
  api_key_id: value.meta({ description: 'Only calls with this key, or with sessions that it created' }),
  member_id: value.meta({ description: 'Only calls of this member' }),
  integration_id: value.meta({ description: 'Only calls of this integration' }),
  outcome: z.enum(['succeeded', 'failed']).optional().meta({ description: 'Only calls that went so' }),
  error_code: value.meta({ description: 'Only calls that failed with this code', example: 'UPSTREAM_STATUS' }),
  request_id: value.meta({ description: 'Only calls of this request' }),
  is_test: booleanFilter('Only calls of people who tried a tool, or only others'),
};

export const timeFilters = {
  from: timestampInput.optional().meta({ description: 'Only calls since then, that moment included' }),
  to: timestampInput.optional().meta({ description: 'Only calls before then' }),
};

type Given<T extends Record<string, z.ZodType>> = { [K in keyof T]?: z.infer<T[K]> | undefined };
export type CallFilters = Given<typeof callFilters>;
export type TimeFilters = Given<typeof timeFilters>;

const names = Object.keys(callFilters) as (keyof typeof callFilters)[];

export function matches(call: ToolCall, filters: CallFilters): boolean {
  return names.every((name) => filters[name] === undefined || filters[name] === call[name]);
}

export function checkTimes({ from, to }: TimeFilters): void {
  if (from === undefined || to === undefined || Date.parse(from) <= Date.parse(to)) return;
  throw invalidField('from', 'must not be after `to`');
}
