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
    summary: 'Exchange a member assertion for a session token of 15 minutes',
    description:
      'Verifies the assertion and returns a session token, with which MCP clients and REST calls act as this member. The first assertion with a new `sub` creates the member. A `jti` can be used once. The API key must have been created from an integration. With both fields given the assertion decides; `member_external_id` alone is refused in production. When an assertion is refused, `POST /assertion-keys/debug` explains why.',
    body: sessionTokenRequest.optional(),
    answer: sessionToken,
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
