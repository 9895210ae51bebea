// The Fastify instance: limits, request ids, the checks of every request in their order, and one log line for each request.

import type { Access } from '@toolgate/contract/route.ts';
import Fastify, { type FastifyRequest, type onRequestHookHandler, type preValidationHookHandler } from 'fastify';
import { invalidJson } from '../api/invalid-body.ts';
import { responseHeaders } from '../api/response-headers.ts';
import type { Server } from '../api/route.ts';
import { showName } from '../api/show-name.ts';
import type { App } from '../app.ts';
import type { Dashboard } from '../dashboard/open.ts';
import { runWithDeadline } from '../database/deadline.ts';
import { newId } from '../database/ids.ts';
import { type JsonLimits, JsonProblem, parseStrict } from '../engines/json-text/parse-strict.ts';
import { invalidField, refuse } from '../errors/errors.ts';
import type { RecordRequest, RouteKind } from '../metrics/request-metrics.ts';
import { pace, shareOf } from '../outbound/pace.ts';
import { whenReady } from '../when-ready.ts';
import { observeResponses } from './after-response.ts';
import { authenticate, authenticateScrape, cachedCaller } from './authenticate.ts';
import { authorize, requireDeclaredAccess } from './authorize.ts';
import { limitConnections } from './connections.ts';
import { sendNotFoundPage } from './dashboard.ts';
import { requireDatabasePermits } from './database-permit.ts';
import { errorResponse, respondToBrokenHttp } from './error-response.ts';
import { limitRate } from './rate-limit.ts';
import { addReauthorize } from './reauthorize.ts';
import { allowSlowBodies } from './slow-bodies.ts';
import { traceRequests } from './trace-requests.ts';
import { validatorCompiler } from './validation.ts';

const BODY_LIMIT = 1024 * 1024;
/** For a route that needs no credential, unless it sets its own: anybody can make the server read and parse that much. */
const PUBLIC_BODY_LIMIT = 16 * 1024;
const JSON_LIMITS: JsonLimits = { max_depth: 32 };
/** A slower request gets 408. The second limit is for the whole request, with a body of up to 1 MiB. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Without a byte in either direction. Longer than any tool call; it ends clients that do not read their response. */
const IDLE_TIMEOUT_MS = 120_000;

/** About what a tool call takes of the event loop. */
const REQUEST_MS = 0.5;

export function createServer(app: App, dashboard: Dashboard | null = null): Server {
  const respondWithError = errorResponse(app);
  const server = Fastify({
    bodyLimit: BODY_LIMIT,
    genReqId: () => newId('req'),
    requestIdHeader: false,
    logger: false,
    trustProxy: app.config.trusted_proxies.length > 0 ? app.config.trusted_proxies : false,
    // While closing, Fastify would respond in its own format. Idle connections are closed, and active requests finish.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    http: { requireHostHeader: false, headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 1000 },
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: respondWithError,
    clientErrorHandler: respondToBrokenHttp(app),
  }) as unknown as Server;

  // Expectations other than `100-continue` are ignored (RFC 9110 10.1.1).
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  limitConnections(server.server, app);
  requireDeclaredAccess(server);
  server.setValidatorCompiler(validatorCompiler as never);
  server.setSerializerCompiler(() => JSON.stringify);
  server.setErrorHandler(respondWithError);
  server.setNotFoundHandler((request, reply) => respondWithError(refuse.notFound(), request, reply));
  server.decorate('is_stopping', false);
  server.decorate('is_replaced', false);
  server.decorate('is_https', app.config.public_url.startsWith('https:'));
  server.addHook('preClose', (done) => {
    server.is_stopping = true;
    done();
  });
  server.decorateRequest('caller', null as never);
  server.decorateRequest('refusal', null);
  server.decorateRequest('refused_caller', null);
  server.decorateRequest('route', null);
  server.decorateRequest('arrived_at', 0);
  server.decorateRequest('rate_limit', null);
  addReauthorize(server, app);
  readJsonStrictly(server);
  traceRequests(server, app);
  observeResponses(server, app);
  checkEveryRequest(server, app, dashboard);
  requireDatabasePermits(server, app);
  allowSlowBodies(server, app);
  logEveryRequest(server, app);
  return server;
}

