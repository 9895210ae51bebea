// What every page has that a person without an account opens: forms are read as text, sign-ins are limited, a refusal is a page.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from '../../../api/cookies.ts';
import { errorToRefusal, logRefusal } from '../../../api/error-to-refusal.ts';
import { withRequestOrigin } from '../../../api/request-origin.ts';
import type { Server } from '../../../api/route.ts';
import { withVisitorPermits } from '../../../api/visitor-permits.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { type Page, pageHeaders, pageText } from '../../../pages/page.ts';
import { readBrowser, type Visitor } from './browser.ts';
import { MEMBER_COOKIE_NAME } from './member-proof.ts';
import type { Outcome } from './outcome.ts';
import { limitPages } from './page-limit.ts';
import { errorPage } from './pages/error-page.ts';

const MAX_FORM_BYTES = 16 * 1024;

/** For a scope of its own: its routes take forms only. */
export function preparePages(server: Server, app: App): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, { form: body }),
  );
  limitPages(server, app);
  server.addHook('onRequest', (_request, _reply, done) => {
    done(app.isUp() ? undefined : refuse.serviceUnavailable());
  });
  server.setErrorHandler((error, request, reply) => {
    const refusal = errorToRefusal(error, request);
    logRefusal(app.log, request.id, refusal);
    request.refusal = refusal;
    return sendPage(reply.headers(refusal.headers), errorPage(refusal, request.id));
  });
}

/** The app as the pages use it. */
export const forVisitor = (app: App, request: FastifyRequest): App =>
  withVisitorPermits(withRequestOrigin(app, request), request.ip);

export const browserOf = ({ config }: App, { headers }: FastifyRequest) =>
  readBrowser(config.public_url, headers.cookie);

/** Without a cookie the browser is empty: nothing that is bound to one is accepted then. */
export const visitorOf = (app: App, request: FastifyRequest): Visitor => ({
  browser: browserOf(app, request) ?? '',
  ip: request.ip,
  member_proof: readCookie(app.config.public_url, MEMBER_COOKIE_NAME, request.headers.cookie),
});

export const formOf = ({ body }: FastifyRequest): string => ((body ?? {}) as { form?: string }).form ?? '';

/** The secret in the form is what protects it; this stops a foreign page before that. */
export function refuseOtherSites({ config }: App, { headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isOther =
    site === undefined
      ? headers.origin !== undefined && headers.origin !== config.public_url
      : site !== 'same-origin' && site !== 'none';
  if (isOther) throw refuse.signInFromOtherSite();
}

/** 303: the browser follows with GET, also after a form. */
export function send(reply: FastifyReply, outcome: Outcome): FastifyReply {
  if (outcome.kind === 'page') return sendPage(reply, outcome.page);
  if (outcome.cookie) reply.header('set-cookie', outcome.cookie);
  return reply.header('referrer-policy', 'no-referrer').redirect(outcome.url, 303);
}

function sendPage(reply: FastifyReply, shown: Page): FastifyReply {
  return reply.code(shown.status).headers(pageHeaders(shown)).send(pageText(shown));
}
