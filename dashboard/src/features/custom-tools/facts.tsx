// What is known about tools beside their record: how they do, and the parts of a row that the list and the page share.

import { Link } from '@tanstack/react-router';
import type { AnalyticsReport, CustomTool } from '@toolgate/sdk';
import { useMemo } from 'react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { linkClass } from '../../ui/button.tsx';
import { Switch } from '../../ui/forms/field.tsx';
import { useProjectChange } from '../../ui/project-change.ts';

const DAY_MS = 86_400_000;
const DAYS = 7;

/** Above the title of what is in the list. */
export function ToolsLink() {
  return (
    <Link to="/projects/$projectId/custom-tools" params={{ projectId: useProjectId() }} className={linkClass}>
      Custom tools
    </Link>
  );
}

export type ToolUsage = { calls: number; errors: number; p95: { ms: number; day: string } | null };

/** Calls and errors of 7 days, and the p95 of the latest day with calls: quantiles of several days cannot be added. */
export function useToolUsage(): (id: string) => ToolUsage | undefined {
  const report = useProjectQuery(['analytics', 'tools'], (api) =>
    api.analytics.get({ from: dayFrom(DAYS - 1), to: dayFrom(-1), interval: 'day', group_by: 'tool' }),
  ).data;
  // Once for all rows: the list may be long, and is sorted by it.
  const found = useMemo(() => report && byTool(report.data), [report]);
  return (id) => found && (found.get(id) ?? none());
}

const none = (): ToolUsage => ({ calls: 0, errors: 0, p95: null });

function byTool(report: AnalyticsReport['data']): Map<string | null, ToolUsage> {
  const found = new Map<string | null, ToolUsage>();
  for (const { start, group, calls, errors, p95_ms } of report) {
    const usage = found.get(group) ?? none();
    found.set(group, usage);
    usage.calls += calls;
    usage.errors += errors;
    if (p95_ms !== null) usage.p95 = { ms: p95_ms, day: start.slice(0, 10) };
  }
  return found;
}

function dayFrom(daysAgo: number): string {
  return `${new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`;
}

/** Null: a tool of an MCP server, which has the URL. */
export const hostOf = (baseUrl: string | null) => baseUrl?.replace(/^https:\/\//, '') ?? 'MCP server';

const methodTones: Record<string, Tone> = {
  GET: 'success',
  POST: 'accent',
  PUT: 'warning',
  PATCH: 'warning',
  DELETE: 'danger',
};

/** Null: a tool of an MCP server. */
export function MethodBadge({ method }: { method: string | null }) {
  return (
    <Badge tone={methodTones[method ?? ''] ?? 'neutral'} className="font-mono text-2xs">
      {method ?? 'MCP'}
    </Badge>
  );
}

/** Shows the new state at once, and the old one again if the API refuses. */
export function EnabledSwitch({ tool: { id, name, is_enabled } }: { tool: CustomTool }) {
  const reason = useAccess().reason('write');
  const { mutate, variables, isPending } = useProjectChange<boolean>({
    change: (toolgate, enable) => (enable ? toolgate.customTools.enable(id) : toolgate.customTools.disable(id)),
    invalidates: ['custom-tools'],
    done: (_, enable) => `“${name}” is ${enable ? 'enabled' : 'disabled'}`,
    undo: (_, enable) => mutate(!enable),
  });
  return (
    <Switch
      aria-label="Enabled"
      className="align-middle"
      title={reason}
      disabled={reason !== undefined}
      checked={isPending ? variables : is_enabled}
      onChange={(event) => mutate(event.target.checked)}
    />
  );
}
