// The map of every URL: one line for each part that is mounted.

import type { Server } from './api/route.ts';
import type { App } from './app.ts';
import type { Dashboard } from './dashboard/open.ts';
import { peopleRoutes } from './features/accounts/people-routes.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { totpRoutes } from './features/accounts/totp-routes.ts';
import { rollupRoutes } from './features/analytics/rollup-routes.ts';
import { analyticsRoutes } from './features/analytics/routes.ts';
import { traceRoutes } from './features/analytics/trace-routes.ts';
import { namesOfKeys } from './features/api-keys/names.ts';
import { apiKeyRoutes } from './features/api-keys/routes.ts';
import { assertionKeyRoutes } from './features/assertion-keys/routes.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { namesOfTools } from './features/custom-tools/names.ts';
import { customToolRoutes } from './features/custom-tools/routes.ts';
import { eventRoutes } from './features/events/routes.ts';
import { namesOfIntegrations } from './features/integrations/names.ts';
import { integrationRoutes } from './features/integrations/routes.ts';
import { memberSessionRoutes } from './features/member-sessions/routes.ts';
import { namesOfMembers } from './features/members/names.ts';
import { memberRoutes } from './features/members/routes.ts';
import { oauthRoutes } from './features/oauth/routes.ts';
import { oauthClientRoutes } from './features/oauth-clients/routes.ts';
import { oauthConnectionRoutes } from './features/oauth-connections/routes.ts';
import { oauthGrantRoutes } from './features/oauth-grants/routes.ts';
import { oauthProviderRoutes } from './features/oauth-providers/routes.ts';
import { organizationRoutes } from './features/organizations/routes.ts';
import { projectRoutes } from './features/projects/routes.ts';
import { sampleShopRoutes } from './features/sample-shop/routes.ts';
import { webhookRoutes } from './features/webhooks/routes.ts';
import { changelogPageRoutes } from './http/changelog-page.ts';
import { dashboardRoutes } from './http/dashboard.ts';
import { errorsPageRoutes } from './http/errors-page.ts';
import { healthRoutes } from './http/health.ts';
import { collectMethods } from './http/method-not-allowed.ts';
import { metricsRoutes } from './http/metrics.ts';
import { describeRoutes, openapiRoutes } from './http/openapi.ts';
import { createServer } from './http/server.ts';
import { mcpRoutes } from './mcp/endpoint.ts';
import { version } from './version.ts';

export async function buildServer(app: App, dashboard: Dashboard | null = null): Promise<Server> {
  const server = createServer(app, dashboard);
  const refuseOtherMethods = collectMethods(server);
  await describeRoutes(server, version);

  healthRoutes(server, app);
  metricsRoutes(server, app);
  openapiRoutes(server);
  errorsPageRoutes(server, dashboard !== null);
  changelogPageRoutes(server, dashboard !== null);
  projectRoutes(server, app);
  apiKeyRoutes(server, app);
  integrationRoutes(server, app);
  assertionKeyRoutes(server, app);
  memberSessionRoutes(server, app);
  memberRoutes(server, app);
  oauthProviderRoutes(server, app);
  oauthClientRoutes(server, app);
  oauthConnectionRoutes(server, app);
  oauthGrantRoutes(server, app);
  await oauthRoutes(server, app);
  await customToolRoutes(server, app);
  sampleShopRoutes(server, app);
  await mcpRoutes(server, app);

  webhookRoutes(server, app);
  eventRoutes(server, app);
  auditRoutes(server, app);
  analyticsRoutes(server, app);
  rollupRoutes(server, app, {
    tool: namesOfTools,
    api_key: namesOfKeys,
    member: namesOfMembers,
    integration: namesOfIntegrations,
  });
  traceRoutes(server, app);
  accountRoutes(server, app);
  totpRoutes(server, app);
  organizationRoutes(server, app);
  peopleRoutes(server, app);
  if (dashboard) dashboardRoutes(server, dashboard);

  refuseOtherMethods();
  await server.ready();
  return server;
}
