// The map of every page. Each is loaded when it is first opened.

import { useQuery } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { NotFoundError, ToolgateError } from '@toolgate/sdk';
import { queryClient, toolgate, useProjectId } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { accountQuery } from '../api/session.ts';
import { removeToolDrafts } from '../features/custom-tools/draft.ts';
import { PlanBanner } from '../features/projects/plan-banner.tsx';
import { AppError, NotFound, PageError } from '../ui/not-found.tsx';
import { AppSkeleton, PageSkeleton } from '../ui/page-skeleton.tsx';
import { parseSearch, type Search, stringifySearch } from '../ui/search.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({
  component: Outlet,
  validateSearch: (search: Search): Search => search,
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  beforeLoad: async () => {
    if (!(await needsSetup())) throw redirect({ to: '/sign-in', replace: true });
  },
  component: lazyRouteComponent(() => import('../features/sign-in/setup.tsx'), 'SetupPage'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: async () => {
    if (await needsSetup()) throw redirect({ to: '/setup', replace: true });
  },
  // Whoever signs in next sees nothing that the person before has read.
  onEnter: ({ search }) => {
    queryClient.clear();
    if (search.reason === 'signed-out') removeToolDrafts();
  },
  component: lazyRouteComponent(() => import('../features/sign-in/page.tsx'), 'SignInPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../features/sign-in/invitation.tsx'), 'InvitationPage'),
});

/** Every page below needs somebody who is signed in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  pendingComponent: AppSkeleton,
  errorComponent: AppError,
  beforeLoad: ({ location }) => requireAccount(location.pathname + location.searchStr),
});

async function requireAccount(next: string): Promise<void> {
  try {
    await queryClient.ensureQueryData(accountQuery);
  } catch (error) {
    if (!(error instanceof ToolgateError) || error.status !== 401) throw error;
    if (await needsSetup()) throw redirect({ to: '/setup', replace: true });
    const reason = error.details.reason === 'session_ended' ? 'expired' : undefined;
    throw redirect({ to: '/sign-in', search: { next: next === '/' ? undefined : next, reason }, replace: true });
  }
}

async function needsSetup(): Promise<boolean> {
  try {
    return (await toolgate.account.needsSetup()).needed;
  } catch (error) {
    // 404: there is an owner.
    if (error instanceof ToolgateError && error.status === 404) return false;
    throw error;
  }
}

const projects = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('../features/projects/list.tsx'), 'ProjectsPage'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('../features/account/page.tsx'), 'AccountPage'),
});

const people = createRoute({
  getParentRoute: () => signedIn,
  path: '/people',
  component: lazyRouteComponent(() => import('../features/people/list.tsx'), 'PeoplePage'),
});

/** Everything else, in the frame of the other pages. */
const nothing = createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFound });

/** Loads the project, so that a page of a project that does not exist is "not found". */
const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  loader: ({ params }) => queryClient.ensureQueryData(projectQuery(params.projectId)),
  component: ProjectFrame,
});

/** Somebody may delete the project while one of its pages is open. */
function ProjectFrame() {
  const { error } = useQuery(projectQuery(useProjectId()));
  if (error instanceof NotFoundError) return <NotFound />;
  return (
    <>
      <PlanBanner />
      <Outlet />
    </>
  );
}

const page = <Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => project, path, component });

