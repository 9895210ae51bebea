// The pages of the menu: their names, paths, icons and shortcut letters. The nav, the palette and the shortcuts read it.

import type { useNavigate } from '@tanstack/react-router';
import type { IdPrefix } from '@toolgate/contract/ids.ts';
import {
  Activity,
  Blocks,
  ChartColumn,
  CircleCheckBig,
  FileBadge,
  FileClock,
  Gauge,
  Group,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Rocket,
  ScrollText,
  Settings,
  ShieldCheck,
  Unplug,
  UserKey,
  Users,
  Webhook,
  Wrench,
} from 'lucide-react';
import type { Permission } from '../api/session.ts';

export type ProjectPage = { label: string; to: string; icon: LucideIcon; key: string; group: string };

export const projectPages = [
  { label: 'Overview', to: '/projects/$projectId', icon: LayoutDashboard, key: 'o', group: '' },
  { label: 'API keys', to: '/projects/$projectId/api-keys', icon: KeyRound, key: 'k', group: 'Access' },
  { label: 'Integrations', to: '/projects/$projectId/integrations', icon: Blocks, key: 'i', group: 'Access' },
  { label: 'OAuth', to: '/projects/$projectId/oauth', icon: UserKey, key: 'u', group: 'Access' },
  { label: 'Assertion keys', to: '/projects/$projectId/assertion-keys', icon: ShieldCheck, key: 's', group: 'Access' },
  { label: 'Members', to: '/projects/$projectId/members', icon: Users, key: 'm', group: 'Access' },
  { label: 'Limits', to: '/projects/$projectId/limits', icon: Gauge, key: 'r', group: 'Access' },
  { label: 'Custom tools', to: '/projects/$projectId/custom-tools', icon: Wrench, key: 't', group: 'Build' },
  { label: 'Toolsets', to: '/projects/$projectId/toolsets', icon: Group, key: 'b', group: 'Build' },
  { label: 'MCP servers', to: '/projects/$projectId/mcp-servers', icon: Unplug, key: 'n', group: 'Build' },
  { label: 'Certificates', to: '/projects/$projectId/certificates', icon: FileBadge, key: 'f', group: 'Build' },
  { label: 'Publish', to: '/projects/$projectId/publish', icon: Rocket, key: 'x', group: 'Build' },
  { label: 'Webhooks', to: '/projects/$projectId/webhooks', icon: Webhook, key: 'w', group: 'Build' },
  { label: 'Analytics', to: '/projects/$projectId/analytics', icon: ChartColumn, key: 'a', group: 'Observe' },
  { label: 'Logs', to: '/projects/$projectId/logs', icon: Activity, key: 'l', group: 'Observe' },
  { label: 'Approvals', to: '/projects/$projectId/approvals', icon: CircleCheckBig, key: 'v', group: 'Observe' },
  { label: 'Settings', to: '/projects/$projectId/settings', icon: Settings, key: 'e', group: 'Manage' },
  { label: 'Audit log', to: '/projects/$projectId/audit-log', icon: FileClock, key: 'd', group: 'Manage' },
] as const satisfies ProjectPage[];

export const otherPages = [
  { label: 'Projects', to: '/', icon: LayoutDashboard, key: 'p' },
  { label: 'People', to: '/people', icon: Users, key: 'h' },
  { label: 'Your account', to: '/account', icon: ScrollText, key: 'y' },
] as const;

/** After "g". */
export const jumps = [
  ...projectPages.map(({ key, label, to }) => ({ key, label, to, isProjectPage: true as const })),
  ...otherPages.map(({ key, label, to }) => ({ key, label, to, isProjectPage: false as const })),
];

/** `dialog`: on the page; undefined if the page itself is for it. */
type CreateAction = { label: string; to: string; dialog: string | undefined; needs: Permission };

/** What the palette can open besides pages. `needs`: as at the button of the page. */
export const createActions = [
  { label: 'Create API key', to: '/projects/$projectId/api-keys', dialog: 'create', needs: 'manage_keys' },
  { label: 'Create integration', to: '/projects/$projectId/integrations', dialog: 'create', needs: 'webhook' },
  { label: 'Add provider', to: '/projects/$projectId/oauth', dialog: 'create', needs: 'webhook' },
  { label: 'Add assertion key', to: '/projects/$projectId/assertion-keys', dialog: 'create', needs: 'write' },
  { label: 'Create tool', to: '/projects/$projectId/custom-tools/new', dialog: undefined, needs: 'write' },
  { label: 'Import OpenAPI', to: '/projects/$projectId/custom-tools', dialog: 'import', needs: 'write' },
  { label: 'Create toolset', to: '/projects/$projectId/toolsets', dialog: 'create', needs: 'write' },
  { label: 'Add MCP server', to: '/projects/$projectId/mcp-servers', dialog: 'create', needs: 'write' },
  { label: 'Create certificate', to: '/projects/$projectId/certificates', dialog: 'create', needs: 'admin' },
  { label: 'Create limit', to: '/projects/$projectId/limits', dialog: 'create', needs: 'write' },
  { label: 'Create hook', to: '/projects/$projectId/hooks', dialog: 'create', needs: 'admin' },
  { label: 'Create log stream', to: '/projects/$projectId/log-streams', dialog: 'create', needs: 'admin' },
  { label: 'Create webhook', to: '/projects/$projectId/webhooks', dialog: 'create', needs: 'webhook' },
  { label: 'Create project', to: '/', dialog: 'create', needs: 'write' },
  { label: 'Invite', to: '/people', dialog: 'create', needs: 'admin' },
] as const satisfies CreateAction[];

