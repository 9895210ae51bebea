// Every resource of the API, and what is made from all of them. In the order of the reference.

import { accounts } from './accounts/routes.ts';
import { callAnalytics } from './analytics/routes.ts';
import { apiKeys } from './api-keys/routes.ts';
import { approvals } from './approvals/routes.ts';
import { assertionKeys } from './assertion-keys/routes.ts';
import { audit } from './audit/routes.ts';
import { certificates } from './certificates/routes.ts';
import { customTools } from './custom-tools/routes.ts';
import { directories } from './directories/routes.ts';
import { events } from './events/routes.ts';
import { files } from './files/routes.ts';
import { hooks } from './hooks/routes.ts';
import { integrations } from './integrations/routes.ts';
import { limits } from './limits/routes.ts';
import { logStreams } from './log-streams/routes.ts';
import { mcpServers } from './mcp-servers/routes.ts';
import { memberSessions } from './member-sessions/routes.ts';
import { members } from './members/routes.ts';
import { oauthClients } from './oauth-clients/routes.ts';
import { oauthConnections } from './oauth-connections/routes.ts';
import { oauthGrants } from './oauth-grants/routes.ts';
import { oauthProviders } from './oauth-providers/routes.ts';
import { organizations } from './organizations/routes.ts';
import { projects } from './projects/routes.ts';
import { tasks } from './tasks/routes.ts';
import { toolCalls } from './tool-calls/events.ts';
import { toolsets } from './toolsets/routes.ts';
import { webhooks } from './webhooks/routes.ts';

export const resources = [
  projects,
  apiKeys,
  integrations,
  assertionKeys,
  memberSessions,
  members,
  oauthProviders,
  oauthClients,
  oauthConnections,
  oauthGrants,
  customTools,
  mcpServers,
  toolsets,
  limits,
  approvals,
  directories,
  hooks,
  certificates,
  files,
  tasks,
  toolCalls,
  webhooks,
  events,
  audit,
  logStreams,
  callAnalytics,
  accounts,
  organizations,
] as const;

/** Every route by its operation id. */
export const routes = joined('routes');

/** Every kind of event by its type, in the order of docs/reference/events.md. */
export const eventKinds = joined('events');

type Each = (typeof resources)[number];
type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer Joined) => void
  ? Joined
  : never;

function joined<Part extends keyof Each>(part: Part): All<Each[Part]> {
  return Object.assign({}, ...resources.map((resource) => resource[part]));
}
