// The Fastify instance: limits, request ids, the order of the checks every request passes, and one log line a request.

import Fastify, { type FastifyRequest, type onRequestHookHandler, type preValidationHookHandler } from 'fastify';
import { responseHeaders } from '../api/response-headers.ts';
import type { Access, Server } from '../api/route.ts';
import type { App } from '../app.ts';
import { newId } from '../database/ids.ts';
import { type ApiError, refuse } from '../errors.ts';
import { type JsonLimits, JsonProblem, parseStrict } from '../json/parse-strict.ts';
import { authenticate } from './authenticate.ts';
import { authorize, requireDeclaredAccess } from './authorize.ts';
import { limitConnections } from './connections.ts';
import { requireDatabasePermits } from './database-permit.ts';
import { errorReply, replyToBrokenHttp } from './error-reply.ts';
import { limitRate } from './rate-limit.ts';
import { showName, validatorCompiler } from './validation.ts';

const BODY_LIMIT = 1024 * 1024;
const JSON_LIMITS: JsonLimits = { max_depth: 32 };
/** Whoever is slower is answered with 408; a whole request has as long as its body of 1 MiB may take. */
const HEADERS_WITHIN_MS = 15_000;
const REQUEST_WITHIN_MS = 30_000;
/** No byte either way: longer than any tool call may take, and the end for a client that does not read its answer. */
const SILENT_MS = 120_000;

export function createServer(app: App): Server {
  const replyWithError = errorReply(app.log);
  const server = Fastify({
    bodyLimit: BODY_LIMIT,
    genReqId: () => newId('req'),
    requestIdHeader: false,
    logger: false,
    trustProxy: app.config.trusted_proxies.length > 0 ? app.config.trusted_proxies : false,
    // Fastify would answer in its own form while it closes; idle connections are closed and the rest may finish.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_WITHIN_MS,
    connectionTimeout: SILENT_MS,
    http: { requireHostHeader: false, headersTimeout: HEADERS_WITHIN_MS, connectionsCheckingInterval: 1000 },
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: replyWithError,
    clientErrorHandler: replyToBrokenHttp,
  }) as unknown as Server;

  // Nothing but `100-continue` can be expected here: whatever else is asked for is passed over (RFC 9110 10.1.1).
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  limitConnections(server.server, app);
  requireDeclaredAccess(server);
  server.setValidatorCompiler(validatorCompiler as never);
  server.setSerializerCompiler(() => JSON.stringify);
  server.setErrorHandler(replyWithError);
  server.setNotFoundHandler((request, reply) => replyWithError(refuse.notFound(), request, reply));
  server.decorate('is_stopping', false);
  server.addHook('preClose', (done) => {
    server.is_stopping = true;
    done();
  });
  server.decorateRequest('caller', null as never);
  server.decorateRequest('refusal', null);
  server.decorateRequest('route', null);
  server.decorateRequest('rate_limit', null);
  readJsonStrictly(server);
  checkEveryRequest(server, app);
  requireDatabasePermits(server, app);
  logEveryRequest(server, app);
  return server;
}

function checkEveryRequest(server: Server, app: App): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (!namesOneHost(request.raw)) return done(refuse.malformedRequest());
    // No name in a path or query holds NUL, and PostgreSQL fails on it.
    if (request.url.includes('%00')) return done(refuse.malformedRequest());
    // Here and not in the handler: nobody has a body read who is nobody and asks for nothing.
    done(request.is404 ? refuse.notFound() : undefined);
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    reply.headers(responseHeaders(request));
    done(null, payload);
  });
  // One for each route, which knows its access: Fastify would put a route's options together anew at each request.
  server.addHook('onRoute', (route) => {
    const { access = 'admin', json_limits = JSON_LIMITS } = route.config ?? {};
    const { operationId, body } = route.schema ?? {};
    if (operationId && !body) route.preValidation = [refuseFields, ...[route.preValidation ?? []].flat()];
    route.onRequest = [admission(app, access, { url: route.url, json_limits }), ...[route.onRequest ?? []].flat()];
  });
}

/** RFC 9112 3.2: HTTP/1.1 names its host, and nobody names two. Node would answer on its own, or take the first. */
function namesOneHost({ rawHeaders, httpVersionMinor }: FastifyRequest['raw']): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0);
}

/** Of a route that takes none. */
const refuseFields: preValidationHookHandler = ({ body }, _reply, done) => {
  const [field] = typeof body === 'object' && body !== null && !Buffer.isBuffer(body) ? Object.keys(body) : [];
  const details = { field: showName(field ?? ''), reason: 'is not a known field' };
  done(field === undefined ? undefined : refuse.validation({ details }));
};

/** In this order: the credential, the limit, the permission; the body is read only for who passes. */
function admission(app: App, access: Access, route: FastifyRequest['route']): onRequestHookHandler {
  const admit = (request: FastifyRequest, caller: FastifyRequest['caller']): void | Promise<void> => {
    request.caller = caller;
    const counting = limitRate(app, caller, request);
    if (counting instanceof Promise) return counting.then(() => authorize(caller, access));
    authorize(caller, access);
  };
  return (request, _reply, done) => {
    request.route = route;
    if (access === 'public') return done();
    try {
      if (!app.isUp()) throw refuse.serviceUnavailable({ headers: { 'retry-after': '1' } });
      const caller = authenticate(app, request);
      // Most credentials are remembered: then no promise is made and no turn of the event loop is lost.
      const admitted =
        caller instanceof Promise ? caller.then((found) => admit(request, found)) : admit(request, caller);
      if (!(admitted instanceof Promise)) return done();
      admitted.then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
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
      done(refuseBody(error));
    }
  });
}

/** Depth and size are no question of JSON's grammar: it is the field's value that is not accepted. */
function refuseBody({ kind, member, message }: JsonProblem): ApiError {
  const details = { ...(member === undefined ? {} : { field: showName(member) }), reason: message };
  return kind === 'depth' || kind === 'size' ? refuse.validation({ details }) : refuse.invalidJson({ details });
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
      code: request.refusal,
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
      return caller.session_id;
    case 'root':
      return 'root';
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The path as it is written in the code, for the log, and the limits of a body. `routeOptions` is made anew at each look. */
    route: { url: string; json_limits: JsonLimits } | null;
  }
}
