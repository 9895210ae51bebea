// Which client sends a request to the token endpoint (RFC 6749 2.3): by HTTP Basic, by a secret or an assertion in the body, never two
// of them. A public client only names itself.

import type { App } from '../../../app.ts';
import { type RefusalOptions, refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import type { Client } from '../clients/client.ts';
import { findClient, isClientSecret } from '../clients/find.ts';
import { ASSERTION_TYPE, verifyClientAssertion } from './client-assertion.ts';
import { isMetadataUrl } from './client-metadata.ts';
import { findStoredClient } from './clients.ts';
import { invalidParameter, type Parameters, requireParameter } from './parameters.ts';

export type TokenRequest = { parameters: Parameters; authorization: string | undefined; ip: string };

/** `registered`: null for a client that no project registered. */
export type AuthenticatedClient = { client_id: string; is_public: boolean; registered: Client | null };

type Credentials = { client_id: string; client_secret: string | undefined };

export async function authenticateClient(app: App, request: TokenRequest): Promise<AuthenticatedClient> {
  if (request.parameters.has('client_assertion') || request.parameters.has('client_assertion_type'))
    return authenticateByAssertion(app, request);
  const credentials = readCredentials(request);
  const client = await app.lookups.run(clientNetwork(request.ip), () => verify(app, credentials));
  if (client) return client;
  const headers = request.authorization === undefined ? {} : { 'www-authenticate': 'Basic realm="toolgate"' };
  throw await countedRefusal(app, request.ip, () => refuse.oauthInvalidClient({ headers }));
}

async function authenticateByAssertion(app: App, request: TokenRequest): Promise<AuthenticatedClient> {
  const { parameters, authorization, ip } = request;
  const assertion = requireParameter(parameters, 'client_assertion');
  if (parameters.get('client_assertion_type') !== ASSERTION_TYPE)
    throw invalidParameter('client_assertion_type', `must be ${ASSERTION_TYPE}`);
  if (authorization !== undefined || parameters.has('client_secret'))
    throw invalidParameter('client_assertion', 'must be the only way the client authenticates');
  const client_id = parameters.get('client_id');
  const client = await verifyClientAssertion(app, { assertion, client_id, ip });
  if (typeof client !== 'string') return { client_id: client.id, is_public: false, registered: client };
  const details = { field: 'client_assertion', remedy: `The client_assertion ${client}.` };
  throw await countedRefusal(app, ip, () => refuse.oauthInvalidClient({ details }));
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
  if (isMetadataUrl(client_id)) return client_secret === undefined ? publicClient(client_id, null) : null;
  const client = await findStoredClient(app, client_id);
  if (!client) return null;
  const registered = await findClient(app, client_id);
  if (client.is_public) return client_secret === undefined ? publicClient(client_id, registered) : null;
  const isRight = registered !== null && client_secret !== undefined && isClientSecret(app, registered, client_secret);
  return isRight ? { client_id, is_public: false, registered } : null;
}

const publicClient = (client_id: string, registered: Client | null) => ({ client_id, is_public: true, registered });

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
