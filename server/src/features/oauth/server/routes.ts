// The pages of a sign-in: /oauth/authorize, /oauth/consent, /oauth/callback/{provider id}, and /oauth/connect for a connect link.
// Every refusal here is a page.

import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { isConnectState } from '../connections/connect-link.ts';
import { authorize } from './authorize.ts';
import { browserCookie, makeBrowser } from './browser.ts';
import { confirmConnect, finishConnect, showConnect } from './connect.ts';
import { decide } from './decide.ts';
import { finish } from './finish.ts';
import { finishIdentify } from './identify.ts';
import { isIdentifyState } from './identify-state.ts';
import { metadataRoutes } from './metadata-routes.ts';
import { browserOf, formOf, forVisitor, preparePages, refuseOtherSites, send, visitorOf } from './page-scope.ts';
import { tokenRoutes } from './token-routes.ts';

const tags = ['OAuth'];

const text = (description: string, example?: string) =>
  z
    .unknown()
    .optional()
    .meta({ description, override: { type: 'string', ...(example && { example }) } });

/** For the reference only: the parameters are read from the URL, where a repeated one can be seen. */
const authorizeQuery = z.looseObject({
  client_id: text('Id of an OAuth client, or the URL of its metadata document', 'oac_3pWn8sLcVd5yTk1QmX7zRb'),
  redirect_uri: text('Exactly as registered', 'https://app.example.com/callback'),
  scope: text(
    '`mcp` (the default), `tools:<slug>` for a toolset that can be granted, `read`, `write`, `webhook`, `admin`, separated by spaces',
    'mcp',
  ),
  state: text('Returned unchanged'),
  response_type: text('`code`, or left out'),
  code_challenge: text('PKCE; required for a public client'),
  code_challenge_method: text('`S256`'),
  resource: text("The MCP endpoint that the token is for (RFC 8707); a toolset's endpoint restricts the token to it"),
});

const page = (description: string) => ({
  description,
  content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } },
});
const redirect = {
  description: 'Redirects to the provider, or back to the client with `code`, `state` and `iss`, or with `error`',
};
const pages = {
  200: page(
    'A page that shows which client requests what, and where to sign in; after a connect link, that the account is connected',
  ),
  303: redirect,
  400: page('The app or its redirect URI is unknown, or the sign-in has expired'),
  403: page('The provider did not accept the sign-in'),
  409: page('Something on the page can no longer be granted; the page is shown again in its current state'),
  410: page('The connect link is no longer valid'),
  429: page('More than 600 new or failed sign-ins per minute from one IP address; wait Retry-After seconds'),
  500: page('Internal server error'),
  502: page('The provider cannot be reached; the page offers a retry'),
  503: page('Service unavailable'),
};

export async function oauthRoutes(server: Server, app: App): Promise<void> {
  await server.register(async (scope: Server) => pageRoutes(scope, app));
  await server.register(async (scope: Server) => tokenRoutes(scope, app));
  metadataRoutes(server, app);
}

function pageRoutes(server: Server, app: App): void {
  preparePages(server, app);
  authorizeRoute(server, app);
  consentRoute(server, app);
  callbackRoute(server, app);
  connectRoutes(server, app);
}

function authorizeRoute(server: Server, app: App): void {
  server.get(
    '/api/v1/oauth/authorize',
    {
      config: { access: 'public', begins_sign_in: true },
      schema: {
        operationId: 'authorize',
        summary: 'Sign a person in, in their browser',
        description:
          "Shows which client requests what, sends the person to one of the project's providers, and returns to `redirect_uri` with a code. The page shows at most 20 toolsets; the granted ones are in `scope` of the token response. A problem with `client_id` or `redirect_uri` is shown as a page; all others are reported to the client.",
        tags,
        querystring: authorizeQuery,
        response: pages,
      },
    },
    async (request, reply) => {
      const browser = browserOf(app, request) ?? makeBrowser();
      reply.header('set-cookie', browserCookie(app.config.public_url, browser));
      const outcome = await authorize(forVisitor(app, request), { browser, ip: request.ip }, queryOf(request));
      return send(reply, outcome);
    },
  );
}

function consentRoute(server: Server, app: App): void {
  server.post(
    '/api/v1/oauth/consent',
    { config: { access: 'public' }, schema: { hide: true } },
    async (request, reply) => {
      refuseOtherSites(app, request);
      return send(reply, await decide(forVisitor(app, request), visitorOf(app, request), formOf(request)));
    },
  );
}

function callbackRoute(server: Server, app: App): void {
  server.get(
    '/api/v1/oauth/callback/:provider_id',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'oauthCallback',
        summary: 'Handle the redirect from a provider',
        description:
          'Not for programs: it requires the cookie of the browser where the sign-in started. Each state works once, for 10 minutes.',
        tags,
        params: z.strictObject({ provider_id: z.string().meta({ description: 'Id of the provider' }) }),
        querystring: z.looseObject({ state: text('The state of the sign-in'), code: text("The provider's code") }),
        response: pages,
      },
    },
    async (request, reply) => {
      const { provider_id } = request.params;
      const query = queryOf(request);
      const state = new URLSearchParams(query).get('state') ?? '';
      const complete = isConnectState(state) ? finishConnect : isIdentifyState(state) ? finishIdentify : finish;
      return send(reply, await complete(forVisitor(app, request), visitorOf(app, request), provider_id, query));
    },
  );
}

function connectRoutes(server: Server, app: App): void {
  const config = { access: 'public' } as const;
  const schema = { hide: true };
  const first = { ...config, begins_sign_in: true };
  server.get('/api/v1/oauth/connect/:link', { config: first, schema }, async (request, reply) => {
    const browser = browserOf(app, request) ?? makeBrowser();
    reply.header('set-cookie', browserCookie(app.config.public_url, browser));
    const { link } = request.params as { link: string };
    return send(reply, await showConnect(forVisitor(app, request), { ...visitorOf(app, request), browser }, link));
  });
  server.post('/api/v1/oauth/connect', { config, schema }, async (request, reply) => {
    refuseOtherSites(app, request);
    return send(reply, await confirmConnect(forVisitor(app, request), visitorOf(app, request), formOf(request)));
  });
}

const queryOf = ({ url }: FastifyRequest) => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
