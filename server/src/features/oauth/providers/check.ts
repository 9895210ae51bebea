// POST …/test: checks a provider as far as that is possible without a person: discovery, keys, client credentials. Every check
// is reported, each failure with a remedy. Nothing is changed.

import { oauthProviderErrors } from '@toolgate/contract/oauth-providers/oauth-provider-error.ts';
import type { OAuthProviderReport } from '@toolgate/contract/oauth-providers/oauth-provider-report.ts';
import * as oauth from 'oauth4webapi';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { atProvider, codeErrors, ProviderError } from '../../../openid/provider-error.ts';
import { checkKeys } from '../../../openid/upstream.ts';
import { randomSecret } from '../../../secrets/tokens.ts';
import { fetchFrom } from './fetch-from.ts';
import { findProvider } from './find.ts';
import { callbackUrl, type Provider } from './provider.ts';
import { failureOf } from './provider-failure.ts';
import { discover, openUpstream } from './upstream.ts';

type Check = OAuthProviderReport['checks'][number];

/** Do not hold a database permit: it waits for the provider. */
export async function checkProvider(app: App, caller: Caller, id: string): Promise<OAuthProviderReport> {
  const project = projectOf(caller);
  const provider = await app.permits.run(project, () => findProvider(app, project.id, id));
  if (!provider) throw refuse.notFound();
  const checks = await runChecks(app, provider);
  return {
    object: 'oauth_provider_report',
    provider_id: id,
    passed: checks.every(({ outcome }) => outcome === 'passed'),
    checks,
  };
}

async function runChecks(app: App, provider: Provider): Promise<Check[]> {
  const discovery = await attempt('discovery', () => discover(app, provider));
  const keys =
    'value' in discovery
      ? (await attempt('keys', () => checkKeysOf(app, provider, discovery.value))).check
      : notReached('keys');
  const credentials =
    'value' in discovery
      ? (await attempt('credentials', () => checkCredentials(app, provider))).check
      : notReached('credentials');
  return [discovery.check, keys, credentials];
}

const passed = (check: Check['check'], reason: string | null = null): Check => ({
  check,
  outcome: 'passed',
  reason,
  remedy: null,
});
const notReached = (check: Check['check']): Check => ({
  check,
  outcome: 'not_reached',
  reason: 'discovery failed',
  remedy: null,
});

async function attempt<T>(
  check: Check['check'],
  work: () => Promise<T> | T,
): Promise<{ check: Check; value: T } | { check: Check }> {
  try {
    return { value: await work(), check: passed(check) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { check: { check, outcome: 'failed', reason: error.message, remedy: remedyFor(check, error) } };
  }
}

/** GitHub has no ID tokens, so no keys. */
async function checkKeysOf(app: App, provider: Provider, server: oauth.AuthorizationServer): Promise<void> {
  if (provider.provider !== 'github') await checkKeys(server, fetchFrom(app, provider));
}

/** Exchanges a code that cannot exist: the provider checks the client first, and refuses the code of a client it knows. */
async function checkCredentials(app: App, provider: Provider): Promise<void> {
  const { server, client, authentication, options } = await openUpstream(app, provider);
  const redirect_uri = callbackUrl(app.config.public_url, provider.id);
  try {
    await atProvider('credentials', async () => {
      const state = randomSecret(16);
      const issuer = server.authorization_response_iss_parameter_supported ? { iss: server.issuer } : {};
      const callback = new URLSearchParams({ code: randomSecret(16), state, ...issuer });
      const parameters = oauth.validateAuthResponse(server, client, callback, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        redirect_uri,
        randomSecret(32),
        options,
      );
      await oauth.processAuthorizationCodeResponse(server, client, response);
    });
  } catch (error) {
    if (error instanceof ProviderError && codeErrors.has(error.error_code ?? '')) return;
    throw error;
  }
}

function remedyFor(check: Check['check'], error: ProviderError): string {
  if (check === 'keys' && error.kind !== 'unreachable')
    return "Check the provider's jwks_uri: without its keys, ID tokens cannot be verified.";
  return oauthProviderErrors[failureOf(error, check === 'discovery')].remedy;
}
