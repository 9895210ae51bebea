// The map of every URL: one line for each part that is mounted.

import type { Server } from './api/route.ts';
import type { App } from './app.ts';
import { openDocumentation } from './dashboard/documentation.ts';
import type { Dashboard } from './dashboard/open.ts';
import { serveAnalytics } from './features/activity/analytics/routes.ts';
import { serveAudit } from './features/activity/audit/routes.ts';
import { serveCertificates } from './features/activity/certificates/routes.ts';
import { serveEvents } from './features/activity/events/routes.ts';
import { serveLogStreams } from './features/activity/log-streams/routes.ts';
import { serveWebhooks } from './features/activity/webhooks/routes.ts';
import { serveFiles } from './features/files/files/routes.ts';
import { servePeople } from './features/identity/accounts/people-routes.ts';
import { serveAccounts } from './features/identity/accounts/routes.ts';
import { serveOrganizations } from './features/identity/organizations/routes.ts';
import { serveSsoPages } from './features/identity/sso/page-routes.ts';
import { serveSso } from './features/identity/sso/routes.ts';
import { serveAssertionKeys } from './features/members/assertion-keys/routes.ts';
import { serveMemberSessions } from './features/members/member-sessions/routes.ts';
import { namesOfMembers } from './features/members/members/read.ts';
import { serveMembers } from './features/members/members/routes.ts';
import { serveOAuthClients } from './features/oauth/clients/routes.ts';
import { deleteConnectionsOfMember } from './features/oauth/connections/revoke.ts';
import { serveOAuthConnections } from './features/oauth/connections/routes.ts';
import { deleteGrantsOfMember } from './features/oauth/grants/delete-member.ts';
import { revokeGrantsOf } from './features/oauth/grants/revoke.ts';
import { serveOAuthGrants } from './features/oauth/grants/routes.ts';
import { serveOAuthProviders } from './features/oauth/providers/routes.ts';
import { debugIdJag } from './features/oauth/server/debug-id-jag.ts';
import { oauthRoutes } from './features/oauth/server/routes.ts';
import { namesOfKeys } from './features/projects/api-keys/list.ts';
import { serveApiKeys } from './features/projects/api-keys/routes.ts';
import { namesOfIntegrations } from './features/projects/integrations/find.ts';
import { serveIntegrations } from './features/projects/integrations/routes.ts';
import { serveProjects } from './features/projects/projects/routes.ts';
import { signingKeyRoutes } from './features/projects/signing-keys/routes.ts';
import { deleteApprovalsOfMember } from './features/tools/approvals/delete-member.ts';
import { serveApprovalPages } from './features/tools/approvals/page-routes.ts';
import { serveApprovals } from './features/tools/approvals/routes.ts';
import { testHook } from './features/tools/calls/hooks/test-hook.ts';
import { serveTasks } from './features/tools/calls/tasks/routes.ts';
import { namesOfTools } from './features/tools/catalogue/find.ts';
import { serveDirectories } from './features/tools/directory/routes.ts';
import { serveEffectiveTools } from './features/tools/effective-tools/routes.ts';
import { serveFilePages } from './features/tools/file-pages/routes.ts';
import { serveHooks } from './features/tools/hooks/routes.ts';
import { forgetMemberInLimits } from './features/tools/limits/delete-member.ts';
import { serveLimits } from './features/tools/limits/routes.ts';
import { serveMcpServers } from './features/tools/mcp-servers/routes.ts';
import { serveCustomTools } from './features/tools/routes.ts';
import { sampleShopRoutes } from './features/tools/sample-shop/routes.ts';
import { deleteTasksOfMember } from './features/tools/tasks/delete-member.ts';
import { serveToolsets } from './features/tools/toolsets/routes.ts';
import { dashboardRoutes } from './http/dashboard.ts';
import { documentationRoutes } from './http/documentation.ts';
import { healthRoutes } from './http/health.ts';
import { collectMethods } from './http/method-not-allowed.ts';
import { metricsRoutes } from './http/metrics.ts';
import { openaiChallengeRoutes } from './http/openai-challenge.ts';
import { describeRoutes, openapiRoutes } from './http/openapi.ts';
import { createServer } from './http/server.ts';
import { waitingRoutes } from './http/waiting-page.ts';
import { version } from './installation.ts';
import { mcpRoutes } from './mcp/endpoint.ts';

export async function buildServer(app: App, dashboard: Dashboard | null = null): Promise<Server> {
  const server = createServer(app, dashboard);
  const refuseOtherMethods = collectMethods(server);
  await describeRoutes(server, version);

  healthRoutes(server, app);
  metricsRoutes(server, app);
  openapiRoutes(server);
  openaiChallengeRoutes(server, app);
  waitingRoutes(server);
  documentationRoutes(server, openDocumentation(app.log), dashboard !== null);
  serveProjects(server, app);
  serveToolsets(server, app);
  serveLimits(server, app);
  serveApprovals(server, app);
  await serveApprovalPages(server, app);
  serveDirectories(server, app);
  serveHooks(server, app, testHook);
  serveApiKeys(server, app);
  serveIntegrations(server, app);
  signingKeyRoutes(server, app);
  serveAssertionKeys(server, app);
  serveMemberSessions(server, app);
  serveMembers(server, app, revokeGrantsOf, {
    grants: deleteGrantsOfMember,
    others: [deleteConnectionsOfMember, deleteApprovalsOfMember, deleteTasksOfMember, forgetMemberInLimits],
  });
  serveOAuthProviders(server, app, debugIdJag);
  serveOAuthClients(server, app);
  serveOAuthConnections(server, app);
  serveOAuthGrants(server, app);
  await oauthRoutes(server, app);
  await serveCustomTools(server, app);
  serveMcpServers(server, app);
  serveEffectiveTools(server, app);
  sampleShopRoutes(server, app);
  await mcpRoutes(server, app);

  serveWebhooks(server, app);
  serveEvents(server, app);
  serveAudit(server, app);
  serveLogStreams(server, app);
  serveCertificates(server, app);
  await serveFiles(server, app);
  await serveFilePages(server, app);
  serveTasks(server, app);
  serveAnalytics(server, app, {
    tool: namesOfTools,
    api_key: namesOfKeys,
    member: namesOfMembers,
    integration: namesOfIntegrations,
  });
  serveAccounts(server, app);
  serveOrganizations(server, app);
  serveSso(server, app);
  await serveSsoPages(server, app);
  servePeople(server, app);
  if (dashboard) dashboardRoutes(server, dashboard);

  refuseOtherMethods();
  await server.ready();
  return server;
}
