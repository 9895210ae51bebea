// Serves the dashboard. Which requests get a page is decided here and nowhere else (docs/design/api.md).

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from '../api/route.ts';
import { sendStaticFile } from '../api/static-file.ts';
import type { Dashboard } from '../dashboard/open.ts';
import { refuse } from '../errors/errors.ts';
import { headersOfPages } from './page-headers.ts';
import { sendWaitingPage } from './waiting-page.ts';

/** Every URL of the dashboard. The page itself finds out what to show; routes.tsx there has the same list. */
const PAGES = [
  '/',
  '/setup',
  '/sign-in',
  '/invitation',
  '/account',
  '/people',
  '/projects/:project_id',
  '/projects/:project_id/*',
];
const FILES = ['/assets/*', '/fonts/*', '/theme.js', '/favicon.svg'];

const hidden = { config: { access: 'public' as const }, schema: { hide: true } };

export function dashboardRoutes(server: Server, dashboard: Dashboard): void {
  for (const url of PAGES) server.get(url, hidden, (request, reply) => sendPage(dashboard, request, reply));
  for (const url of FILES)
    server.get(url, hidden, (request, reply) => {
      const file = dashboard.files()?.get(request.url.split('?', 1)[0] ?? '');
      if (!file) throw refuse.notFound();
      return sendStaticFile(request, reply, file);
    });
}

function sendPage(dashboard: Dashboard, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const file = dashboard.files()?.get('/index.html');
  if (!file) return sendWaitingPage(reply, 'dashboard', dashboard.hasFailed());
  return sendStaticFile(request, reply.headers({ ...headersOfPages, vary: 'accept' }), file);
}

/**
 * A URL that is neither of the API nor of the dashboard: a browser that navigates gets the dashboard's own page for it, with
 * the status 404. Everybody else gets the error of the API. True if a page was sent.
 */
export function sendNotFoundPage(dashboard: Dashboard | null, request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', 'accept');
  const file = dashboard?.files()?.get('/index.html');
  if (!file || !isNavigation(request)) return false;
  sendStaticFile(request, reply.code(404).headers(headersOfPages), file);
  return true;
}

function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (/^\/(api|mcp|\.well-known)(\/|\?|$)/.test(url) || headers.authorization !== undefined) return false;
  return headers.accept?.includes('text/html') ?? false;
}
