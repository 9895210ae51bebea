// /mcp/session-token: creates a member session.

import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { memberSessionEvents } from './events.ts';
import { sessionToken, sessionTokenRequest } from './member-session.ts';

export const memberSessionRoutes = defineRoutes({
  createSessionToken: {
    method: 'POST',
    path: '/mcp/session-token',
    access: 'api_key',
    tag: 'Members',
    summary: 'Exchange a member assertion for a 15-minute session token',
    description:
      'Verifies the assertion and returns a session token that MCP clients and REST calls use to act as this member. The first assertion with a new `sub` creates the member. Each `jti` can be used once. The API key must have been created from an integration. If you send both fields, the assertion decides; `member_external_id` alone is refused in production. If an assertion is refused, `POST /assertion-keys/debug` explains why.',
    body: sessionTokenRequest.optional(),
    response: sessionToken,
    errors: [
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
    ],
  },
});

export const memberSessions = defineResource({ routes: memberSessionRoutes, events: memberSessionEvents });
