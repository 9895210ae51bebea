// The pages of the menu: their names, paths, icons and shortcut letters. The nav, the palette and the shortcuts read it.

import {
  Activity,
  Blocks,
  ChartColumn,
  FileClock,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  ScrollText,
  Settings,
  ShieldCheck,
  UserKey,
  Users,
  Webhook,
  Wrench,
} from 'lucide-react';
import type { Permission } from './session.ts';

export type ProjectPage = { label: string; to: string; icon: LucideIcon; key: string; group: string };

export const projectPages = [
  { label: 'Overview', to: '/projects/$projectId', icon: LayoutDashboard, key: 'o', group: '' },
  { label: 'API keys', to: '/projects/$projectId/api-keys', icon: KeyRound, key: 'k', group: 'Access' },
  { label: 'Integrations', to: '/projects/$projectId/integrations', icon: Blocks, key: 'i', group: 'Access' },
  { label: 'OAuth', to: '/projects/$projectId/oauth', icon: UserKey, key: 'u', group: 'Access' },
  { label: 'Assertion keys', to: '/projects/$projectId/assertion-keys', icon: ShieldCheck, key: 's', group: 'Access' },
  { label: 'Members', to: '/projects/$projectId/members', icon: Users, key: 'm', group: 'Access' },
  { label: 'Custom tools', to: '/projects/$projectId/custom-tools', icon: Wrench, key: 't', group: 'Build' },
  { label: 'Webhooks', to: '/projects/$projectId/webhooks', icon: Webhook, key: 'w', group: 'Build' },
  { label: 'Analytics', to: '/projects/$projectId/analytics', icon: ChartColumn, key: 'a', group: 'Observe' },
  { label: 'Logs', to: '/projects/$projectId/logs', icon: Activity, key: 'l', group: 'Observe' },
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
  ...projectPages.map(({ key, label, to }) => ({ key, label, to, isProjectPage: true })),
  ...otherPages.map(({ key, label, to }) => ({ key, label, to, isProjectPage: false })),
];

type CreateAction = { label: string; to: string; dialog: string; needs: Permission };

/** What the palette can open besides pages. `needs`: as at the button of the page. */
export const createActions: CreateAction[] = [
  { label: 'Create API key', to: '/projects/$projectId/api-keys', dialog: 'create', needs: 'admin' },
  { label: 'Create integration', to: '/projects/$projectId/integrations', dialog: 'create', needs: 'webhook' },
  { label: 'Add provider', to: '/projects/$projectId/oauth', dialog: 'create', needs: 'webhook' },
  { label: 'Add assertion key', to: '/projects/$projectId/assertion-keys', dialog: 'create', needs: 'write' },
  { label: 'Create tool', to: '/projects/$projectId/custom-tools', dialog: 'create', needs: 'write' },
  { label: 'Import OpenAPI', to: '/projects/$projectId/custom-tools', dialog: 'import', needs: 'write' },
  { label: 'Create webhook', to: '/projects/$projectId/webhooks', dialog: 'create', needs: 'webhook' },
  { label: 'Create project', to: '/', dialog: 'create', needs: 'write' },
  { label: 'Invite', to: '/people', dialog: 'create', needs: 'admin' },
];

type IdPage = { prefix: string; what: string; to: string; param?: string; search?: string };

/** Where an id leads: into the path (`param`) or into a filter (`search`) of a page. */
export const idPages: IdPage[] = [
  { prefix: 'prj_', what: 'project', to: '/projects/$projectId', param: 'projectId' },
  { prefix: 'key_', what: 'API key', to: '/projects/$projectId/api-keys/$apiKeyId', param: 'apiKeyId' },
  {
    prefix: 'int_',
    what: 'integration',
    to: '/projects/$projectId/integrations/$integrationId',
    param: 'integrationId',
  },
  { prefix: 'mem_', what: 'member', to: '/projects/$projectId/members/$memberId', param: 'memberId' },
  { prefix: 'tool_', what: 'tool', to: '/projects/$projectId/custom-tools/$toolId', param: 'toolId' },
  { prefix: 'wh_', what: 'webhook', to: '/projects/$projectId/webhooks/$webhookId', param: 'webhookId' },
  { prefix: 'akey_', what: 'assertion key', to: '/projects/$projectId/assertion-keys', search: 'search' },
  { prefix: 'oap_', what: 'OAuth provider', to: '/projects/$projectId/oauth', search: 'search' },
  { prefix: 'oac_', what: 'OAuth client', to: '/projects/$projectId/oauth', search: 'search' },
  // A delivery is below its webhook, which its id does not name: the list of webhooks finds it.
  { prefix: 'dlv_', what: 'delivery', to: '/projects/$projectId/webhooks', search: 'search' },
  { prefix: 'evt_', what: 'event', to: '/projects/$projectId/webhooks', search: 'search' },
  { prefix: 'call_', what: 'call', to: '/projects/$projectId/logs', search: 'call' },
  { prefix: 'req_', what: 'request', to: '/projects/$projectId/logs', search: 'request_id' },
];
