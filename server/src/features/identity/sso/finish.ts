// The person comes back from the identity provider: to sign in, or to finish a test.

import type { SsoTest } from '@toolgate/contract/organizations/sso-test.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { queueByNetwork } from '../accounts/queue-by-network.ts';
import type { Visitor } from './browser.ts';
import { identify, runOnly } from './identify.ts';
import { openSecret } from './provider.ts';
import { type SsoRequest, takeState } from './request-store.ts';
import { type Outcome, signPersonIn } from './sign-person-in.ts';
import { reportingFailure, sentRequest } from './start.ts';
import { type SsoRow, selectSso } from './store.ts';
import { finishTest } from './try-settings.ts';

export type Finished = Outcome | { kind: 'tested'; test: SsoTest };

/** `query`: of the URL that the provider sent the browser to. Do not hold a database permit. */
export async function finishSso(app: App, visitor: Visitor, organization_id: string, query: string): Promise<Finished> {
  const callback = new URLSearchParams(query);
  const state = callback.get('state') ?? '';
  const request = await queueByNetwork(app, visitor, () => useState(app, visitor, { organization_id, state }));
  const response = { callback, request: sentRequest(app, visitor, { organization_id, state }) };
  if (request.purpose === 'test') return { kind: 'tested', test: await finishTest(app, visitor, request, response) };
  const { settings, secret } = await queueByNetwork(app, visitor, () => openSettings(app, organization_id));
  const identity = await reportingFailure(app, organization_id, () =>
    identify(app, settings, { ...response, secret }, runOnly),
  );
  const attempt = { request, settings, identity };
  return queueByNetwork(app, visitor, () => signPersonIn(app, visitor, attempt));
}

/** The state is used up, whatever happens next. */
async function useState(
  app: App,
  { secret }: Visitor,
  { organization_id, state }: { organization_id: string; state: string },
): Promise<SsoRequest> {
  const request = await takeState(app.database, {
    state_hash: hashToken(state),
    browser_hash: hashToken(secret),
    organization_id,
    now: new Date(app.now()).toISOString(),
  });
  if (!request) throw refuse.ssoExpired();
  return request;
}

async function openSettings(app: App, organization_id: string): Promise<{ settings: SsoRow; secret: string }> {
  const settings = await selectSso(app.database, organization_id);
  if (!settings) throw refuse.ssoExpired();
  return { settings, secret: await openSecret(app, settings) };
}
