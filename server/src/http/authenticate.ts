// Bearer token or session cookie → Caller. Every bad token gets the same 401: missing, malformed, unknown, inactive, revoked, expired, of
// another project (spec 5.4, contract 3). An expired member session (spec 7) and the session of a person who must sign in again
// get a 401 of their own.

import { timingSafeEqual } from 'node:crypto';
import type { Reason } from '@toolgate/contract/errors.ts';
import { isId } from '@toolgate/contract/ids.ts';
import type { Access } from '@toolgate/contract/route.ts';
import type { FastifyRequest } from 'fastify';
import type { AccountCaller, Caller, Project, RefusedCaller, TokenCaller } from '../access/caller.ts';
import { requireSameOrigin } from '../api/same-origin.ts';
import type { App } from '../app.ts';
import { refuse } from '../errors/errors.ts';
import { readSessionCookie, resumeSession } from '../features/identity/accounts/session.ts';
import { cachedSessionCaller, loadSessionCaller } from '../features/members/member-sessions/resume.ts';
import { cachedClientCaller, loadClientCaller } from '../features/oauth/client-sessions/resume.ts';
import { cachedKeyCaller, loadKeyCaller } from '../features/projects/api-keys/verify.ts';
import { findProject } from '../features/projects/projects/find.ts';
import { clientNetwork } from '../limits/client-network.ts';
import { FAILURES_PER_MINUTE, type FailureKind } from '../limits/failures.ts';
import { hashToken, isWellFormed, type TokenPrefix } from '../secrets/tokens.ts';

const MAX_HEADER_LENGTH = 256 + 'Bearer '.length;

/** How the tokens with one prefix become callers. */
type Resolver = {
  /** Returns null unless the token is cached and valid. No I/O. */
  cached(app: App, token: string): TokenCaller | null;
  /** Reads the database. Returns null for a token that is unknown. */
  load(app: App, token: string): Promise<TokenCaller | RefusedCaller | null>;
};

const apiKeyResolver: Resolver = { cached: cachedKeyCaller, load: loadKeyCaller };
/** For a member, or for an OAuth client for itself. */
const sessionResolver: Resolver = {
  cached: (app, token) => cachedSessionCaller(app, token) ?? cachedClientCaller(app, token),
  load: async (app, token) => (await loadSessionCaller(app, token)) ?? loadClientCaller(app, token),
};

/** Every kind of token but the root key, which may have any form. */
const resolvers: readonly { prefix: TokenPrefix; resolver: Resolver }[] = [
  { prefix: 'svc_live_', resolver: apiKeyResolver },
  { prefix: 'svc_test_', resolver: apiKeyResolver },
  { prefix: 'svc_mst_', resolver: sessionResolver },
];

/** Returns null unless the request has a bearer token that is cached and valid. No I/O. */
export function cachedCaller(app: App, request: FastifyRequest): Caller | null {
  const token = readBearer(request);
  const caller = token === null ? null : resolverOf(token)?.resolver.cached(app, token);
  return caller ? bindToProject(caller, request) : null;
}

const resolverOf = (token: string) => resolvers.find(({ prefix }) => token.startsWith(prefix));

/** Returns the caller at once when the credential is cached, else a promise of it. */
export function authenticate(app: App, request: FastifyRequest, access: Access): Caller | Promise<Caller> {
  const { authorization, cookie } = request.headers;
  // A bearer token decides alone: a browser adds its cookie to every request.
  if (authorization === undefined) {
    const session = readSessionCookie(app, cookie);
    if (session !== null) return accountCaller(app, request, session);
    if (access === 'account' || access === 'account_admin' || access === 'account_owner') throw refuse.notSignedIn();
  }
  const token = readBearer(request);
  if (token === null) return refuseCredential(app, request, 'malformed');
  const found = resolverOf(token);
  const caller = found?.resolver.cached(app, token);
  if (caller) return bindToProject(caller, request);
  if (found && isWellFormed(token, [found.prefix])) return loadCaller(app, request, token, found.resolver);
  if (isRootKey(app, token)) return rootCaller(app, request);
  return refuseCredential(app, request, 'malformed');
}

async function loadCaller(app: App, request: FastifyRequest, token: string, resolver: Resolver): Promise<Caller> {
  const caller = await app.lookups.run(
    clientNetwork(request.ip),
    // The token may have been cached while this lookup was queued.
    async () => resolver.cached(app, token) ?? resolver.load(app, token),
  );
  if (caller === null) return refuseCredential(app, request, 'unknown');
  return caller.kind === 'refused' ? refuseCaller(app, request, caller) : bindToProject(caller, request);
}

/** The response says no more than for an unknown token. The trace of the request, in the caller's project, names the reason. */
async function refuseCaller(app: App, request: FastifyRequest, { caller, reason }: RefusedCaller): Promise<never> {
  request.refused_caller = caller;
  if (reason === 'member_session_expired') throw refuse.memberSessionExpired();
  return refuseCredential(app, request, 'unknown', reason);
}

