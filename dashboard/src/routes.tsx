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
import { queryClient, toolgate, useProjectId } from './api.ts';
import { AppSkeleton, PageSkeleton } from './components/page-skeleton.tsx';
import { Shell } from './components/shell.tsx';
import { AppError, NotFound, PageError } from './pages/not-found.tsx';
import { projectQuery } from './projects.ts';
import { parseSearch, type Search, stringifySearch } from './search.ts';
import { accountQuery } from './session.ts';

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
  component: lazyRouteComponent(() => import('./pages/setup.tsx'), 'SetupPage'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: async () => {
    if (await needsSetup()) throw redirect({ to: '/setup', replace: true });
  },
  // Whoever signs in next sees nothing that the person before has read.
  onEnter: () => queryClient.clear(),
  component: lazyRouteComponent(() => import('./pages/sign-in.tsx'), 'SignInPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/invitation.tsx'), 'InvitationPage'),
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
  component: lazyRouteComponent(() => import('./pages/projects.tsx'), 'ProjectsPage'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account.tsx'), 'AccountPage'),
});

const people = createRoute({
  getParentRoute: () => signedIn,
  path: '/people',
  component: lazyRouteComponent(() => import('./pages/people.tsx'), 'PeoplePage'),
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
  return error instanceof NotFoundError ? <NotFound /> : <Outlet />;
}

const page = <Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => project, path, component });

const projectPages = [
  page(
    '/',
    lazyRouteComponent(() => import('./pages/overview.tsx'), 'OverviewPage'),
  ),
  page(
    '/api-keys',
    lazyRouteComponent(() => import('./pages/api-keys.tsx'), 'ApiKeysPage'),
  ),
  page(
    '/api-keys/$apiKeyId',
    lazyRouteComponent(() => import('./pages/api-key.tsx'), 'ApiKeyPage'),
  ),
  page(
    '/integrations',
    lazyRouteComponent(() => import('./pages/integrations.tsx'), 'IntegrationsPage'),
  ),
  page(
    '/integrations/$integrationId',
    lazyRouteComponent(() => import('./pages/integration.tsx'), 'IntegrationPage'),
  ),
  page(
    '/oauth',
    lazyRouteComponent(() => import('./pages/oauth.tsx'), 'OAuthPage'),
  ),
  page(
    '/assertion-keys',
    lazyRouteComponent(() => import('./pages/assertion-keys.tsx'), 'AssertionKeysPage'),
  ),
  page(
    '/members',
    lazyRouteComponent(() => import('./pages/members.tsx'), 'MembersPage'),
  ),
  page(
    '/members/$memberId',
    lazyRouteComponent(() => import('./pages/member.tsx'), 'MemberPage'),
  ),
  page(
    '/custom-tools',
    lazyRouteComponent(() => import('./pages/custom-tools.tsx'), 'CustomToolsPage'),
  ),
  page(
    '/custom-tools/$toolId',
    lazyRouteComponent(() => import('./pages/custom-tool.tsx'), 'CustomToolPage'),
  ),
  page(
    '/webhooks',
    lazyRouteComponent(() => import('./pages/webhooks.tsx'), 'WebhooksPage'),
  ),
  page(
    '/webhooks/$webhookId',
    lazyRouteComponent(() => import('./pages/webhook.tsx'), 'WebhookPage'),
  ),
  page(
    '/analytics',
    lazyRouteComponent(() => import('./pages/analytics.tsx'), 'AnalyticsPage'),
  ),
  page(
    '/logs',
    lazyRouteComponent(() => import('./pages/logs.tsx'), 'LogsPage'),
  ),
  page(
    '/settings',
    lazyRouteComponent(() => import('./pages/settings.tsx'), 'SettingsPage'),
  ),
  page(
    '/audit-log',
    lazyRouteComponent(() => import('./pages/audit-log.tsx'), 'AuditLogPage'),
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
  // A page of another project or object begins anew: nothing of the last one stays on it while it loads.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
});
