// Serves the documentation site at /docs: its pages, their Markdown, and what they load. It changes with the version of the server only.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from '../api/route.ts';
import { type StaticFile, sendStaticFile } from '../api/static-file.ts';
import type { Documentation, Site } from '../dashboard/documentation.ts';
import { refuse } from '../errors/errors.ts';
import { headersOfPages, pageHeaders, STRICT_POLICY } from './page-headers.ts';
import { sendWaitingPage } from './waiting-page.ts';

const REFERENCE = '/docs/api/index.html';
/** Scalar, which draws the API reference, adds style elements and attributes. Scripts stay as strict as everywhere. */
const headersOfReference = pageHeaders({
  ...STRICT_POLICY,
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self' data:",
});
/** A picture has styles of its own. Opened as a page, it can do nothing. */
const headersOfPicture = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };

const hidden = { config: { access: 'public' as const }, schema: { hide: true } };

/** Without a dashboard, the first page of the server is that of the documentation. */
export function documentationRoutes(server: Server, documentation: Documentation, has_dashboard: boolean): void {
  if (!has_dashboard) server.get('/', hidden, (_, reply) => reply.redirect('/docs', 302));
  server.addHook('onClose', async () => documentation.stop());
  for (const url of ['/docs', '/docs.md', '/docs/*', '/llms.txt'])
    server.get(url, hidden, async (request, reply) => {
      const site = await documentation.read();
      if (site === 'building' || site === 'failed') return sendWaitingPage(reply, 'documentation', site === 'failed');
      return send(site, request, reply);
    });
}

function send({ files, redirects }: Site, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [address = ''] = request.url.split('?', 1);
  const path = address.replace(/\/+$/, '');
  const moved = path === address ? redirects[path] : path;
  if (moved !== undefined) return reply.redirect(moved, 301);
  for (const name of [path, `${path}/index.html`]) {
    const file = files.get(name);
    if (file) return sendStaticFile(request, reply.headers(headersOf(name, file)), file);
  }
  const missing = files.get('/docs/404.html');
  if (!missing || !request.headers.accept?.includes('text/html')) throw refuse.notFound();
  return sendStaticFile(request, reply.code(404).headers({ ...headersOfPages, vary: 'accept' }), missing);
}

function headersOf(name: string, { content_type }: StaticFile): Record<string, string> {
  if (name === REFERENCE) return headersOfReference;
  if (content_type.startsWith('text/html')) return headersOfPages;
  return content_type === 'image/svg+xml' ? headersOfPicture : {};
}
