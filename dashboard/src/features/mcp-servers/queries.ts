// Reads the MCP servers of a project and their tools, and says in words how they are.

import type { ApprovedTool, McpServer } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import type { Tone } from '../../ui/badge.tsx';
import { useFilters } from '../../ui/search.ts';
import { count } from '../../ui/words.ts';
import { TOOLSET_RESOURCES } from '../tool-access/toolsets.ts';

/** The job that reads their lists changes them by itself. */
const REFRESH_MS = 15_000;
/** A definition may be long. */
const REVIEW_PAGE = 20;

/** What is read again when tools of a server were approved, or deleted with it. */
export const TOOL_RESOURCES = ['mcp-servers', 'custom-tools', ...TOOLSET_RESOURCES];

export const useServersQuery = () =>
  useProjectQuery(['mcp-servers', 'list'], (api) => api.mcpServers.list({ limit: 100 }), {
    refetchInterval: REFRESH_MS,
  });

export const useServerQuery = (id: string) =>
  useProjectQuery(['mcp-servers', 'one', id], (api) => api.mcpServers.get(id), { refetchInterval: REFRESH_MS });

/** Read again when a sync found something. */
export function usePendingQuery({ id, pending_count, last_synced_at }: McpServer) {
  const { cursor } = useFilters().values;
  return useProjectQuery(['mcp-servers', 'pending', id, cursor, pending_count, last_synced_at], (api) =>
    api.mcpServers.pending.list(id, { limit: REVIEW_PAGE, cursor }),
  );
}

export function useApprovedQuery({ id, last_synced_at, tool_count }: McpServer) {
  const { cursor } = useFilters().values;
  return useProjectQuery(['mcp-servers', 'tools', id, cursor, last_synced_at, tool_count], (api) =>
    api.mcpServers.tools.list(id, { limit: 100, cursor }),
  );
}

type Words = { text: string; tone: Tone };

const statuses: Record<NonNullable<McpServer['status']>, Words> = {
  ok: { text: 'ok', tone: 'success' },
  unreachable: { text: 'unreachable', tone: 'danger' },
  unauthorized: { text: 'unauthorized', tone: 'danger' },
};

export const statusWords = ({ status }: McpServer): Words =>
  status === null ? { text: 'not synced yet', tone: 'neutral' } : statuses[status];

export const approvedWords: Record<ApprovedTool['state'], Words> = {
  ok: { text: 'as approved', tone: 'success' },
  changed: { text: 'changed', tone: 'warning' },
  removed: { text: 'removed', tone: 'danger' },
};

export const reviewWords: Record<McpServer['review'], string> = {
  manual: 'Every tool',
  read_only_auto: 'All but new read-only tools',
};

/** "3 pending" */
export const pendingText = (number: number) => `${number.toLocaleString('en')} pending`;

/** "every 15 minutes", "every day" */
export function everyText(minutes: number): string {
  if (minutes % 1_440 === 0) return 'every day';
  return minutes % 60 === 0 ? `every ${count(minutes / 60, 'hour')}` : `every ${count(minutes, 'minute')}`;
}
