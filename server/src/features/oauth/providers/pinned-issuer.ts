// Where members sign in for an MCP server is pinned: the issuer, and both endpoints in its metadata. The server names its authorization
// server itself, and whoever responds at the token endpoint gets codes, refresh tokens and the client secret. So what differs from the pin
// waits for an admin. It does not depend on `iss` in the callback, which not every authorization server sends.

import type { PinnedIssuer, ServerIssuer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import type { AuthorizationServer } from 'oauth4webapi';
import { normalizeIssuer } from '../../../openid/issuer.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import type { ProviderRow } from './provider.ts';

/** Nothing may be sent to the authorization server that was found before an admin approves it. */
export class IssuerNotApproved extends ProviderError {
  constructor() {
    super(
      'invalid',
      "discovery: the MCP server's metadata points to an authorization server that no admin has approved",
    );
  }
}

type Pinned = Pick<ProviderRow, 'pinned_issuer' | 'issuer' | 'client_id'>;

/** Null: the issuer is not known yet. In a row from before pins, an issuer that was found first counts; one for a client has to be named. */
export function pinOf({ pinned_issuer, issuer, client_id }: Pinned): PinnedIssuer | null {
  if (pinned_issuer !== null) return pinned_issuer;
  return issuer === '' || client_id !== '' ? null : { issuer, authorization_endpoint: null, token_endpoint: null };
}

/** For a sign-in, which must not end at another authorization server than the one where it began. */
export const pinText = (provider: Pinned & Pick<ProviderRow, 'mcp_server_id'>) =>
  provider.mcp_server_id === null ? '' : JSON.stringify(pinOf(provider));

/** Whether nothing may be sent before an admin has named or approved the issuer. */
export const waitsForIssuer = (row: Pinned & Pick<ProviderRow, 'found_issuer' | 'mcp_server_id'>) =>
  row.mcp_server_id !== null && (row.found_issuer !== null || (row.client_id !== '' && pinOf(row) === null));

/** `same`: it is the pinned one. `first`: it becomes the pinned one. `other`: it waits for an admin. */
export function compareWithPin(row: Pinned, found: ServerIssuer): 'same' | 'first' | 'other' {
  const pin = pinOf(row);
  // A client id, and its secret, are of one issuer: who gave them has to name it.
  if (pin === null) return row.client_id === '' && hasOneOrigin(found) ? 'first' : 'other';
  if (pin.issuer !== found.issuer) return 'other';
  if (pin.token_endpoint === null) return hasOneOrigin(found) ? 'first' : 'other';
  const { authorization_endpoint, token_endpoint } = found;
  const isSame = pin.authorization_endpoint === authorization_endpoint && pin.token_endpoint === token_endpoint;
  return isSame ? 'same' : 'other';
}

/** Otherwise people could sign in at an honest server, and their codes would go to another one. */
const hasOneOrigin = ({ authorization_endpoint, token_endpoint }: ServerIssuer) =>
  new URL(authorization_endpoint).origin === new URL(token_endpoint).origin;

const MAX_URL_LENGTH = 2048;

/** Throws a ProviderError if it cannot be pinned. */
export function issuerOf(server: AuthorizationServer): ServerIssuer {
  return {
    issuer: normalizeIssuer(server.issuer),
    authorization_endpoint: endpointOf(server, 'authorization_endpoint'),
    token_endpoint: endpointOf(server, 'token_endpoint'),
  };
}

function endpointOf(server: AuthorizationServer, name: 'authorization_endpoint' | 'token_endpoint'): string {
  const { href, username, password, hash } = new URL(server[name] ?? '');
  if (username !== '' || password !== '' || hash !== '' || href.length > MAX_URL_LENGTH)
    throw new ProviderError('invalid', `discovery: ${name} must be an HTTPS URL without user and fragment`);
  return href;
}
