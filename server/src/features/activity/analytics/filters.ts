// Applies the filters of the call log. All that are given must match.

import {
  type ToolCallEntry,
  type ToolCallFilters,
  type ToolCallQuery,
  toolCallStreamQuery,
} from '@toolgate/contract/analytics/tool-call.ts';
import { invalidField } from '../../../errors/errors.ts';

const names = toolCallStreamQuery.keyof().options;

export function matches(call: ToolCallEntry, filters: ToolCallFilters): boolean {
  return names.every((name) => filters[name] === undefined || filters[name] === call[name]);
}

export function checkTimes({ from, to }: Pick<ToolCallQuery, 'from' | 'to'>): void {
  if (from === undefined || to === undefined || Date.parse(from) <= Date.parse(to)) return;
  throw invalidField('from', 'must not be after `to`');
}
