// Sends the browser to a provider with a new state. A provider that does not respond gives a page with a retry: the request stays.

import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import { signInSecrets } from '../../../openid/sign-in-secrets.ts';
import { hashToken, randomSecret } from '../../../secrets/tokens.ts';
import { callbackUrl, type Provider, projectOfProvider } from '../providers/provider.ts';
import { startSignIn } from '../providers/sign-in.ts';
import type { Visitor } from './browser.ts';
import { type Outcome, redirectTo, showPage } from './outcome.ts';
import { errorPage } from './pages/error-page.ts';
import { formTargets } from './pages/sign-in-page.ts';
import { type SignInRequest, setState } from './request-store.ts';

type Attempt = { request: SignInRequest; page_secret: string; provider: Provider };

export async function goToProvider(app: App, visitor: Visitor, attempt: Attempt): Promise<Outcome> {
  const { request, provider } = attempt;
  const state = randomSecret(32);
  await app.permits.run(projectOfProvider(provider), () =>
    setState(app.database, request, { provider_id: provider.id, state_hash: hashToken(state) }),
  );
  try {
    return redirectTo((await startSignIn(app, provider, sentRequest(app, visitor, provider, state))).href);
  } catch (error) {
    return failedAtProvider(app, attempt, error);
  }
}

/** What was sent with this state. */
export function sentRequest({ config }: App, visitor: Visitor, { id }: Provider, state: string) {
  return { ...signInSecrets(visitor.browser, state), redirect_uri: callbackUrl(config.public_url, id) };
}

/** Throws everything but a problem of the provider. */
export function failedAtProvider(app: App, { request, page_secret, provider }: Attempt, error: unknown): Outcome {
  if (!(error instanceof ProviderError)) throw error;
  const { project_id, id: provider_id, name } = provider;
  app.log.warn({ project_id, provider_id, reason: error.message }, 'a sign-in failed at the provider');
  const refusal =
    error.kind === 'unreachable'
      ? refuse.signInProviderUnavailable({ details: { remedy: `${name} does not respond. Try again in a moment.` } })
      : refuse.signInRefused({ details: { remedy: `${name} returned a response that cannot be used. Try again.` } });
  const retry = { request: page_secret, provider, form_targets: formTargets(request.redirect_uri) };
  return showPage(errorPage(refusal, app.request_origin?.request_id ?? null, retry));
}
