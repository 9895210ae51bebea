// An account: to others, and to the person itself, with its sessions.

import { z } from 'zod';
import { limitedText, name, timestamp } from '../fields.ts';
import { organization } from '../organizations/organization.ts';
import { permissions } from '../permissions.ts';
import { roles } from '../roles.ts';
import { givenPassword, newPassword } from './password.ts';
import { isEmail } from './rules.ts';

export const role = z.enum(roles).meta({
  description:
    "`owner` and `admin` have every permission, `developer` has `read`, `write` and `webhook`, `viewer` has `read`. Only an owner can make someone an owner or change an owner's role",
});

const can_approve = z.boolean().meta({
  description:
    'Whether this person can approve or decline calls that wait for an approver. Owners and admins always can',
});

const is_break_glass = z.boolean().meta({
  description:
    'An owner who can sign in with a password even when single sign-on is required. Requires two-factor authentication',
});

export const personName = name.meta({
  description: 'The name other people see; 1 to 128 characters',
  example: 'Ada Lovelace',
});

/** The name by which a person signs in. Compared in lower case. */
export const email = limitedText(254)
  .refine(isEmail, 'must be an email address')
  .transform((text) => text.trim().toLowerCase())
  .meta({
    description: 'Email address; not case-sensitive',
    example: 'ada@example.com',
    override: { type: 'string', format: 'email', maxLength: 254 },
  });

const accountFields = {
  id: z.string(),
  object: z.literal('account'),
  name: personName,
  email: z.string().meta({ description: 'The email address this person signs in with', example: 'ada@example.com' }),
  role,
  can_approve,
  has_totp: z.boolean().meta({ description: 'Whether two-factor authentication is on' }),
  has_sso: z
    .boolean()
    .meta({ description: 'Whether this person signs in with single sign-on and has no password here' }),
  is_break_glass,
  created_at: timestamp,
  last_seen_at: timestamp.nullable().meta({ description: 'When this person last used the dashboard, to the minute' }),
};

export const account = z.strictObject(accountFields).meta({ id: 'Account' });

export type Account = z.infer<typeof account>;

export const accountSession = z
  .strictObject({
    id: z.string(),
    object: z.literal('account_session'),
    user_agent: z.string().nullable().meta({ description: "The browser's User-Agent" }),
    ip: z.string().nullable().meta({ description: 'The IP address of the sign-in' }),
    created_at: timestamp,
    last_seen_at: timestamp.meta({ description: 'When it was last used, to the minute' }),
    expires_at: timestamp.meta({
      description: 'When the session expires at the latest. It also expires after 12 hours without use',
    }),
    is_current: z.boolean().meta({ description: 'Whether this request used the session' }),
  })
  .meta({ id: 'AccountSession' });

export type AccountSession = z.infer<typeof accountSession>;

export const endedSessions = z
  .strictObject({
    object: z.literal('ended_sessions'),
    ended: z.int().meta({ description: 'How many sessions were signed out' }),
  })
  .meta({ id: 'EndedSessions' });

export type EndedSessions = z.infer<typeof endedSessions>;

export const currentAccount = z
  .strictObject({
    ...accountFields,
    organization: organization.meta({ description: "The person's organization" }),
    permissions: z
      .array(z.enum(permissions))
      .meta({ description: 'What the role allows in every project of the organization' }),
    is_operator: z.boolean().meta({
      description:
        "Whether this person owns the operator's organization (the first one created) and can set `plan` and `requests_per_hour` for every project",
    }),
    public_url: z.string().meta({
      description: 'The URL where clients reach this server: `TOOLGATE_PUBLIC_URL`, or the URL printed at startup',
      example: 'https://tools.example.com',
    }),
    recovery_codes_left: z.int().meta({ description: 'How many recovery codes are left' }),
    session: accountSession.meta({ description: 'Whether this request used the session' }),
  })
  .meta({ id: 'CurrentAccount' });

export type CurrentAccount = z.infer<typeof currentAccount>;

export const accountChange = z
  .strictObject({
    name: personName,
    email,
    password: newPassword,
    current_password: givenPassword.meta({ description: 'Required to change the email address or the password' }),
  })
  .partial()
  .meta({ id: 'AccountChange' });

export type AccountChange = z.infer<typeof accountChange>;

export const roleChange = z.strictObject({ role, can_approve, is_break_glass }).partial().meta({ id: 'RoleChange' });

export type RoleChange = z.infer<typeof roleChange>;
