// Which client sends a request to the token endpoint (RFC 6749 2.3): by HTTP Basic or in the body, never both. A public client only
// names itself.

import type { App } from '../../../app.ts';
import { type RefusalOptions, refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { findClient, isClientSecret } from '../clients/find.ts';
import { isMetadataUrl } from './client-metadata.ts';
import { findStoredClient } from './clients.ts';
import { invalidParameter, type Parameters } from './parameters.ts';

export type TokenRequest = { parameters: Parameters; authorization: string | undefined; ip: string };

export type AuthenticatedClient = { client_id: string; is_public: boolean };

type Credentials = { client_id: string; client_secret: string | undefined };

export async function authenticateClient(app: App, request: TokenRequest): Promise<AuthenticatedClient> {
  const credentials = readCredentials(request);
  const client = await app.lookups.run(clientNetwork(request.ip), () => verify(app, credentials));
  if (client) return client;
  const headers = request.authorization === undefined ? {} : { 'www-authenticate': 'Basic realm="toolgate"' };
  throw await countedRefusal(app, request.ip, () => refuse.oauthInvalidClient({ headers }));
}

/** An address that fails too often gets 429 instead. */
export async function countedRefusal(
  app: App,
  ip: string,
  refusal: (options?: RefusalOptions) => Error,
): Promise<Error> {
  const retry_after_seconds = await app.failures.count('unknown', ip, app.now());
  if (retry_after_seconds === null) return refusal();
  return refuse.rateLimitExceeded({ headers: { 'retry-after': String(retry_after_seconds) } });
}

/** Returns null for an unknown client and for a wrong secret. */
async function verify(app: App, { client_id, client_secret }: Credentials): Promise<AuthenticatedClient | null> {
  // Such a client is public, and its code names it: its document is not needed here.
  if (isMetadataUrl(client_id)) return client_secret === undefined ? { client_id, is_public: true } : null;
  const client = await findStoredClient(app, client_id);
  if (!client) return null;
  if (client.is_public) return client_secret === undefined ? { client_id, is_public: true } : null;
  const registered = await findClient(app, client_id);
  const isRight = registered !== null && client_secret !== undefined && isClientSecret(app, registered, client_secret);
  return isRight ? { client_id, is_public: false } : null;
}

function readCredentials({ parameters, authorization }: TokenRequest): Credentials {
  const [client_id, client_secret] = [parameters.get('client_id'), parameters.get('client_secret')];
  if (authorization === undefined) {
    if (client_id === undefined) throw invalidParameter('client_id', 'is required');
    return { client_id, client_secret };
  }
  if (client_secret !== undefined)
    throw invalidParameter('client_secret', 'must be in the Authorization header or in the body, not in both');
  const basic = readBasic(authorization);
  if (client_id !== undefined && client_id !== basic.client_id)
    throw invalidParameter('client_id', 'must be the same in the Authorization header and in the body');
  return basic;
}

/** Both parts are form-encoded before they are joined (RFC 6749 2.3.1). */
function readBasic(authorization: string): Credentials {
  const [, encoded = ''] = /^basic +([\w+/=-]{1,8192})$/i.exec(authorization) ?? [];
  const [, id = '', secret = ''] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  try {
    const decode = (text: string) => decodeURIComponent(text.replaceAll('+', '%20'));
    if (id !== '') return { client_id: decode(id), client_secret: secret === '' ? undefined : decode(secret) };
  } catch {
    // Not percent-encoded: refused below.
  }
  throw refuse.oauthInvalidRequest({
    details: { remedy: 'Send Authorization: Basic with the client id and secret.' },
  });
}