type Navigate = ReturnType<typeof useNavigate>;
type IdPage = {
  prefix: IdPrefix;
  what: string;
  open: (navigate: Navigate, projectId: string, id: string) => Promise<void>;
};

/** Where an id leads: to its own page, or into a filter of a list. */
export const idPages: IdPage[] = [
  {
    prefix: 'prj',
    what: 'project',
    open: (navigate, _, projectId) => navigate({ to: '/projects/$projectId', params: { projectId } }),
  },
  {
    prefix: 'key',
    what: 'API key',
    open: (navigate, projectId, apiKeyId) =>
      navigate({ to: '/projects/$projectId/api-keys/$apiKeyId', params: { projectId, apiKeyId } }),
  },
  {
    prefix: 'int',
    what: 'integration',
    open: (navigate, projectId, integrationId) =>
      navigate({ to: '/projects/$projectId/integrations/$integrationId', params: { projectId, integrationId } }),
  },
  {
    prefix: 'mem',
    what: 'member',
    open: (navigate, projectId, memberId) =>
      navigate({ to: '/projects/$projectId/members/$memberId', params: { projectId, memberId } }),
  },
  {
    prefix: 'tool',
    what: 'tool',
    open: (navigate, projectId, toolId) =>
      navigate({ to: '/projects/$projectId/custom-tools/$toolId', params: { projectId, toolId } }),
  },
  {
    prefix: 'tst',
    what: 'toolset',
    open: (navigate, projectId, toolsetId) =>
      navigate({ to: '/projects/$projectId/toolsets/$toolsetId', params: { projectId, toolsetId } }),
  },
  {
    prefix: 'mcs',
    what: 'MCP server',
    open: (navigate, projectId, mcpServerId) =>
      navigate({ to: '/projects/$projectId/mcp-servers/$mcpServerId', params: { projectId, mcpServerId } }),
  },
  {
    prefix: 'lim',
    what: 'limit',
    open: (navigate, projectId, limit) =>
      navigate({ to: '/projects/$projectId/limits', params: { projectId }, search: { limit } }),
  },
  {
    prefix: 'crt',
    what: 'certificate',
    open: (navigate, projectId) => navigate({ to: '/projects/$projectId/certificates', params: { projectId } }),
  },
  {
    prefix: 'hook',
    what: 'hook',
    open: (navigate, projectId) => navigate({ to: '/projects/$projectId/hooks', params: { projectId } }),
  },
  {
    prefix: 'str',
    what: 'log stream',
    open: (navigate, projectId) => navigate({ to: '/projects/$projectId/log-streams', params: { projectId } }),
  },
  {
    prefix: 'wh',
    what: 'webhook',
    open: (navigate, projectId, webhookId) =>
      navigate({ to: '/projects/$projectId/webhooks/$webhookId', params: { projectId, webhookId } }),
  },
  {
    prefix: 'akey',
    what: 'assertion key',
    open: (navigate, projectId, search) =>
      navigate({ to: '/projects/$projectId/assertion-keys', params: { projectId }, search: { search } }),
  },
  {
    prefix: 'oap',
    what: 'OAuth provider',
    open: (navigate, projectId, search) =>
      navigate({ to: '/projects/$projectId/oauth', params: { projectId }, search: { search } }),
  },
  {
    prefix: 'oac',
    what: 'OAuth client',
    open: (navigate, projectId, search) =>
      navigate({ to: '/projects/$projectId/oauth', params: { projectId }, search: { search } }),
  },
  // A delivery is below its webhook, which its id does not name: the list of webhooks finds it.
  {
    prefix: 'dlv',
    what: 'delivery',
    open: (navigate, projectId, search) =>
      navigate({ to: '/projects/$projectId/webhooks', params: { projectId }, search: { search } }),
  },
  {
    prefix: 'evt',
    what: 'event',
    open: (navigate, projectId, search) =>
      navigate({ to: '/projects/$projectId/webhooks', params: { projectId }, search: { search } }),
  },
  {
    prefix: 'call',
    what: 'call',
    open: (navigate, projectId, call) =>
      navigate({ to: '/projects/$projectId/logs', params: { projectId }, search: { call } }),
  },
  {
    prefix: 'apr',
    what: 'approval',
    open: (navigate, projectId, approval) =>
      navigate({ to: '/projects/$projectId/approvals', params: { projectId }, search: { approval } }),
  },
  {
    prefix: 'req',
    what: 'request',
    open: (navigate, projectId, request_id) =>
      navigate({ to: '/projects/$projectId/logs', params: { projectId }, search: { request_id } }),
  },
];
