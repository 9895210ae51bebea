// Whoever has a cookie is not always the person: some changes need a password or a second factor that was given in this session
// in the last 10 minutes. They are those by which a stolen cookie would keep the account, or lock its person out.

import type { AccountCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';

/** A sign-in counts, and so does POST /account/reauthenticate. */
export const RECENT_MS = 10 * 60_000;

export function requireRecentAuthentication(app: App, { authenticated_at }: AccountCaller): void {
  if (app.now() - authenticated_at <= RECENT_MS) return;
  throw refuse.reauthenticationRequired({ details: { max_age_seconds: RECENT_MS / 1000 } });
}
