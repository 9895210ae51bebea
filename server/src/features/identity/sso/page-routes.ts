// The pages that a person's browser opens: /account/sso, its callback, and the forms of both. A refusal is a page for a browser, and
// JSON for others.

import { ssoLinkFromProvider, ssoStart } from '@toolgate/contract/organizations/sso.ts';
import { ssoTest } from '@toolgate/contract/organizations/sso-test.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorToRefusal, logRefusal } from '../../../api/error-to-refusal.ts';
import { withRequestOrigin } from '../../../api/request-origin.ts';
import { publicResponses } from '../../../api/responses.ts';
import type { Server } from '../../../api/route.ts';
import { isFromOwnPage, requireSameOrigin } from '../../../api/same-origin.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { createNetworkLimit } from '../../../limits/network-limit.ts';
import { type Page, pageHeaders, pageText } from '../../../pages/page.ts';
import { browserOf } from '../accounts/browser.ts';
import { sessionCookie } from '../accounts/session.ts';
import { newSecret, readSecret, secretCookie, type Visitor } from './browser.ts';
import { finishSso } from './finish.ts';
import { refusalPage, startPage, switchPage, testPage } from './pages.ts';
import { type Outcome, SESSION_MS } from './sign-person-in.ts';
import { startSso } from './start.ts';
import { switchAccount, switchForm } from './switch-account.ts';

/** From one network: each stores a row, and asks the identity provider. */
const PER_MINUTE = 600;
const MAX_FORM_BYTES = 16 * 1024;

const tags = ['Accounts'];
const toProvider = {
  200: {
    description: 'A page with a button to continue, for links that are not on a page of this server',
    content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } },
  },
  303: { description: 'Redirects to the identity provider' },
};
const signedIn = { 303: { description: 'Redirects to the dashboard, signed in' } };

export async function serveSsoPages(server: Server, app: App): Promise<void> {
  await server.register(async (scope: Server) => {
    limitByNetwork(scope, app);
    acceptForms(scope);
    scope.setErrorHandler((error, request, reply) => {
      if (!wantsPage(request)) throw error;
      const refusal = errorToRefusal(error, request);
      logRefusal(app.log, request.id, refusal);
      request.refusal = refusal;
      // The page of the dashboard that asks for the password.
      if (refusal.code === 'SSO_LINK_REQUIRED') return leave(reply, '/sign-in?sso=link');
      return sendPage(reply.headers(refusal.headers), refusalPage(refusal, request.id));
    });
    startRoute(scope, app);
    startFormRoute(scope, app);
    callbackRoute(scope, app);
    switchFormRoute(scope, app);
  });
}

/** The forms of these pages, and nothing else. */
function acceptForms(server: Server): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}

function startRoute(server: Server, app: App): void {
  server.get(
    '/api/v1/account/sso',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'startSso',
        summary: 'Sign in with single sign-on, in the browser',
        description:
          "Sends the browser to the identity provider of the organization that owns the email address's domain. From a page of this server, it redirects immediately; for links from elsewhere, it first shows a page with a button. The response is the same for every email address in a domain, whether or not it has an account. A domain that no organization has set up counts as a failed sign-in from the network. Browsers get errors as a page.",
        tags,
        querystring: ssoLinkFromProvider,
        response: publicResponses(
          toProvider,
          'validation',
          'ssoNotConfigured',
          'signInDelayed',
          'ssoRefused',
          'ssoProviderUnavailable',
        ),
      },
    },
    async (request, reply) => {
      const { email } = request.query;
      return isFromOwnPage(request) ? start(app, request, reply, email) : sendPage(reply, startPage(email));
    },
  );
}

function startFormRoute(server: Server, app: App): void {
  server.post(
    '/api/v1/account/sso',
    { config: { access: 'public' }, schema: { hide: true, body: ssoStart } },
    async (request, reply) => {
      requireSameOrigin(app, request);
      return start(app, request, reply, request.body.email);
    },
  );
}

async function start(app: App, request: FastifyRequest, reply: FastifyReply, email: string): Promise<FastifyReply> {
  const secret = readSecret(app, request.headers.cookie) ?? newSecret();
  const url = await startSso(app, { ...browserOf(app, request), secret }, email);
  return leave(reply.header('set-cookie', secretCookie(app, secret)), url.href);
}

function callbackRoute(server: Server, app: App): void {
  server.get(
    '/api/v1/account/sso/callback/:organization_id',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'ssoCallback',
        summary: 'Handle the redirect from an identity provider',
        description:
          "Not for programs: it requires the cookie of the browser where the sign-in started. Each state works once, for 10 minutes. A person's first sign-in creates the account; each sign-in updates the role. Sets the session cookie for 12 hours. If the browser has a session of another account, a page first asks whether to sign it out.",
        tags,
        params: z.strictObject({ organization_id: z.string().meta({ description: 'Id of the organization' }) }),
        querystring: z.looseObject({}),
        response: publicResponses(
          {
            200: ssoTest.meta({
              description: 'A page with the result of a test, or a page that asks about the session of another account',
            }),
            ...signedIn,
          },
          'ssoExpired',
          'ssoRefused',
          'ssoEmailRefused',
          'ssoNoRole',
          'ssoLinkRequired',
          'ssoEmailTaken',
          'limitReached',
          'ssoProviderUnavailable',
        ),
      },
    },
    async (request, reply) => {
      const visitor = visitorOf(app, request);
      const { organization_id } = request.params;
      const { url } = request;
      const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
      const finished = await finishSso(withRequestOrigin(app, request), visitor, organization_id, query);
      if (finished.kind === 'tested')
        return wantsPage(request) ? sendPage(reply, testPage(finished.test)) : reply.code(200).send(finished.test);
      return goOn(app, reply, finished);
    },
  );
}

function switchFormRoute(server: Server, app: App): void {
  server.post(
    '/api/v1/account/sso/switch',
    { config: { access: 'public' }, schema: { hide: true, body: switchForm } },
    async (request, reply) => {
      requireSameOrigin(app, request);
      const outcome = await switchAccount(withRequestOrigin(app, request), visitorOf(app, request), request.body);
      return outcome === null ? leave(reply, '/') : goOn(app, reply, outcome);
    },
  );
}

function goOn(app: App, reply: FastifyReply, outcome: Outcome): FastifyReply {
  if (outcome.kind === 'switch') return sendPage(reply, switchPage(outcome));
  return leave(reply.header('set-cookie', sessionCookie(app, outcome.started.token, SESSION_MS)), '/');
}

/** Without a cookie the secret is empty: nothing that is bound to a browser is accepted then. */
const visitorOf = (app: App, request: FastifyRequest): Visitor => ({
  ...browserOf(app, request),
  secret: readSecret(app, request.headers.cookie) ?? '',
});

function limitByNetwork(server: Server, app: App): void {
  const limit = createNetworkLimit({ max: PER_MINUTE, window_ms: 60_000 });
  server.addHook('onRequest', (request, _reply, done) => {
    const wait = limit.count(request.ip, app.now());
    done(wait === null ? undefined : refuse.rateLimitExceeded({ headers: { 'retry-after': String(wait) } }));
  });
}

const wantsPage = ({ headers }: FastifyRequest) => headers.accept?.includes('text/html') ?? false;

/** The address has a code or an email address in it: no other page learns it. */
const leave = (reply: FastifyReply, url: string) =>
  reply.header('referrer-policy', 'no-referrer').header('cache-control', 'no-store').redirect(url, 303);

const sendPage = (reply: FastifyReply, page: Page) =>
  reply.code(page.status).headers(pageHeaders(page)).send(pageText(page));
