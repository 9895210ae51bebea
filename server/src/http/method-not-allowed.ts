// 405 with Allow for a path that exists but not with this method; Fastify alone would say 404.

import type { HTTPMethods } from 'fastify';
import type { Server } from '../api/route.ts';
import { refuse } from '../errors.ts';

const METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Collects the routes from now on; call the answer once all are there. */
export function collectMethods(server: Server): () => void {
  const byUrl = new Map<string, Set<string>>();
  let complete = false;
  server.addHook('onRoute', ({ url, method }) => {
    if (complete) return;
    const known = byUrl.get(url) ?? new Set<string>();
    for (const each of [method].flat()) known.add(each);
    byUrl.set(url, known);
  });
  return () => {
    complete = true;
    for (const [url, known] of byUrl) {
      const missing = METHODS.filter((method) => !known.has(method));
      const allow = [...known].sort().join(', ');
      if (missing.length === 0) continue;
      const refuseMethod = () => {
        throw refuse.methodNotAllowed({ headers: { allow } });
      };
      server.route({
        url,
        method: missing,
        config: { access: 'public' },
        schema: { hide: true },
        // Before the body is read; the handler is only there because a route must have one.
        onRequest: refuseMethod,
        handler: refuseMethod,
      });
    }
  };
}
