// What a token is, for the client that it was issued to.

import type { App } from '../../../app.ts';
import { type FoundSession, findSession } from '../../members/member-sessions/find.ts';
import { type ClientSession, findClientSession } from '../client-sessions/sessions.ts';
import { findByRefreshToken, findGrant, isReplaced } from '../grants/find.ts';
import type { UsableGrant } from '../grants/usable-grant.ts';
import type { AuthenticatedClient } from './client-authentication.ts';

export type IssuedToken =
  | { kind: 'access_token'; grant: UsableGrant; session: FoundSession }
  | { kind: 'refresh_token'; grant: UsableGrant }
  | { kind: 'client_session'; session: ClientSession };

/** Returns null for a token that is not valid (any more), or was issued to another client. */
export async function findIssued(
  app: App,
  { client_id }: AuthenticatedClient,
  token: string,
): Promise<IssuedToken | null> {
  const issued = token.startsWith('svc_ort_')
    ? await asRefreshToken(app, token)
    : ((await asAccessToken(app, token)) ?? (await asClientSession(app, token)));
  const issued_to = issued?.kind === 'client_session' ? issued.session.client_id : issued?.grant.client_id;
  return issued_to === client_id ? issued : null;
}

async function asClientSession(app: App, token: string): Promise<IssuedToken | null> {
  const session = await findClientSession(app, token);
  return session && { kind: 'client_session', session };
}

async function asRefreshToken(app: App, token: string): Promise<IssuedToken | null> {
  const grant = await findByRefreshToken(app, token);
  return grant && grant.revoked_at === null && !isReplaced(grant, token) ? { kind: 'refresh_token', grant } : null;
}

async function asAccessToken(app: App, token: string): Promise<IssuedToken | null> {
  const session = await findSession(app, token);
  const grant = session?.grant_id ? await findGrant(app, session.grant_id) : null;
  return session && grant ? { kind: 'access_token', grant, session } : null;
}
