// POST /oauth/register (RFC 7591): a client registers itself, if TOOLGATE_DYNAMIC_REGISTRATION is on. It is always a public client.

import { text } from '@toolgate/contract/fields.ts';
import { redirectUriProblem } from '@toolgate/contract/oauth-clients/redirect-uri.ts';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { refuse } from '../../../errors/errors.ts';
import { createNetworkLimit } from '../../../limits/network-limit.ts';
import { insertDynamicClient } from './dynamic-client-store.ts';

const HOUR_MS = 3_600_000;
const LIFETIME_MS = 90 * 24 * HOUR_MS;
const createRegistrations = () => createNetworkLimit({ max: 10, window_ms: HOUR_MS });

/** Other metadata is accepted and not used: no link in it is ever fetched. */
const clientMetadata = z.looseObject({
  redirect_uris: z.array(text(1, 2048)).min(1).max(20),
  client_name: text(1, 128).optional(),
});

export const registeredClient = z
  .strictObject({
    client_id: z.string().meta({ example: 'odc_3pWn8sLcVd5yTk1QmX7zRb' }),
    client_id_issued_at: z.int(),
    client_name: z.string(),
    redirect_uris: z.array(z.string()),
    token_endpoint_auth_method: z.literal('none'),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
  })
  .meta({ id: 'RegisteredOAuthClient' });

export async function registerClient(app: App, ip: string, body: unknown): Promise<z.infer<typeof registeredClient>> {
  const parsed = clientMetadata.safeParse(body);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path[0] === 'client_name' ? 'client_name' : 'redirect_uris';
    const details = { field, remedy: `Correct ${field}.` };
    throw field === 'redirect_uris'
      ? refuse.oauthInvalidRedirectUri({ details })
      : refuse.oauthInvalidClientMetadata({ details });
  }
  const { redirect_uris, client_name = 'Unnamed app' } = parsed.data;
  for (const uri of redirect_uris) {
    const problem = redirectUriProblem(uri);
    if (problem !== null)
      throw refuse.oauthInvalidRedirectUri({
        details: { field: 'redirect_uris', remedy: `Correct the redirect URIs: each ${problem}.` },
      });
  }
  const now = app.now();
  const retry_after_seconds = app.stateOf(createRegistrations).count(ip, now);
  if (retry_after_seconds !== null)
    throw refuse.rateLimitExceeded({ headers: { 'retry-after': String(retry_after_seconds) } });
  const client_id = newId('odc');
  await insertDynamicClient(app.database, {
    client_id,
    name: client_name,
    redirect_uris,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + LIFETIME_MS).toISOString(),
  });
  return {
    client_id,
    client_id_issued_at: Math.floor(now / 1000),
    client_name,
    redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}
