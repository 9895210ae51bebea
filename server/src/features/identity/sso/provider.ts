// The identity provider of an organization: how it is reached, and where it sends people back to.

import type { AuthorizationServer } from 'oauth4webapi';
import type { App } from '../../../app.ts';
import { discoverIssuer, type Fetch, guardedFetch, toUpstream, type Upstream } from '../../../openid/upstream.ts';
import type { SealContext } from '../../../secrets/envelope.ts';

/** What the settings and a test of others have in common. */
export type SsoProvider = {
  organization_id: string;
  issuer: string;
  client_id: string;
  /** Sealed. */
  client_secret: string;
  /** For a test: its secret is sealed for its own row. */
  test_id?: string;
};

/** The issuer is where the secret may be sent. */
export function secretContext({
  organization_id,
  issuer,
  test_id,
}: Pick<SsoProvider, 'organization_id' | 'issuer' | 'test_id'>): SealContext {
  return test_id === undefined
    ? { table: 'organization_sso', column: 'client_secret', row_id: organization_id, destination: issuer }
    : { table: 'sso_requests', column: 'settings', row_id: test_id, destination: issuer };
}

/** One for each organization, so that the response of one provider cannot be taken for that of another (RFC 9700 §4.4). */
export const callbackUrl = (public_url: string, organization_id: string) =>
  `${public_url}/api/v1/account/sso/callback/${organization_id}`;

/** Uses the share of outgoing calls of the organization. */
export const fetchFor = ({ send }: App, { organization_id }: SsoProvider): Fetch =>
  guardedFetch(send, { isolation_key: organization_id, isolation_part: 'sso' });

export const findServer = (app: App, provider: SsoProvider): Promise<AuthorizationServer> =>
  discoverIssuer(provider.issuer, fetchFor(app, provider));

/** Do not hold a database permit. `secret`: the opened client secret. */
export function openProvider(
  app: App,
  provider: SsoProvider,
  { server, secret }: { server: AuthorizationServer; secret: string },
): Upstream {
  const fetch = fetchFor(app, provider);
  return toUpstream(server, { client_id: provider.client_id, client_secret: secret, fetch, now: app.now() });
}

export async function openSecret(app: App, provider: SsoProvider): Promise<string> {
  return (await app.secrets.open(app.database, null, secretContext(provider), provider.client_secret)).toString();
}
