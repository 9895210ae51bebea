// Checks of an authorization request whose client and redirect URI are known.

import { grantedScopes, type Permission, type Scope } from '@toolgate/contract/permissions.ts';
import type { ScopeToolset } from '../../../access/grant-layer.ts';
import { refuse } from '../../../errors/errors.ts';
import type { OAuthClient } from './clients.ts';
import { invalidParameter, type Parameters } from './parameters.ts';
import { requestedScopes, requestedToolsets } from './toolset-scopes.ts';

/** RFC 7636: the base64url of a SHA-256. */
const CHALLENGE = /^[\w-]{43}$/;

/** `code`, or absent: the minimal request has only client_id, redirect_uri and scope. */
export function checkResponseType(parameters: Parameters): void {
  if ((parameters.get('response_type') ?? 'code') !== 'code') throw refuse.oauthUnsupportedResponseType();
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    throw invalidParameter('response_mode', 'must be query');
  for (const name of ['request', 'request_uri'])
    if (parameters.has(name)) throw invalidParameter(name, 'is not supported');
}

/** PKCE: required for public clients, and S256 only, so that nobody can weaken it. */
export function checkChallenge(client: OAuthClient, parameters: Parameters): string | null {
  const challenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method');
  if (challenge === undefined) {
    if (method !== undefined) throw invalidParameter('code_challenge', 'is required with code_challenge_method');
    if (client.is_public) throw invalidParameter('code_challenge', 'is required for a public client');
    return null;
  }
  // Without the method it would mean `plain`.
  if (method !== 'S256') throw invalidParameter('code_challenge_method', 'must be S256');
  if (!CHALLENGE.test(challenge)) throw invalidParameter('code_challenge', 'must be the base64url of a SHA-256');
  return challenge;
}

/** Unknown scopes are ignored (RFC 6749 3.3). What no provider of the project can grant is left out. */
export function checkScopes(
  parameters: Parameters,
  providers: readonly { permissions: readonly Permission[] }[],
  toolsets: readonly ScopeToolset[],
): { scopes: Scope[]; toolset_ids: string[] | null } {
  const requested = (parameters.get('scope') ?? 'mcp').split(' ');
  const toolset_ids = requestedToolsets(requested, toolsets);
  const grantable = providers.flatMap(({ permissions }) => permissions);
  const scopes = grantedScopes(requestedScopes(requested, toolset_ids), grantable);
  if (scopes.length === 0) throw refuse.oauthInvalidScope();
  return { scopes, toolset_ids };
}
