// The SDK with the cookie of the person who signed in, and the hooks by which pages read.

import {
  keepPreviousData,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey,
  type UseQueryOptions,
  useQuery,
} from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Toolgate, ToolgateError } from '@toolgate/sdk';

/** An error is on the screen within 10 seconds. So the query retries once, and the client not at all: it would honor Retry-After. */
const TIMEOUT_MS = 8_000;
const RETRY_DELAY_MS = 500;

const options = { apiKey: null, baseUrl: location.origin, maxRetries: 0 };

/** For what belongs to no project: the account, the organization, the list of projects. */
export const toolgate = new Toolgate({ ...options, timeoutMs: TIMEOUT_MS });

/** The same for calls that wait for another server. */
export const slowToolgate = new Toolgate({ ...options, timeoutMs: 65_000 });

const clients = new Map<string, Toolgate>();

export function projectApi(projectId: string): Toolgate {
  const known = clients.get(projectId) ?? new Toolgate({ ...options, projectId, timeoutMs: TIMEOUT_MS });
  clients.set(projectId, known);
  return known;
}

/** For calls that wait for a customer's API. */
export function slowProjectApi(projectId: string): Toolgate {
  return new Toolgate({ ...options, projectId, timeoutMs: 80_000 });
}

let endSession: () => unknown = () => {};

/** app/main.tsx sets it: what happens when the API says that nobody is signed in any more. */
export function onSessionEnd(end: () => unknown): void {
  endSession = end;
}

/** What a refusal says about more than its own request. Nobody waits for what it returns: a blocked page never leaves. */
function noticeRefusal(error: unknown, [scope, projectId, resource]: QueryKey = []): unknown {
  if (!(error instanceof ToolgateError)) return undefined;
  if (error.code === 'NOT_SIGNED_IN') return hadSession(error) ? endSession() : undefined;
  // The role may be another one than the page knows.
  if (error.status === 403) return queryClient.invalidateQueries({ queryKey: ['account'] }, { cancelRefetch: false });
  // The project itself may be gone.
  const isInProject = scope === 'projects' && resource !== 'project';
  return error.status === 404 && isInProject ? invalidateProject(String(projectId), ['project']) : undefined;
}

/** A browser that has never signed in has no session that could have ended: its page leads to the sign-in itself. */
function hadSession({ details }: ToolgateError): boolean {
  return details.reason === 'session_ended' || queryClient.getQueryData(['account']) !== undefined;
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      noticeRefusal(error, queryKey);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error) => {
      noticeRefusal(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retryDelay: RETRY_DELAY_MS,
      retry: (failures, error) => failures < 1 && isTemporary(error),
    },
  },
});

function isTemporary(error: unknown): boolean {
  if (!(error instanceof ToolgateError)) return false;
  // That one took the server too long, and would again.
  if (error.details.reason === 'read_took_too_long') return false;
  return error.name === 'ConnectionError' || error.status === 503;
}

/** The project of the page; undefined outside of projects, for what is on every page. */
export function useOpenProjectId(): string | undefined {
  return useParams({ strict: false }).projectId;
}

/** The same on the pages of a project. */
export const useProjectId = (): string => useOpenProjectId() ?? '';

export function useProjectApi(): Toolgate {
  return projectApi(useProjectId());
}

type ReadOptions<T> = Partial<
  Pick<UseQueryOptions<T>, 'enabled' | 'refetchInterval' | 'staleTime' | 'retry' | 'retryDelay'>
>;

/** Reads something of the project. `key` has the resource first, then what it depends on: `['api-keys', filters]`. */
export function useProjectQuery<T>(key: QueryKey, read: (toolgate: Toolgate) => Promise<T>, more: ReadOptions<T> = {}) {
  const projectId = useProjectId();
  return useQuery<T>({
    queryKey: ['projects', projectId, ...key],
    queryFn: () => read(projectApi(projectId)),
    // The next page of a list replaces the last one only when it is there. Another project or object is another page: see app/routes.tsx.
    placeholderData: keepPreviousData,
    ...more,
    refetchInterval: (query) => intervalOf(query, more.refetchInterval),
  });
}

/** A first read that failed waits for "Try again": each read by itself would show skeletons in place of the alert for a moment. */
function intervalOf<T>(query: Query<T>, given: ReadOptions<T>['refetchInterval']): number | false | undefined {
  if (query.state.status === 'error' && query.state.data === undefined) return false;
  return typeof given === 'function' ? given(query) : given;
}

/** Reads again whatever of the open page could not be read: what made one part fail is often over for all of them. */
export async function retryFailed(): Promise<void> {
  await queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
}

export async function invalidateProject(projectId: string, resources: string[]): Promise<void> {
  await Promise.all(
    resources.map((resource) => queryClient.invalidateQueries({ queryKey: ['projects', projectId, resource] })),
  );
}
