// Checks the credential of a response that stays open: whether it is still valid and has the permission of the route. Not counted
// as a request. A cached credential needs no query.

import type { FastifyRequest } from 'fastify';
import type { CallerAccess, Server } from '../api/route.ts';
import type { App } from '../app.ts';
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';

export function addReauthorize(server: Server, app: App): void {
  server.decorateRequest('reauthorize', async function reauthorize(this: FastifyRequest): Promise<void> {
    const { caller, routeOptions } = this;
    const { admin_in_production } = routeOptions.config;
    const access = (routeOptions.config.access ?? 'admin') as CallerAccess;
    // The root key does not end, but its project can be deleted. The session of an account is not cached.
    const current = 'reauthenticate' in caller ? await caller.reauthenticate() : await authenticate(app, this, access);
    authorize(current, { access, admin_in_production });
  });
}
