// POST /api/v1/mcp (and /mcp): Streamable HTTP without sessions. One JSON response to one POST, but for subscriptions/listen; each
// request has its own revision.
// Each project has a URL of its own, so that a client without a credential knows where to sign in. Each of these has one for
// every toolset of the project, which lists and calls only the tools of that toolset. docs/design/mcp-endpoint.md explains why.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenCaller } from '../access/caller.ts';
import { errorToRefusal } from '../api/error-to-refusal.ts';
import type { Server } from '../api/route.ts';
import { sendJson } from '../api/send-json.ts';
import type { App } from '../app.ts';
import { refuse } from '../errors/errors.ts';
import { recordConnection } from '../features/projects/projects/record-connection.ts';
import { forbiddenChallenge, unauthorizedChallenge } from './challenge.ts';
import { descriptions } from './description.ts';
import { dispatch, dispatchBatch, type McpRequest } from './dispatch.ts';
import { errorResponse, type McpResponse } from './error-response.ts';
import { parseBody, RpcError, wholeText } from './json-rpc.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { narrowToToolset } from './narrow-to-toolset.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { createOriginCheck } from './origin.ts';
import { readRequestId } from './read-request-id.ts';

const endpoints = ['/api/v1/mcp', '/api/v1/mcp/:project_id', '/mcp', '/mcp/:project_id'];
const paths = endpoints.flatMap((path) => [path, `${path}/toolsets/:slug`]);

export async function mcpRoutes(server: Server, app: App): Promise<void> {
  const checkOrigin = createOriginCheck(app.config.public_url);
  const listeners = createListeners(app, () => server.is_stopping);
  await server.register(async (mcp: Server) => {
    mcp.removeAllContentTypeParsers();
    mcp.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    mcp.addHook('onRequest', ({ headers }, _reply, done) => {
      checkOrigin(headers);
      done();
    });
    mcp.setErrorHandler(async (error, request, reply) => {
      const id = await readRequestId(request);
      // Fastify's own errors are refusals here, because only the request knows the limits of its body.
      const refusal = error instanceof RpcError ? error : errorToRefusal(error, request);
      return send(app, reply, errorResponse(app, refusal, id, request.id));
    });
    for (const url of paths) {
      mcp.post(
        url,
        {
          config: { access: 'caller', database_permit: false, kind: 'mcp' },
          schema: descriptions[url] ?? { hide: true },
        },
        async (request, reply) => {
          const notifier = createNotifier(reply);
          const response = await handlePost(app, listeners, notifier, request);
          return notifier?.end(response.body) ? reply : send(app, reply, response);
        },
      );
      mcp.route({
        url,
        method: ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'],
        config: { access: 'public' },
        schema: { hide: true },
        // Refused before the body is read. The handler never runs; Fastify requires one.
        onRequest: refuseMethod,
        handler: refuseMethod,
      });
    }
  });
}

async function handlePost(
  app: App,
  listeners: Listeners,
  notifier: Notifier | null,
  request: FastifyRequest,
): Promise<McpResponse> {
  const { body, headers, id } = request;
  const { slug } = request.params as { slug?: string };
  const credential = request.caller as TokenCaller;
  const value = parseBody(body);
  const caller = slug === undefined ? credential : await narrowToToolset(app, credential, slug);
  recordConnection(app, caller.project);
  const mcpRequest: McpRequest = {
    app,
    caller,
    listeners,
    headers,
    body_bytes: (body as Buffer).length,
    request_id: id,
    http_request: request,
    // The messages of a batch have one response.
    notifier: Array.isArray(value) ? null : notifier,
  };
  return Array.isArray(value) ? dispatchBatch(mcpRequest, value) : dispatch(mcpRequest, value, null);
}

/** Without a promise, unless the credential was refused. */
function send(app: App, reply: FastifyReply, response: McpResponse): FastifyReply | Promise<FastifyReply> {
  const { status, headers, body, refusal, required_scope, open } = response;
  if (open) {
    open(reply);
    return reply;
  }
  if (refusal) reply.request.refusal = refusal;
  if (status === 200 && !headers)
    return typeof body === 'string' ? sendJson(reply, [body]) : sendJson(reply, body.parts, body.is_cached);
  if (headers) reply.headers(headers);
  if (status === 401) return sendUnauthorized(app, reply, body);
  // That of a refusal names the endpoint of the project. The client reads the metadata of the URL that it uses.
  if (required_scope) reply.header('www-authenticate', forbiddenChallenge(app, reply.request, required_scope));
  return reply.code(status).type('application/json; charset=utf-8').send(wholeText(body));
}

async function sendUnauthorized(app: App, reply: FastifyReply, body: McpResponse['body']): Promise<FastifyReply> {
  reply.header('www-authenticate', await unauthorizedChallenge(app, reply.request));
  return reply.code(401).type('application/json; charset=utf-8').send(wholeText(body));
}

/** There is no stream to open and no session to end. */
function refuseMethod(): never {
  throw refuse.methodNotAllowed({ headers: { allow: 'POST' } });
}
