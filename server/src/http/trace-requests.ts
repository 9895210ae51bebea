// The OpenTelemetry span of every request. Without an OTLP endpoint no hook is added.

import type { FastifyRequest } from 'fastify';
import type { Server } from '../api/route.ts';
import type { App } from '../app.ts';

export function traceRequests(server: Server, { tracing }: App): void {
  server.decorateRequest('span', null);
  if (tracing === null) return;
  server.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    request.span = tracing.startRequest(typeof traceparent === 'string' ? traceparent : undefined);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    endSpan(request, reply.statusCode);
    done();
  });
}

export function endSpan(request: FastifyRequest, status: number): void {
  const caller = request.caller as FastifyRequest['caller'] | null;
  request.span?.end({
    method: request.method,
    route: request.route?.url ?? null,
    status,
    code: request.refusal?.code ?? null,
    request_id: request.id,
    project_id: caller?.project?.id ?? null,
  });
}
