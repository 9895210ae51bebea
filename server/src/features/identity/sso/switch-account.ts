// The person has signed in at the identity provider while this browser has a session of another account, and says which of the two
// it goes on with.

import { z } from 'zod';
import type { App } from '../../../app.ts';
import type { SsoIdentity } from '../../../database/tables.ts';
import { refuse } from '../../../errors/errors.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { queueByNetwork } from '../accounts/queue-by-network.ts';
import type { Visitor } from './browser.ts';
import { deleteRequest, type SsoRequest, selectSwitch } from './request-store.ts';
import { type Outcome, signPersonIn } from './sign-person-in.ts';
import { type SsoRow, selectSso } from './store.ts';

/** The form of the page. `account_id`: whose session the page named. */
export const switchForm = z.strictObject({
  request_id: z.string(),
  account_id: z.string(),
  decision: z.enum(['continue', 'stay']),
});

/** Returns null if the person stays. Another session than the one that the page named is asked about again. */
export async function switchAccount(
  app: App,
  visitor: Visitor,
  { request_id, account_id, decision }: z.infer<typeof switchForm>,
): Promise<Outcome | null> {
  const { request, settings } = await queueByNetwork(app, visitor, () => findSwitch(app, visitor, request_id));
  if (decision === 'stay') {
    await queueByNetwork(app, visitor, () => deleteRequest(app.database, request));
    return null;
  }
  const attempt = { request, settings, identity: request.identity, ends_session_of: account_id };
  return queueByNetwork(app, visitor, () => signPersonIn(app, visitor, attempt));
}

type OpenSwitch = { request: SsoRequest & { identity: SsoIdentity }; settings: SsoRow };

async function findSwitch(app: App, { secret }: Visitor, id: string): Promise<OpenSwitch> {
  const now = new Date(app.now()).toISOString();
  const request = await selectSwitch(app.database, { id, browser_hash: hashToken(secret), now });
  const settings = request && (await selectSso(app.database, request.organization_id));
  if (!request?.identity || !settings) throw refuse.ssoExpired();
  return { request: { ...request, identity: request.identity }, settings };
}
