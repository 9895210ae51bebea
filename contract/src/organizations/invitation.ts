// An invitation to an organization, and what the invited person sends.

import { z } from 'zod';
import { email, personName, role } from '../accounts/account.ts';
import { newPassword } from '../accounts/password.ts';
import { linkToken } from '../accounts/sign-in.ts';
import { timestamp } from '../fields.ts';

export const invitationStatuses = ['pending', 'expired'] as const;

export const invitation = z
  .strictObject({
    id: z.string(),
    object: z.literal('invitation'),
    email: z.string().meta({ description: 'Who is invited', example: 'grace@example.com' }),
    role,
    status: z
      .enum(invitationStatuses)
      .meta({ description: 'Whether its link still works; resend an expired invitation' }),
    created_by: z.string().meta({ description: 'Id of the account that sent it last' }),
    created_at: timestamp,
    expires_at: timestamp.meta({ description: 'When the link expires' }),
  })
  .meta({ id: 'Invitation' });

export type Invitation = z.infer<typeof invitation>;

export const newInvitation = invitation
  .extend({
    link: z
      .string()
      .meta({ description: 'For the invited person, who uses it to create the account. Shown only once' }),
  })
  .meta({ id: 'NewInvitation' });

export type NewInvitation = z.infer<typeof newInvitation>;

export const invitationInput = z.strictObject({ email, role }).meta({ id: 'InvitationInput' });

export type InvitationInput = z.infer<typeof invitationInput>;

export const invitationToken = z.strictObject({ token: linkToken }).meta({ id: 'InvitationToken' });

export const invitationPreview = z
  .strictObject({
    object: z.literal('invitation_preview'),
    organization_name: z.string().meta({ description: "The organization's name" }),
    email: z.string().meta({ description: 'Who is invited' }),
    role,
    expires_at: timestamp.meta({ description: 'When the link expires' }),
  })
  .meta({ id: 'InvitationPreview' });

export type InvitationPreview = z.infer<typeof invitationPreview>;

export const invitationAcceptance = z
  .strictObject({ token: linkToken, name: personName, password: newPassword })
  .meta({ id: 'InvitationAcceptance' });

export type InvitationAcceptance = z.infer<typeof invitationAcceptance>;
