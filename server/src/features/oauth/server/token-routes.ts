// The endpoints that OAuth clients call: /oauth/token, /oauth/revoke, /oauth/introspect, and /oauth/register if it is on. Bodies are
// forms or JSON; errors are in the form of RFC 6749.

import { examplePublicUrl } from '@toolgate/contract/examples.ts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorToRefusal, logRefusal } from '../../../api/error-to-refusal.ts';
import { withRequestOrigin } from '../../../api/request-origin.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { parseStrict } from '../../../engines/json-text/parse-strict.ts';
import { type ApiError, refuse } from '../../../errors/errors.ts';
import type { TokenRequest } from './client-authentication.ts';
import { introspect, introspection } from './introspect.ts';
import { tokenResponse } from './issue-granted.ts';
import { oauthError } from './oauth-error.ts';
import { readJsonParameters, readParameters } from './parameters.ts';
import { registerClient, type registeredClient } from './register.ts';
import { revokeToken } from './revoke-token.ts';
import { issueToken } from './token.ts';

const tags = ['OAuth'];
const config = { access: 'public' } as const;
const MAX_BODY_BYTES = 16 * 1024;
const MAX_REGISTRATION_BYTES = 8 * 1024;

const failure = z
  .strictObject({
    error: z.string().meta({ description: 'What is wrong, for programs', example: 'invalid_grant' }),
    error_description: z.string().meta({ description: 'What is wrong, for people' }),
    error_uri: z.string().meta({ description: 'A page of this server that explains the error' }),
  })
  .meta({ id: 'OAuthError', description: 'RFC 6749 5.2' });

const failed = (description: string, example: z.infer<typeof failure>) => ({
  description,
  content: { 'application/json': { schema: failure, example } },
});
const exampleError = (refusal: ApiError) => oauthError(refusal, examplePublicUrl).body;
const failures = {
  400: failed(
    '`invalid_request`, `invalid_grant`, `invalid_scope`, `invalid_target`, `unauthorized_client` or `unsupported_grant_type`',
    exampleError(refuse.oauthInvalidGrant()),
  ),
  401: failed(
    '`invalid_client`: the client is unknown, or its secret or assertion is wrong',
    exampleError(refuse.oauthInvalidClient()),
  ),
  429: failed(
    "The project's rate limit, or too many failures from one IP address; wait Retry-After seconds",
    exampleError(refuse.rateLimitExceeded()),
  ),
  500: failed('`server_error`', exampleError(refuse.internal())),
  503: failed('`temporarily_unavailable`', exampleError(refuse.serviceUnavailable())),
};

/** Read by parameters.ts, so that every problem has the form of RFC 6749. */
const body = (id: string, fields: Record<string, string>) =>
  z.unknown().meta({
    id,
    override: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(fields).map(([name, description]) => [name, { type: 'string', description }]),
      ),
    },
  });

const client = {
  client_id: 'Id of the client, unless it is in a Basic Authorization header or in a client_assertion',
  client_secret: 'Not for a public client or a client with keys',
  client_assertion: 'For a client with keys: a JWT that it signed (`private_key_jwt`, RFC 7523). Each one works once',
  client_assertion_type: 'With a client_assertion: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`',
};
const ALSO_FORM = 'The body is JSON, or a form (`application/x-www-form-urlencoded`).';

export function tokenRoutes(server: Server, app: App): void {
  server.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES } as const;
  server.addContentTypeParser('*', options, (_request, bytes, done) => done(null, bytes));
  server.addHook('onRequest', (_request, _reply, done) => {
    done(app.isUp() ? undefined : refuse.serviceUnavailable({ headers: { 'retry-after': '1' } }));
  });
  server.setErrorHandler((error, request, reply) => {
    const refusal = errorToRefusal(error, request);
    const { status, body } = oauthError(refusal, app.config.public_url);
    logRefusal(app.log, request.id, refusal);
    request.refusal = refusal;
    return reply.headers(refusal.headers).header('pragma', 'no-cache').code(status).send(body);
  });
  tokenRoute(server, app);
  revokeRoute(server, app);
  introspectRoute(server, app);
  if (app.config.dynamic_registration) registerRoute(server, app);
}

