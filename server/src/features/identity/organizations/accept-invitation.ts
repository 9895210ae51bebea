// Whoever has the link of an invitation creates their account with it and is signed in. It works once.

import type { InvitationAcceptance, InvitationPreview } from '@toolgate/contract/organizations/invitation.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { ApiError, refuse } from '../../../errors/errors.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { recordOfOrganization } from '../../activity/audit/record.ts';
import { showCurrentAccount } from '../accounts/account.ts';
import { refusePasswordIfSsoRequired } from '../accounts/break-glass.ts';
import { createAccount } from '../accounts/create.ts';
import { refuseFullOrganization } from '../accounts/find.ts';
import { hashPassword, refuseCommonPassword } from '../accounts/password.ts';
import { queueByNetwork } from '../accounts/queue-by-network.ts';
import { type Browser, startSession } from '../accounts/session.ts';
import type { SignedIn } from '../accounts/sign-in.ts';
import { countNewEmail } from '../accounts/sign-in-waits.ts';
import { showInvitation } from './invitation.ts';
import { deleteInvitationRow, lockOrganization, type OpenInvitation, selectOpenInvitation } from './store.ts';

export async function inspectInvitation(app: App, token: string): Promise<InvitationPreview> {
  const { organization_name, email, role, expires_at } = await findOpen(app, token, { lock: false });
  return { object: 'invitation_preview', organization_name, email, role, expires_at };
}

export async function acceptInvitation(app: App, browser: Browser, input: InvitationAcceptance): Promise<SignedIn> {
  const open = await queueByNetwork(app, browser, () => findOpen(app, input.token, { lock: false }));
  refuseCommonPassword('password', input.password, open.email);
  const password_hash = await hashPassword(app, browser, input.password);
  return queueByNetwork(app, browser, async () => {
    try {
      return await accept(app, browser, { open, input, password_hash });
    } catch (error) {
      // Whoever invites gets the link, and could ask with it whether the address has an account elsewhere.
      if (error instanceof ApiError && error.code === 'EMAIL_TAKEN') await countNewEmail(app, { ...open, id: null });
      throw error;
    }
  });
}

type Accepted = { open: OpenInvitation; input: InvitationAcceptance; password_hash: string };

function accept(app: App, browser: Browser, { open, input, password_hash }: Accepted): Promise<SignedIn> {
  const { email, organization_id } = open;
  return transact(app, async (app) => {
    await lockOrganization(app.database, organization_id);
    const invitation = await findOpen(app, input.token, { lock: true });
    const { id, role } = invitation;
    await refusePasswordIfSsoRequired(app, { organization_id });
    await refuseFullOrganization(app, organization_id);
    const account = await createAccount(app, { organization_id, name: input.name, email, password_hash, role });
    await deleteInvitationRow(app.database, id);
    const actor = { kind: 'account' as const, account_id: account.id };
    const change = { action: 'invitation.accepted', target_id: id, before: showOpen(app, invitation), after: null };
    await recordOfOrganization(app, actor, organization_id, change);
    const { token, current } = await startSession(app, account.id, browser);
    return { account: showCurrentAccount(app, current), token };
  });
}

function showOpen(app: App, { organization_id: _id, organization_name: _name, ...row }: OpenInvitation) {
  return showInvitation(row, app.now());
}

async function findOpen(app: App, token: string, lock: { lock: boolean }): Promise<OpenInvitation> {
  const found = await selectOpenInvitation(app.database, hashToken(token), new Date(app.now()).toISOString(), lock);
  if (!found) throw refuse.invitationInvalid();
  return found;
}
