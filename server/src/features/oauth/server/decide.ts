// POST /oauth/consent: the person approved the client and chose a provider, or cancelled.

import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { approveClient } from '../grants/approvals.ts';
import { findProvider } from '../providers/find.ts';
import { projectOfProvider } from '../providers/provider.ts';
import { redirectWithError } from './authorize.ts';
import { browserHash, type Visitor } from './browser.ts';
import { goToProvider } from './go-to-provider.ts';
import { approvedClient } from './open-request.ts';
import type { Outcome } from './outcome.ts';
import { readParameters } from './parameters.ts';
import { deleteRequest, selectByPage } from './request-store.ts';

export const EXPIRED =
  'A sign-in has to be completed within 10 minutes, in one browser, with cookies allowed. Start again in the app.';

export async function decide(app: App, visitor: Visitor, form: string): Promise<Outcome> {
  const parameters = readParameters(form);
  const page_secret = parameters.get('request') ?? '';
  const now = new Date(app.now()).toISOString();
  const secrets = { page_hash: hashToken(page_secret), browser_hash: browserHash(visitor), now };
  const request = await app.lookups.run(clientNetwork(visitor.ip), () => selectByPage(app.database, secrets));
  if (!request) throw refuse.signInExpired({ details: { remedy: EXPIRED } });
  if (parameters.get('decision') === 'deny') {
    await deleteRequest(app.database, request);
    return redirectWithError(app, request, refuse.oauthAccessDenied());
  }
  const provider = await findProvider(app, request.project_id, parameters.get('provider') ?? '');
  if (!provider?.is_enabled)
    throw refuse.signInExpired({
      details: { remedy: 'This provider is no longer available. Start again in the app.' },
    });
  await app.permits.run(projectOfProvider(provider), () => approveClient(app, approvedClient(request)));
  return goToProvider(app, visitor, { request, page_secret, provider });
}
