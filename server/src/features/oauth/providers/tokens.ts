// The tokens that a provider gave: read from its response, refreshed, revoked.

import * as oauth from 'oauth4webapi';
import type { App } from '../../../app.ts';
import { atProvider, ProviderError } from '../../../openid/provider-error.ts';
import { clearLastError, recordingFailure } from './last-error.ts';
import type { Provider } from './provider.ts';
import { resourceOf } from './server-provider.ts';
import { openUpstream } from './upstream.ts';

export type UpstreamTokens = {
  access_token: string;
  refresh_token: string | null;
  /** RFC 3339; null if the provider did not say. */
  expires_at: string | null;
  scope: string | null;
};

/** Visible characters, as in a header, and of a length that is worth storing. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/;
const MAX_LIFETIME_S = 366 * 86_400;

export function readTokens(app: App, response: oauth.TokenEndpointResponse): UpstreamTokens {
  const { access_token, refresh_token = null, expires_in, scope, token_type } = response;
  if (token_type !== 'bearer' || !TOKEN.test(access_token) || (refresh_token !== null && !TOKEN.test(refresh_token)))
    throw new ProviderError('invalid', 'token response: not a usable bearer token');
  const lifetime_s = expires_in !== undefined && expires_in > 0 ? Math.min(expires_in, MAX_LIFETIME_S) : null;
  return {
    access_token,
    refresh_token,
    expires_at: lifetime_s === null ? null : new Date(app.now() + lifetime_s * 1000).toISOString(),
    scope: scope === undefined ? null : scope.slice(0, 4096),
  };
}

/** Without a new refresh token in the response the old one stays valid (RFC 6749 §6). Rejects with a ProviderError. */
export async function refreshTokens(app: App, provider: Provider, refresh_token: string): Promise<UpstreamTokens> {
  const { server, client, authentication, options } = await openUpstream(app, provider);
  const send = () =>
    atProvider('refresh', async () => {
      const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refresh_token, {
        ...options,
        additionalParameters: resourceOf(provider),
      });
      return readTokens(app, await oauth.processRefreshTokenResponse(server, client, response));
    });
  // Refused credentials would stop the next sign-in too. A provider that is down is tried again, and shows by itself.
  const tokens = await recordingFailure(app, provider, send, { only: 'credentials_refused' });
  if (provider.last_error?.code === 'credentials_refused') clearLastError(app, provider);
  return { ...tokens, refresh_token: tokens.refresh_token ?? refresh_token };
}

/** Asks the provider to invalidate the token (RFC 7009). False if it cannot: not every provider has an endpoint for it. */
export async function revokeToken(app: App, provider: Provider, token: string): Promise<boolean> {
  const { server, client, authentication, options } = await openUpstream(app, provider);
  if (!server.revocation_endpoint) return false;
  return atProvider('revocation', async () => {
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, authentication, token, options),
    );
    return true;
  });
}
