// POST /mcp/session-token: creates a member session.

import { responsesToBody } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { exchange, sessionRequest, sessionToken } from './exchange.ts';

export function memberSessionRoutes(server: Server, app: App): void {
  server.post(
    '/api/v1/mcp/session-token',
    {
      config: { access: 'api_key' },
      schema: {
        operationId: 'createSessionToken',
        summary: 'Exchange a member assertion for a session token of 15 minutes',
        description:
          'Verifies the assertion and answers with a session token, with which MCP clients and REST calls act as this member. The first assertion with a new `sub` creates the member. A `jti` can be used once. The API key must have been created from an integration. With both fields given the assertion decides; `member_external_id` alone is refused in production. When an assertion is refused, `POST /assertion-keys/debug` explains why.',
        tags: ['Members'],
        body: sessionRequest.optional(),
        response: responsesToBody(
          { 200: sessionToken },
          'assertionOrExternalIdRequired',
          'keyWithoutIntegration',
          'externalIdDisabled',
          'memberUnresolved',
          'assertionMissingKid',
          'assertionKeyNotFound',
          'assertionInvalidSignature',
          'assertionAudMismatch',
          'assertionExpired',
          'assertionTtlTooLong',
          'assertionMalformed',
          'assertionReplayed',
        ),
      },
    },
    (request) => exchange(app, request.caller, request.body ?? {}),
  );
}
