// The limits of the project, which tools each applies to, and their numbers in words. A project has at most 50.

import type { LimitSubject } from '@toolgate/contract/limits/rules.ts';
import type { CustomTool, Limit, Toolset } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { readWhole } from '../../ui/lists/whole-list.ts';
import { count } from '../../ui/words.ts';
import { isMember, memberTest } from '../tool-access/membership.ts';

export function useLimitsQuery() {
  return useProjectQuery(['limits', 'all'], (api) => readWhole((page) => api.limits.list(page)));
}

/** As the server decides it. Undefined until the toolset that it names is known. */
export function appliesTo({ match }: Limit, tool: CustomTool, toolsets: Toolset[]): boolean {
  if (match === null) return true;
  if ('tool_ids' in match) return match.tool_ids.includes(tool.id);
  if ('tags' in match) return match.tags.some((tag) => tool.tags.includes(tag));
  const toolset = toolsets.find(({ slug }) => slug === match.toolset);
  return toolset !== undefined && isMember(memberTest(toolset)(tool));
}

export const subjectWords: Record<LimitSubject, string> = {
  project: 'the project',
  api_key: 'each API key',
  integration: 'each integration',
  oauth_client: 'each OAuth client',
  member: 'each member',
};

export const units = [
  { value: '1', label: 'seconds', one: 'second' },
  { value: '60', label: 'minutes', one: 'minute' },
  { value: '3600', label: 'hours', one: 'hour' },
  { value: '86400', label: 'days', one: 'day' },
] as const;

/** The largest unit of which the window is a whole number. */
export const unitOf = (seconds: number) => units.findLast(({ value }) => seconds % Number(value) === 0) ?? units[0];

/** "1 hour", "90 seconds" */
export function windowText(seconds: number): string {
  const { value, one } = unitOf(seconds);
  return count(seconds / Number(value), one);
}

/** "100 in 1 hour, each member" */
export const limitText = ({ limit, window_seconds, per }: Limit) =>
  `${limit.toLocaleString('en')} in ${windowText(window_seconds)}, ${subjectWords[per]}`;
