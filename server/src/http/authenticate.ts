// Bearer token → Caller. Every bad credential gets the same 401: missing, malformed, unknown, inactive, revoked, expired,
// of another project (spec 5.4, contract 3). Only a member session that expired is told so (spec 7).

import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Caller, ToolCaller } from '../access/caller.ts';
import type { App } from '../app.ts';
import { type ApiError, refuse } from '../errors.ts';
import { cachedKeyCaller, loadKeyCaller } from '../features/api-keys/verify.ts';
import { cachedSessionCaller, loadSessionCaller } from '../features/member-sessions/resume.ts';
import { findProject } from '../features/projects/find.ts';
import { countFailure, type FailureKind } from '../limits/failures.ts';
import { network } from '../limits/network.ts';
import { hashToken, isWellFormed } from '../secrets/tokens.ts';

const LONGEST_HEADER = 256 + 'Bearer '.length;

/** The caller at once when the credential is remembered, else a promise of it. */
export function authenticate(app: App, request: FastifyRequest): Caller | Promise<Caller> {
  const token = readBearer(request);
  if (token === null) throw fail(app, request, 'malformed');
  const isSession = token.startsWith('svc_mst_');
  const cached = isSession ? cachedSessionCaller : cachedKeyCaller;
  const known = cached(app, token);
  if (known) return bindToProject(known, request);
  if (isWellFormed(token, ['svc_live_', 'svc_test_', 'svc_mst_'])) {
    const find = isSession ? loadSessionCaller : loadKeyCaller;
    // Cached meanwhile, if the one before in the queue had the same token.
    const finding = app.lookups.run<ToolCaller | null>(
      network(request.ip),
      async () => cached(app, token) ?? find(app, token),
    );
    return finding.then((caller) => {
      if (!caller) throw fail(app, request, 'unknown');
      return bindToProject(caller, request);
    });
  }
  if (timingSafeEqual(hashToken(token), app.root_key_hash)) return rootCaller(app, request);
  throw fail(app, request, 'malformed');
}

/** For a public route that tells the operator more. Anybody else's bearer is no failure there. */
export function isRootBearer(app: App, request: FastifyRequest): boolean {
  const token = readBearer(request);
  return token !== null && timingSafeEqual(hashToken(token), app.root_key_hash);
}

/** 401, or 429 for an address that failed too often. Only a request that fails anyway gets here. */
function fail(app: App, request: FastifyRequest, kind: FailureKind): ApiError {
  const seconds = countFailure(app.failures, kind, request.ip, app.now());
  if (seconds === null) return refuse.invalidApiKey();
  return refuse.rateLimitExceeded({ headers: { 'retry-after': String(seconds) } });
}

/** Exactly one Authorization header, scheme Bearer in any case (RFC 7235 §2.1). Keys in the query string are not read. */
function readBearer(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined || header.length > LONGEST_HEADER) return null;
  if (header.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  // Node keeps the first of two such headers and drops the other; two are one too many.
  const { rawHeaders } = request.raw;
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 13 && name.toLowerCase() === 'authorization') count += 1;
  }
  return count === 1 ? header.slice(7) : null;
}

/** A key opens its own project only, whichever way the request names another. */
function bindToProject(caller: ToolCaller, request: FastifyRequest): Caller {
  const { project_id } = request.params as { project_id?: string };
  const header = request.headers['x-project-id'];
  if ((project_id ?? caller.project.id) !== caller.project.id || (header ?? caller.project.id) !== caller.project.id) {
    throw refuse.invalidApiKey();
  }
  return caller;
}

/** The root key works on the project that the path or X-Project-Id names. */
async function rootCaller(app: App, request: FastifyRequest): Promise<Caller> {
  const { project_id } = request.params as { project_id?: string };
  const named = project_id ?? request.headers['x-project-id'];
  if (named === undefined) return { kind: 'root', project: null };
  const project = await findProject(app, String(named));
  if (!project) throw refuse.notFound();
  return { kind: 'root', project };
}
