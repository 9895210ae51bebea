// GET /account/sso: sends a person to the identity provider of the organization that has the domain of the email address. Which
// accounts exist makes no difference. Domains that nobody has are counted like failed sign-ins.

import type { AuthorizationServer } from 'oauth4webapi';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { refuse } from '../../../errors/errors.ts';
import { authorizationUrl, type SignInRequest } from '../../../openid/code-flow.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import { signInSecrets } from '../../../openid/sign-in-secrets.ts';
import { hashToken, randomSecret } from '../../../secrets/tokens.ts';
import { queueByNetwork } from '../accounts/queue-by-network.ts';
import { beginAttempt } from '../accounts/sign-in-waits.ts';
import { REQUEST_MS, type Visitor } from './browser.ts';
import { domainOf } from './domains.ts';
import { callbackUrl, findServer, type SsoProvider } from './provider.ts';
import { insertRequest } from './request-store.ts';
import { type SsoRow, selectSsoOfDomain } from './store.ts';

/** Returns where the browser goes. Do not hold a database permit. */
export async function startSso(app: App, visitor: Visitor, email: string): Promise<URL> {
  const settings = await queueByNetwork(app, visitor, () => findSettings(app, visitor, email));
  const { organization_id } = settings;
  const server = await reportingFailure(app, organization_id, () => findServer(app, settings));
  const { state, times } = newState(app);
  await queueByNetwork(app, visitor, () =>
    insertRequest(app.database, {
      id: newId('sst'),
      organization_id,
      purpose: 'sign_in',
      browser_hash: hashToken(visitor.secret),
      state_hash: hashToken(state),
      ...times,
    }),
  );
  return urlAtProvider(server, settings, sentRequest(app, visitor, { organization_id, state }), email);
}

async function findSettings(app: App, { ip }: Visitor, email: string): Promise<SsoRow> {
  const domain = domainOf(email);
  const settings = domain === null ? undefined : await selectSsoOfDomain(app.database, domain);
  if (settings) return settings;
  await beginAttempt(app, [{ ip }]);
  throw refuse.ssoNotConfigured({ details: { field: 'email' } });
}

export function newState(app: App): { state: string; times: { created_at: string; expires_at: string } } {
  const now = app.now();
  const times = { created_at: new Date(now).toISOString(), expires_at: new Date(now + REQUEST_MS).toISOString() };
  return { state: randomSecret(32), times };
}

/** What was sent with this state. */
export function sentRequest(
  { config }: App,
  { secret }: Visitor,
  { organization_id, state }: { organization_id: string; state: string },
): SignInRequest {
  return { ...signInSecrets(secret, state), redirect_uri: callbackUrl(config.public_url, organization_id) };
}

/** Some providers give the claim of the groups only with a scope of its name. */
export function urlAtProvider(
  server: AuthorizationServer,
  { client_id, role_claim }: SsoProvider & { role_claim: string },
  request: SignInRequest,
  login_hint: string | null,
): Promise<URL> {
  const scopes = ['openid', 'email', 'profile', ...(server.scopes_supported?.includes(role_claim) ? [role_claim] : [])];
  return authorizationUrl(server, client_id, request, {
    scope: [...new Set(scopes)].join(' '),
    nonce: request.nonce,
    ...(login_hint === null ? {} : { login_hint }),
  });
}

/** The log has the reason; the person at the browser can do nothing about it. */
export async function reportingFailure<T>(app: App, organization_id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    app.log.warn({ organization_id, reason: error.message }, 'a sign-in failed at the identity provider');
    if (error.kind === 'unreachable') throw refuse.ssoProviderUnavailable();
    throw error.kind === 'refused'
      ? refuse.ssoRefused({ details: { reason: 'provider_refused' } })
      : refuse.ssoRefused();
  }
}
