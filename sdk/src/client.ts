// The client: one property per resource.

import { createApi } from './api.ts';
import type { ToolgateOptions } from './options.ts';
import { type AccountMethods, account } from './resources/account.ts';
import { type Analytics, analytics, type Requests, requests } from './resources/analytics.ts';
import { type ApiKeys, apiKeys } from './resources/api-keys.ts';
import { type AssertionKeys, assertionKeys } from './resources/assertion-keys.ts';
import { type CustomTools, customTools } from './resources/custom-tools.ts';
import { type AuditLog, auditLog, type Events, events } from './resources/events.ts';
import { type Integrations, integrations } from './resources/integrations.ts';
import { type MemberSessions, memberSessions } from './resources/member-sessions.ts';
import { type Members, members } from './resources/members.ts';
import { type OAuthClients, type OAuthProviders, oauthClients, oauthProviders } from './resources/oauth.ts';
import { type OrganizationMethods, organization } from './resources/organization.ts';
import { type Projects, projects } from './resources/projects.ts';
import { type ToolCalls, toolCalls } from './resources/tool-calls.ts';
import { type Webhooks, webhooks } from './resources/webhooks.ts';

/**
 * Calls the API of toolgate with one API key.
 *
 * ```ts
 * const toolgate = new Toolgate({ apiKey, baseUrl: 'https://toolgate.example.com', projectId });
 * for await (const tool of toolgate.customTools.list()) console.log(tool.name);
 * ```
 */
export class Toolgate {
  readonly projects: Projects;
  readonly apiKeys: ApiKeys;
  readonly integrations: Integrations;
  readonly assertionKeys: AssertionKeys;
  readonly members: Members;
  readonly memberSessions: MemberSessions;
  readonly customTools: CustomTools;
  readonly toolCalls: ToolCalls;
  readonly analytics: Analytics;
  readonly requests: Requests;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly oauthProviders: OAuthProviders;
  readonly oauthClients: OAuthClients;
  readonly auditLog: AuditLog;
  readonly account: AccountMethods;
  readonly organization: OrganizationMethods;

  constructor(options: ToolgateOptions) {
    const api = createApi(options);
    this.projects = projects(api);
    this.apiKeys = apiKeys(api);
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
    this.oauthProviders = oauthProviders(api);
    this.oauthClients = oauthClients(api);
    this.auditLog = auditLog(api);
    this.account = account(api);
    this.organization = organization(api);
  }
}