function checkEveryRequest(server: Server, app: App, dashboard: Dashboard | null): void {
  server.addHook('onRequest', (request, reply, done) => {
    request.arrived_at = performance.now();
    if (!hasOneHost(request.raw)) return done(refuse.malformedRequest());
    // PostgreSQL cannot store NUL, so no id or cursor contains it.
    if (request.url.includes('%00')) return done(refuse.malformedRequest());
    if (!request.is404) return done();
    // Here and not in the handler, so that the body of such a request is not read.
    if (!sendNotFoundPage(dashboard, request, reply)) done(refuse.notFound());
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    const cache_control = reply.getHeader('cache-control');
    reply.headers(responseHeaders(request));
    // Only a page that is the same for everybody sets one itself.
    if (cache_control !== undefined) reply.header('cache-control', cache_control);
    done(null, payload);
  });
  // One hook for each route: `request.routeOptions` builds a new object at each request.
  server.addHook('onRoute', (route) => {
    const { access = 'admin', admin_in_production, json_limits = JSON_LIMITS, kind = 'api' } = route.config ?? {};
    if (access === 'public') route.bodyLimit ??= PUBLIC_BODY_LIMIT;
    const { operationId, body } = route.schema ?? {};
    if (operationId && !body) route.preValidation = [refuseFields, ...[route.preValidation ?? []].flat()];
    route.onRequest = [
      admission(
        app,
        { access, admin_in_production },
        { url: route.url, kind, json_limits, record: app.metrics.requests.forRoute(route.url, kind) },
      ),
      ...[route.onRequest ?? []].flat(),
    ];
  });
}

/** RFC 9112 3.2: exactly one Host header; HTTP/1.0 may have none. Node would take the first of two. */
function hasOneHost({ rawHeaders, httpVersionMinor }: FastifyRequest['raw']): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0);
}

/** For routes that take no body. */
const refuseFields: preValidationHookHandler = ({ body }, _reply, done) => {
  const [field] = typeof body === 'object' && body !== null && !Buffer.isBuffer(body) ? Object.keys(body) : [];
  if (field === undefined) return done();
  done(invalidField(showName(field), 'is not a known field', { reason: 'unknown_field' }));
};

/** Checks the credential, the rate limit and the permission, in this order, before the body is read. */
function admission(
  app: App,
  { access, admin_in_production }: { access: Access; admin_in_production: boolean | undefined },
  route: FastifyRequest['route'],
): onRequestHookHandler {
  if (access === 'metrics') return scrapeAdmission(app, route);
  const rule = { access, admin_in_production };
  const admit = (request: FastifyRequest, caller: FastifyRequest['caller']): void | Promise<void> => {
    request.caller = caller;
    return whenReady(limitRate(app, caller, request), () => authorize(caller, rule));
  };
  return (request, _reply, done) => {
    request.route = route;
    if (access === 'public') return done();
    try {
      if (!app.isUp()) throw refuse.serviceUnavailable({ headers: { 'retry-after': '1' } });
      // Most credentials are cached. Then nothing waits for the database, and no promise is created.
      const caller =
        cachedCaller(app, request) ?? runWithDeadline(request.arrived_at, () => authenticate(app, request, access));
      const admitted = whenReady(caller, (found) => admit(request, found));
      if (!(admitted instanceof Promise)) return startPaced(request, done);
      admitted.then(() => startPaced(request, done), done);
    } catch (error) {
      done(error as Error);
    }
  };
}

/** Requests that arrive together start a few at a time, the next one from the project that has used least. */
function startPaced({ caller: { project } }: FastifyRequest, start: () => void): void {
  if (project === null) start();
  else pace(shareOf(project.fairness_key), REQUEST_MS, start);
}

/** Works while the database is unavailable, and is not counted against a project. */
function scrapeAdmission(app: App, route: FastifyRequest['route']): onRequestHookHandler {
  return (request, _reply, done) => {
    request.route = route;
    authenticateScrape(app, request).then(() => done(), done);
  };
}

function readJsonStrictly(server: Server): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      done(null, parseStrict(body as Buffer, request.route?.json_limits ?? JSON_LIMITS));
    } catch (error) {
      if (!(error instanceof JsonProblem)) return done(error as Error);
      done(invalidJson(error));
    }
  });
}

/** Only the fields listed here are logged. A URL, a header or a body may hold a secret. */
function logEveryRequest(server: Server, app: App): void {
  if (!app.log.isLevelEnabled('info')) return;
  server.addHook('onResponse', (request, reply, done) => {
    const caller = request.caller as FastifyRequest['caller'] | null;
    const fields = {
      request_id: request.id,
      method: request.method,
      route: request.route?.url ?? null,
      status: reply.statusCode,
      code: request.refusal?.code ?? null,
      duration_ms: Math.round(reply.elapsedTime * 1000) / 1000,
      project_id: caller?.project?.id ?? null,
      caller: caller === null ? null : callerId(caller),
    };
    app.log.info(fields, 'request');
    done();
  });
}

function callerId(caller: FastifyRequest['caller']): string {
  switch (caller.kind) {
    case 'api_key':
      return caller.api_key_id;
    case 'member':
    case 'oauth_client':
      return caller.session_id;
    case 'account':
      return caller.account_id;
    case 'root':
      return 'root';
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** By the monotonic clock. */
    arrived_at: number;
    /** The route's path template, the limits of its body, and its metrics. `routeOptions` is a new object at each access. */
    route: {
      url: string;
      kind: RouteKind;
      json_limits: JsonLimits;
      record: RecordRequest;
    } | null;
  }
}
