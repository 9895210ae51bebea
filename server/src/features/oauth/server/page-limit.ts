// How often one client network may begin sign-ins, each of which stores a row, or fail in one. The further pages of a sign-in are
// not counted, and whoever has begun one may finish it: a whole office has one address.

import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { createNetworkLimit } from '../../../limits/network-limit.ts';

const PER_MINUTE = 600;

export function limitPages(server: Server, app: App): void {
  const limit = createNetworkLimit({ max: PER_MINUTE, window_ms: 60_000 });
  server.addHook('onRequest', (request, _reply, done) => {
    const { begins_sign_in } = request.routeOptions.config;
    const now = app.now();
    const wait = limit.wait(request.ip, now, 'failed') ?? (begins_sign_in ? limit.count(request.ip, now, 'new') : null);
    done(wait === null ? undefined : refuse.rateLimitExceeded({ headers: { 'retry-after': String(wait) } }));
  });
  server.addHook('onResponse', (request, { statusCode }, done) => {
    if (statusCode >= 400 && statusCode < 500 && statusCode !== 429) {
      const now = app.now();
      limit.count(request.ip, now, 'failed');
      if (!request.routeOptions.config.begins_sign_in) limit.count(request.ip, now, 'new');
    }
    done();
  });
}