function tokenRoute(server: Server, app: App): void {
  server.post(
    '/api/v1/oauth/token',
    {
      config,
      schema: {
        operationId: 'issueOAuthToken',
        summary: 'Exchange a code, a refresh token, an ID-JAG or client credentials for a 15-minute access token',
        description: `The access token is a member session token. With \`client_credentials\`, it is a session of the client itself, without a member and only with the scope \`mcp\`. ${ALSO_FORM}`,
        tags,
        body: body('TokenRequest', {
          grant_type:
            '`authorization_code` (the default), `refresh_token`, `client_credentials`, or `urn:ietf:params:oauth:grant-type:jwt-bearer` with an ID-JAG',
          code: 'From the redirect',
          refresh_token: 'A refresh token instead of a code',
          assertion: 'An ID-JAG instead of a code, from a provider that accepts them',
          ...client,
          redirect_uri: 'If given, it must match the authorization request',
          code_verifier: 'PKCE',
          scope: 'With a refresh token: fewer scopes than were granted',
          resource: "The MCP endpoint that the token is for; a toolset's endpoint restricts the token to it",
        }),
        response: { 200: tokenResponse, ...failures },
      },
    },
    async (request, reply) => {
      reply.header('pragma', 'no-cache');
      return issueToken(withRequestOrigin(app, request), { ...readRequest(request), http_request: request });
    },
  );
}

function revokeRoute(server: Server, app: App): void {
  server.post(
    '/api/v1/oauth/revoke',
    {
      config,
      schema: {
        operationId: 'revokeOAuthToken',
        summary: 'Revoke a token (RFC 7009)',
        description: `Revoking a refresh token also revokes all access tokens of its sign-in. ${ALSO_FORM}`,
        tags,
        body: body('RevocationRequest', { token: 'An access token or a refresh token', ...client }),
        response: { 200: { description: 'Done, even if the token is unknown; no body' }, ...failures },
      },
    },
    async (request, reply) => {
      await revokeToken(withRequestOrigin(app, request), readRequest(request));
      return reply.code(200).send();
    },
  );
}

function introspectRoute(server: Server, app: App): void {
  server.post(
    '/api/v1/oauth/introspect',
    {
      config,
      schema: {
        operationId: 'introspectOAuthToken',
        summary: "Check whether one of the client's tokens is valid (RFC 7662)",
        description: `For clients with a secret. ${ALSO_FORM}`,
        tags,
        body: body('IntrospectionRequest', { token: 'An access token or a refresh token', ...client }),
        response: { 200: introspection, ...failures },
      },
    },
    async (request) => introspect(app, readRequest(request)),
  );
}

function registerRoute(server: Server, app: App): void {
  server.post(
    '/api/v1/oauth/register',
    { config, bodyLimit: MAX_REGISTRATION_BYTES, schema: { hide: true } },
    async (request, reply) => {
      const registered = await registerClient(app, request.ip, parseJson(request.body));
      return reply.code(201).send(registered satisfies z.infer<typeof registeredClient>);
    },
  );
}

/** Secrets in a URL end up in logs: no parameter of these endpoints may be in the query. */
function readRequest(request: FastifyRequest): TokenRequest {
  if (request.url.includes('?'))
    throw refuse.oauthInvalidRequest({ details: { remedy: 'Send the parameters in the body, not in the URL.' } });
  const { authorization, 'content-type': type = '' } = request.headers;
  const media_type = type.split(';')[0]?.trim().toLowerCase();
  const isJson = media_type === 'application/json';
  if (!isJson && media_type !== 'application/x-www-form-urlencoded')
    throw refuse.oauthInvalidRequest({ details: { remedy: 'Send the body as a form or as JSON.' } });
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const parameters = isJson ? readJsonParameters(parseJson(bytes)) : readParameters(bytes.toString());
  return { parameters, authorization, ip: request.ip };
}

function parseJson(bytes: unknown): unknown {
  try {
    return parseStrict(Buffer.isBuffer(bytes) ? bytes : '', { max_depth: 8 });
  } catch (error) {
    throw refuse.oauthInvalidRequest({ details: { remedy: 'Send a body that is valid JSON.' }, cause: error });
  }
}
