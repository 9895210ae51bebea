// Every route of the API by its operation id.

import { peopleRoutes } from './accounts/people-routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { approvalRoutes } from './approvals/routes.ts';
import { assertionKeyRoutes } from './assertion-keys/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { customToolRoutes, toolImportRoutes } from './custom-tools/routes.ts';
import { directoryRoutes } from './directories/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { hookRoutes } from './hooks/routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { limitRoutes } from './limits/routes.ts';
import { logStreamRoutes } from './log-streams/routes.ts';
import { mcpServerRoutes } from './mcp-servers/routes.ts';
import { memberSessionRoutes } from './member-sessions/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { oauthClientRoutes } from './oauth-clients/routes.ts';
import { oauthConnectionRoutes } from './oauth-connections/routes.ts';
import { oauthGrantRoutes } from './oauth-grants/routes.ts';
import { oauthProviderRoutes } from './oauth-providers/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { ssoRoutes } from './organizations/sso-routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { effectiveToolRoutes, toolsetRoutes } from './toolsets/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

export const routes = {
  ...projectRoutes,
  ...apiKeyRoutes,
  ...integrationRoutes,
  ...assertionKeyRoutes,
  ...memberSessionRoutes,
  ...memberRoutes,
  ...oauthProviderRoutes,
  ...oauthClientRoutes,
  ...oauthConnectionRoutes,
  ...oauthGrantRoutes,
  ...customToolRoutes,
  ...toolImportRoutes,
  ...mcpServerRoutes,
  ...toolsetRoutes,
  ...effectiveToolRoutes,
  ...limitRoutes,
  ...approvalRoutes,
  ...directoryRoutes,
  ...hookRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...auditRoutes,
  ...logStreamRoutes,
  ...analyticsRoutes,
  ...accountRoutes,
  ...peopleRoutes,
  ...organizationRoutes,
  ...ssoRoutes,
};