const projectPages = [
  page(
    '/',
    lazyRouteComponent(() => import('../features/overview/page.tsx'), 'OverviewPage'),
  ),
  page(
    '/api-keys',
    lazyRouteComponent(() => import('../features/api-keys/list.tsx'), 'ApiKeysPage'),
  ),
  page(
    '/api-keys/$apiKeyId',
    lazyRouteComponent(() => import('../features/api-keys/detail.tsx'), 'ApiKeyPage'),
  ),
  page(
    '/integrations',
    lazyRouteComponent(() => import('../features/integrations/list.tsx'), 'IntegrationsPage'),
  ),
  page(
    '/integrations/$integrationId',
    lazyRouteComponent(() => import('../features/integrations/detail.tsx'), 'IntegrationPage'),
  ),
  page(
    '/oauth',
    lazyRouteComponent(() => import('../features/oauth/page.tsx'), 'OAuthPage'),
  ),
  page(
    '/assertion-keys',
    lazyRouteComponent(() => import('../features/assertion-keys/list.tsx'), 'AssertionKeysPage'),
  ),
  page(
    '/members',
    lazyRouteComponent(() => import('../features/members/list.tsx'), 'MembersPage'),
  ),
  page(
    '/members/$memberId',
    lazyRouteComponent(() => import('../features/members/detail.tsx'), 'MemberPage'),
  ),
  createRoute({
    getParentRoute: () => project,
    path: '/custom-tools',
    // Where links led while the form was a dialog.
    beforeLoad: ({ search, params }) => {
      if (search.dialog === 'create')
        throw redirect({ to: '/projects/$projectId/custom-tools/new', params, replace: true });
    },
    component: lazyRouteComponent(() => import('../features/custom-tools/list.tsx'), 'CustomToolsPage'),
  }),
  page(
    '/custom-tools/new',
    lazyRouteComponent(() => import('../features/custom-tools/new.tsx'), 'NewToolPage'),
  ),
  page(
    '/custom-tools/$toolId',
    lazyRouteComponent(() => import('../features/custom-tools/detail.tsx'), 'CustomToolPage'),
  ),
  page(
    '/toolsets',
    lazyRouteComponent(() => import('../features/toolsets/list.tsx'), 'ToolsetsPage'),
  ),
  page(
    '/toolsets/$toolsetId',
    lazyRouteComponent(() => import('../features/toolsets/detail.tsx'), 'ToolsetPage'),
  ),
  page(
    '/mcp-servers',
    lazyRouteComponent(() => import('../features/mcp-servers/list.tsx'), 'McpServersPage'),
  ),
  page(
    '/mcp-servers/$mcpServerId',
    lazyRouteComponent(() => import('../features/mcp-servers/detail.tsx'), 'McpServerPage'),
  ),
  page(
    '/certificates',
    lazyRouteComponent(() => import('../features/certificates/list.tsx'), 'CertificatesPage'),
  ),
  page(
    '/limits',
    lazyRouteComponent(() => import('../features/limits/list.tsx'), 'LimitsPage'),
  ),
  page(
    '/publish',
    lazyRouteComponent(() => import('../features/publish/page.tsx'), 'PublishPage'),
  ),
  page(
    '/hooks',
    lazyRouteComponent(() => import('../features/hooks/list.tsx'), 'HooksPage'),
  ),
  page(
    '/log-streams',
    lazyRouteComponent(() => import('../features/log-streams/list.tsx'), 'LogStreamsPage'),
  ),
  page(
    '/webhooks',
    lazyRouteComponent(() => import('../features/webhooks/list.tsx'), 'WebhooksPage'),
  ),
  page(
    '/webhooks/$webhookId',
    lazyRouteComponent(() => import('../features/webhooks/detail.tsx'), 'WebhookPage'),
  ),
  page(
    '/analytics',
    lazyRouteComponent(() => import('../features/analytics/page.tsx'), 'AnalyticsPage'),
  ),
  page(
    '/logs',
    lazyRouteComponent(() => import('../features/calls/page.tsx'), 'LogsPage'),
  ),
  page(
    '/approvals',
    lazyRouteComponent(() => import('../features/approvals/page.tsx'), 'ApprovalsPage'),
  ),
  page(
    '/settings',
    lazyRouteComponent(() => import('../features/settings/page.tsx'), 'SettingsPage'),
  ),
  page(
    '/audit-log',
    lazyRouteComponent(() => import('../features/audit/list.tsx'), 'AuditLogPage'),
  ),
  createRoute({ getParentRoute: () => project, path: '$', component: NotFound }),
];

const tree = root.addChildren([
  setup,
  signIn,
  invitation,
  signedIn.addChildren([projects, account, people, nothing, project.addChildren(projectPages)]),
]);

export const router = createRouter({
  routeTree: tree,
  parseSearch,
  stringifySearch,
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: 150,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFound,
  defaultPreload: 'intent',
  // A page of another project or object starts fresh: nothing of the last one stays on it while it loads.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
});

/** Links and navigation name only pages that exist, with their parameters. */
declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
