// Serves the routes of the contract. The handlers are checked against the descriptions by the compiler: a route without a
// handler, a handler without a route, and a response of another type do not compile.

import { type Parameter, parameters } from '@toolgate/contract/parameters.ts';
import type { BodyOf, HeadersOf, ParamsOf, QueryOf, ResponseOf, Route, Routes } from '@toolgate/contract/route.ts';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App } from '../app.ts';
import { create, idempotencyHeaders } from './create.ts';
import { withRequestOrigin } from './request-origin.ts';
import { noContent, publicResponses, responses } from './responses.ts';
import type { Server } from './route.ts';
import { sendJson } from './send-json.ts';

const API_ROOT = '/api/v1';

/** The request as the description says; `raw` for what no description has: headers, the address of the client. */
type Input<R extends Route> = {
  caller: FastifyRequest['caller'];
  params: ParamsOf<R>;
  query: QueryOf<R>;
  headers: HeadersOf<R>;
  body: BodyOf<R>;
  raw: FastifyRequest;
  reply: FastifyReply;
};

/** `app` knows where a request that changes something came from. It returns the reply if it has sent the response itself. */
type Handler<R extends Route> = (app: App, input: Input<R>) => Promise<ResponseOf<R> | FastifyReply> | ResponseOf<R>;

/** What only the server needs to know of a route. */
type ServerConfig = Omit<FastifyContextConfig, 'access' | 'admin_in_production'> & {
  /** For the body, in bytes, if it differs from the default. */
  body_limit?: number;
  /** The handler itself sees to the Idempotency-Key and to the origin of the request, and sends the response. */
  handles_idempotency_key?: true;
};

export function implement<R extends Routes>(
  server: Server,
  app: App,
  routes: R,
  handlers: { [Id in keyof R]: Handler<R[Id]> },
  config: { [Id in keyof R]?: ServerConfig } = {},
): void {
  for (const [operationId, route] of Object.entries(routes)) {
    const { method, path, access, admin_in_production = false } = route;
    const handle = handlers[operationId] as unknown as Handler<Route>;
    const { body_limit, handles_idempotency_key, ...routeConfig }: ServerConfig = config[operationId] ?? {};
    server.route({
      method,
      url: API_ROOT + path,
      config: { access, admin_in_production, ...routeConfig },
      ...(body_limit && { bodyLimit: body_limit }),
      schema: schemaOf(operationId, route),
      handler: handles_idempotency_key
        ? (request, reply) => handle(app, inputOf(request as FastifyRequest, reply as never))
        : (request, reply) => serve(app, route, handle, request as FastifyRequest, reply as never),
    });
  }
}

function inputOf(raw: FastifyRequest, reply: FastifyReply): Input<Route> {
  const { caller, params, query, headers, body } = raw;
  return { caller, params, query, headers, body, raw, reply } as Input<Route>;
}

async function serve(app: App, route: Route, handle: Handler<Route>, raw: FastifyRequest, reply: FastifyReply) {
  const input = inputOf(raw, reply);
  if (route.takes_idempotency_key)
    return create(app, raw, reply, (app) => handle(app, input) as Promise<object>, { status: route.status ?? 200 });
  const response = await handle(route.method === 'GET' ? app : withRequestOrigin(app, raw), input);
  if (reply.sent || response === reply) return reply;
  if (route.response === null) return reply.code(204).send();
  if (route.status === undefined && isPlain(reply)) return sendJson(reply, [JSON.stringify(response)]);
  return reply.code(route.status ?? 200).send(response);
}

/** The handler has set neither a status nor a header. */
const isPlain = (reply: FastifyReply) => reply.statusCode === 200 && Object.keys(reply.getHeaders()).length === 0;

function schemaOf(operationId: string, route: Route) {
  const {
    path,
    summary,
    description,
    tag,
    query,
    headers,
    body,
    response,
    status = 200,
    status_if_unchanged,
    accepted,
    consumes,
  } = route;
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof typeof parameters);
  const params = Object.fromEntries(names.map((name) => [name, parameterSchema(parameters[name])]));
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(names.length > 0 && { params: z.strictObject(params) }),
    ...(query && { querystring: query }),
    ...(route.takes_idempotency_key
      ? { headers: headers ? idempotencyHeaders.extend(headers.shape) : idempotencyHeaders }
      : headers && { headers }),
    ...(consumes && { consumes: [...consumes] }),
    ...(body && { body }),
    response: refusalsOf(route)(
      response === null
        ? { 204: noContent }
        : {
            ...(status_if_unchanged && { [status_if_unchanged]: response }),
            [status]: response,
            ...(accepted && { 202: accepted }),
          },
    ),
  };
}

const parameterSchema = ({ schema = z.string(), ...meta }: Parameter) => schema.meta(meta);

/** The refusals that follow from what the route takes, and its own. */
function refusalsOf({ access, query, body, takes_idempotency_key, errors = [] }: Route) {
  const own = [...errors];
  if (query || body) own.push('validation');
  if (takes_idempotency_key) own.push('idempotencyKeyInUse', 'idempotencyResponseNotKept', 'idempotencyKeyReused');
  const describe = access === 'public' ? publicResponses : responses;
  return (success: Record<number, unknown>) => describe(success, ...own);
}
