// Forgery protection. A browser adds the session cookie to requests that pages of other sites make, but it also says where each
// request comes from: only a page of this server may use the cookie (contract 12).

import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { refuse } from '../errors/errors.ts';

type Request = Pick<FastifyRequest, 'method' | 'headers'>;

/** For a request with the cookie. A request that may change something must name its origin. */
export function requireSameOrigin(app: App, request: Request): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && request.headers.origin === undefined) throw originRefused();
  refuseOtherOrigin(app, request);
}

/** For a request without a cookie, such as a sign-in: clients that are no browsers send no Origin. */
export function refuseOtherOrigin({ config }: App, { headers }: Request): void {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  // `none`: the person opened the URL themselves.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw originRefused();
  if (origin === undefined || origin === config.public_url) return;
  // The server is often reached under more names than one, such as localhost. No page can set Host.
  const [scheme] = config.public_url.split('//', 1);
  if (origin !== `${scheme}//${host}`) throw originRefused();
}

/**
 * For a link that starts something by GET: whether a page of this server led to it. Browsers that do not say so, and links that the
 * person opened outside of a browser, count as another site.
 */
export const isFromOwnPage = ({ headers }: Pick<FastifyRequest, 'headers'>) =>
  headers['sec-fetch-site'] === 'same-origin';

const originRefused = () => refuse.originNotAllowed({ details: { field: 'Origin' } });
