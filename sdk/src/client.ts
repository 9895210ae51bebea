// The client: one property per resource.

import { createApi } from './api.ts';
import {
  account,
  analytics,
  apiKeys,
  approvals,
  assertionKeys,
  auditLog,
  directories,
  effectiveTools,
  events,
  hooks,
  integrations,
  limits,
  logStreams,
  mcpServers,
  members,
  oauthClients,
  oauthConnections,
  oauthProviders,
  organization,
  projects,
  requests,
  toolsets,
  webhooks,
} from './methods.ts';
import type { ToolgateOptions } from './options.ts';
import { customTools } from './resources/custom-tools.ts';
import { memberSessions } from './resources/member-sessions.ts';
import { toolCalls } from './resources/tool-calls.ts';

/**
 * Calls the API of toolgate with one API key.
 *
 * ```ts
 * const toolgate = new Toolgate({ apiKey, baseUrl: 'https://toolgate.example.com', projectId });
 * for await (const tool of toolgate.customTools.list()) console.log(tool.name);
 * ```
 */
export class Toolgate {
  readonly projects: ReturnType<typeof projects>;
  readonly apiKeys: ReturnType<typeof apiKeys>;
  readonly toolsets: ReturnType<typeof toolsets>;
  readonly oauthConnections: ReturnType<typeof oauthConnections>;
  readonly approvals: ReturnType<typeof approvals>;
  readonly limits: ReturnType<typeof limits>;
  readonly directories: ReturnType<typeof directories>;
  readonly hooks: ReturnType<typeof hooks>;
  readonly mcpServers: ReturnType<typeof mcpServers>;
  readonly effectiveTools: ReturnType<typeof effectiveTools>;
  readonly integrations: ReturnType<typeof integrations>;
  readonly assertionKeys: ReturnType<typeof assertionKeys>;
  readonly members: ReturnType<typeof members>;
  readonly memberSessions: ReturnType<typeof memberSessions>;
  readonly customTools: ReturnType<typeof customTools>;
  readonly toolCalls: ReturnType<typeof toolCalls>;
  readonly analytics: ReturnType<typeof analytics>;
  readonly requests: ReturnType<typeof requests>;
  readonly events: ReturnType<typeof events>;
  readonly webhooks: ReturnType<typeof webhooks>;
  readonly logStreams: ReturnType<typeof logStreams>;
  readonly oauthProviders: ReturnType<typeof oauthProviders>;
  readonly oauthClients: ReturnType<typeof oauthClients>;
  readonly auditLog: ReturnType<typeof auditLog>;
  readonly account: ReturnType<typeof account>;
  readonly organization: ReturnType<typeof organization>;

  constructor(options: ToolgateOptions) {
    const api = createApi(options);
    this.projects = projects(api);
    this.apiKeys = apiKeys(api);
    this.toolsets = toolsets(api);
    this.oauthConnections = oauthConnections(api);
    this.approvals = approvals(api);
    this.limits = limits(api);
    this.directories = directories(api);
    this.hooks = hooks(api);
    this.mcpServers = mcpServers(api);
    this.effectiveTools = effectiveTools(api);
    this.integrations = integrations(api);
    this.assertionKeys = assertionKeys(api);
    this.members = members(api);
    this.memberSessions = memberSessions(api);
    this.customTools = customTools(api);
    this.toolCalls = toolCalls(api);
    this.analytics = analytics(api);
    this.requests = requests(api);
    this.events = events(api);
    this.webhooks = webhooks(api);
    this.logStreams = logStreams(api);
    this.oauthProviders = oauthProviders(api);
    this.oauthClients = oauthClients(api);
    this.auditLog = auditLog(api);
    this.account = account(api);
    this.organization = organization(api);
  }
}
