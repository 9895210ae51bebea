// An invitation as the API shows it.

import { z } from 'zod';
import { timestamp } from '../../api/fields.ts';
import { role } from '../accounts/account.ts';
import { email } from '../accounts/email.ts';
import type { InvitationRow } from './store.ts';

const fields = {
  id: z.string(),
  object: z.literal('invitation'),
  email: z.string().meta({ description: 'Who is invited', example: 'grace@example.com' }),
  role,
  status: z.enum(['pending', 'expired']).meta({ description: 'Whether its link still works; resend an expired one' }),
  created_by: z.string().meta({ description: 'Id of the account that sent it last' }),
  created_at: timestamp,
  expires_at: timestamp.meta({ description: 'When the link ends' }),
};

export const invitationSchema = z.strictObject(fields).meta({ id: 'Invitation' });

export const newInvitationSchema = z
  .strictObject({
    ...fields,
    link: z.string().meta({ description: 'For the invited person: it creates the account. Shown once' }),
  })
  .meta({ id: 'NewInvitation' });

export const invitationInput = z.strictObject({ email, role }).meta({ id: 'InvitationInput' });

export type Invitation = z.infer<typeof invitationSchema>;

export function showInvitation(row: InvitationRow, now: number): Invitation {
  return { object: 'invitation', ...row, status: Date.parse(row.expires_at) > now ? 'pending' : 'expired' };
}
