// 405 with Allow for a path that exists with other methods; Fastify would respond with 404.

import type { HTTPMethods } from 'fastify';
import type { Server } from '../api/route.ts';
import { refuse } from '../errors/errors.ts';

const METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Collects the routes that are added from now on. Call the returned function after the last one. */
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
        // Runs before the body is read; a route must have a handler too.
        onRequest: refuseMethod,
        handler: refuseMethod,
      });
    }
  };
}
