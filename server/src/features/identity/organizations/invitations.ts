// Invites people to the organization: create, list, resend and delete invitations. Nothing is sent by this server: whoever
// invites passes the link on.

import type { Invitation, InvitationInput, NewInvitation } from '@toolgate/contract/organizations/invitation.ts';
import { accountOf, type Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { hashToken, randomSecret } from '../../../secrets/tokens.ts';
import { recordOfOrganization } from '../../activity/audit/record.ts';
import { refusePasswordIfSsoRequired } from '../accounts/break-glass.ts';
import { isColleague, refuseFullOrganization } from '../accounts/find.ts';
import { refuseUnlessOwner } from '../accounts/people.ts';
import { requireRecentAuthentication } from '../accounts/recent-authentication.ts';
import { showInvitation } from './invitation.ts';
import {
  countInvitations,
  deleteInvitationRow,
  type InvitationRow,
  insertInvitation,
  lockInvitation,
  lockOrganization,
  pageOfInvitations,
  renewInvitation,
} from './store.ts';

const LIFETIME_MS = 7 * 86_400_000;
const MAX_INVITATIONS = 100;

export async function createInvitation(
  app: App,
  given: Caller,
  { email, role }: InvitationInput,
): Promise<NewInvitation> {
  const caller = accountOf(given);
  const { organization_id, account_id } = caller;
  refuseUnlessOwner(caller, role);
  if (role === 'owner') requireRecentAuthentication(app, caller);
  return transact(app, async (app) => {
    await lockOrganization(app.database, organization_id);
    await refusePasswordIfSsoRequired(app, { organization_id }); // accepting it would make a password
    // Whether the address has an account in another organization is not told: that person cannot accept.
    if (await isColleague(app, organization_id, email)) throw refuse.emailTaken({ details: { field: 'email' } });
    await refuseFullOrganization(app, organization_id);
    if ((await countInvitations(app.database, organization_id)) >= MAX_INVITATIONS)
      throw refuse.limitReached({ details: { reason: 'too_many_invitations', limit: MAX_INVITATIONS } });
    const { token, hash, expires_at } = newToken(app);
    const row = await insertInvitation(app.database, {
      id: newId('inv'),
      organization_id,
      email,
      role,
      hash,
      created_by: account_id,
      created_at: new Date(app.now()).toISOString(),
      expires_at,
    });
    if (!row) throw refuse.invitationExists({ details: { field: 'email' } });
    return finish(app, caller, 'invitation.created', row, token);
  });
}

/** A new link, for 7 days again. The link before no longer works. */
export async function resendInvitation(app: App, given: Caller, id: string): Promise<NewInvitation> {
  const caller = accountOf(given);
  return withInvitation(app, caller.organization_id, id, async (app, before) => {
    refuseUnlessOwner(caller, before.role);
    if (before.role === 'owner') requireRecentAuthentication(app, caller);
    const { token, hash, expires_at } = newToken(app);
    const row = await renewInvitation(app.database, id, { hash, expires_at, created_by: caller.account_id });
    return finish(app, caller, 'invitation.resent', row, token);
  });
}

export async function deleteInvitation(app: App, given: Caller, id: string): Promise<void> {
  const caller = accountOf(given);
  await withInvitation(app, caller.organization_id, id, async (app, row) => {
    await deleteInvitationRow(app.database, id);
    const change = { action: 'invitation.deleted', target_id: id, before: showInvitation(row, app.now()), after: null };
    await recordOfOrganization(app, caller, caller.organization_id, change);
  });
}

export async function listInvitations(app: App, caller: Caller, query: PageQuery): Promise<Page<Invitation>> {
  const page = await pageOfInvitations(app.database, accountOf(caller).organization_id, query);
  return makePage(
    page,
    page.rows.map((row) => showInvitation(row, app.now())),
  );
}

function newToken(app: App): { token: string; hash: Buffer; expires_at: string } {
  const token = randomSecret(32);
  return { token, hash: hashToken(token), expires_at: new Date(app.now() + LIFETIME_MS).toISOString() };
}

/** The token is in the fragment, which browsers send to no server. */
async function finish(
  app: App,
  caller: Extract<Caller, { kind: 'account' }>,
  action: string,
  row: InvitationRow,
  token: string,
): Promise<NewInvitation> {
  const after = showInvitation(row, app.now());
  const change = { action, target_id: row.id, before: null, after };
  await recordOfOrganization(app, caller, caller.organization_id, change);
  return { ...after, link: `${app.config.public_url}/invitation#token=${token}` };
}

function withInvitation<T>(
  app: App,
  organization_id: string,
  id: string,
  change: (app: App, row: InvitationRow) => Promise<T>,
): Promise<T> {
  return transact(app, async (app) => {
    const row = await lockInvitation(app.database, organization_id, id);
    if (!row) throw refuse.notFound();
    return change(app, row);
  });
}
