// An invitation as the API shows it.

import type { Invitation } from '@toolgate/contract/organizations/invitation.ts';
import type { InvitationRow } from './store.ts';

export function showInvitation(row: InvitationRow, now: number): Invitation {
  return { object: 'invitation', ...row, status: Date.parse(row.expires_at) > now ? 'pending' : 'expired' };
}
