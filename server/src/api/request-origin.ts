// Where a request came from, for operations that record it in the audit log.

import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';

/** For routes that change something: `changeProject(withRequestOrigin(app, request), request.caller, …)`. */
export function withRequestOrigin(app: App, request: Pick<FastifyRequest, 'ip' | 'id'>): App {
  return { ...app, request_origin: { ip: request.ip, request_id: request.id } };
}