/** For /metrics: the root key or TOOLGATE_METRICS_TOKEN. Anything else is a failed credential. */
export async function authenticateScrape(app: App, request: FastifyRequest): Promise<void> {
  const token = readBearer(request);
  if (token !== null && (isRootKey(app, token) || isMetricsToken(app, token))) return;
  await refuseCredential(app, request, 'malformed');
}

function isMetricsToken({ config }: App, token: string): boolean {
  return config.metrics_token !== null && timingSafeEqual(hashToken(token), hashToken(config.metrics_token));
}

/** For a public route that shows the operator more. Another bearer is not counted as a failure there. */
export function isRootBearer(app: App, request: FastifyRequest): boolean {
  const token = readBearer(request);
  return token !== null && isRootKey(app, token);
}

const isRootKey = (app: App, token: string) => timingSafeEqual(hashToken(token), app.root_key_hash);

/** 401, or 429 for an address that failed too often. */
async function refuseCredential(
  app: App,
  request: FastifyRequest,
  kind: FailureKind,
  hidden_reason?: Reason,
): Promise<never> {
  await countFailure(app, request, kind);
  throw refuse.invalidApiKey(hidden_reason ? { hidden_reason } : {});
}

async function countFailure(app: App, request: FastifyRequest, kind: FailureKind): Promise<void> {
  const now = app.now();
  const retry_after_seconds = await app.failures.count(kind, request.ip, now);
  if (retry_after_seconds === null) return;
  throw refuse.rateLimitExceeded({
    details: {
      limit: FAILURES_PER_MINUTE,
      retry_after_seconds,
      resets_at: new Date(now + retry_after_seconds * 1000).toISOString(),
      reason: 'failed_credentials_per_minute',
    },
    headers: { 'retry-after': String(retry_after_seconds) },
  });
}

/** Exactly one Authorization header, scheme Bearer in any case (RFC 7235 §2.1). Keys in the query string are not read. */
function readBearer(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return null;
  if (header.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  // Node keeps the first of two such headers and drops the second. Two are refused.
  const { rawHeaders } = request.raw;
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 13 && name.toLowerCase() === 'authorization') count += 1;
  }
  return count === 1 ? header.slice(7) : null;
}

/** A credential is valid for its own project only, whether the path or the header names another one. */
function bindToProject(caller: TokenCaller, request: FastifyRequest): Caller {
  const { project_id } = request.params as { project_id?: string };
  const { id } = caller.project;
  const is_other_header = (request.headers['x-project-id'] ?? id) !== id;
  if (!is_other_header && (project_id ?? id) === id) return caller;
  request.refused_caller = caller;
  if (is_other_header) throw refuse.invalidApiKey({ hidden_reason: 'other_project' });
  // Most likely a client that did not fill in the id. It says nothing about which projects exist.
  if (!isId('prj', project_id as string)) throw notAProjectId();
  throw refuse.invalidApiKey({ hidden_reason: 'other_project' });
}

/** The root key works on the project that the path or X-Project-Id names. */
async function rootCaller(app: App, request: FastifyRequest): Promise<Caller> {
  return { kind: 'root', project: await findNamedProject(app, request) };
}

/** A person works on every project of its organization. One of another organization is the same to it as none. */
async function accountCaller(app: App, request: FastifyRequest, session: string): Promise<Caller> {
  requireSameOrigin(app, request);
  // A stream that stays open is checked again and again, which is no use of the session.
  const is_use = (request.caller as Caller | null) === null;
  const caller = await app.lookups.run(clientNetwork(request.ip), () => resumeSession(app, session, is_use));
  if (caller === null) {
    await countFailure(app, request, 'unknown');
    throw refuse.notSignedIn({ details: { reason: 'session_ended' } });
  }
  const project = await findNamedProject(app, request);
  if (project !== null && project.organization_id !== caller.organization_id && !mayOpenAll(caller, request))
    throw refuse.notFound();
  return { ...caller, project };
}

/** The operator's people set the plan of any project (contract 12); such routes say so. */
function mayOpenAll({ is_operator }: AccountCaller, { routeOptions }: FastifyRequest): boolean {
  return is_operator && routeOptions.config.operators_of_all === true;
}

async function findNamedProject(app: App, request: FastifyRequest): Promise<Project | null> {
  const { project_id } = request.params as { project_id?: string };
  const named = project_id ?? request.headers['x-project-id'];
  if (named === undefined) return null;
  const project = await findProject(app, String(named));
  if (project) return project;
  throw isId('prj', String(named)) ? refuse.notFound() : notAProjectId();
}

const notAProjectId = () => refuse.notFound({ details: { reason: 'not_a_project_id' } });
