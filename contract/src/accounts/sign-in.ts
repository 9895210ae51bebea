// What a person sends to set up the installation, to sign in, and to prove again who they are.

import { z } from 'zod';
import { limitedText, name, timestamp } from '../fields.ts';
import { project } from '../projects/project.ts';
import { currentAccount, email, personName } from './account.ts';
import { givenPassword, newPassword } from './password.ts';
import { code } from './totp.ts';

/** For a link that the server prints, or that a person passes on. */
export const linkToken = limitedText(64).min(1).meta({ description: 'The part of the link after `#token=`' });

export const setupNeeded = z
  .strictObject({
    object: z.literal('setup'),
    needed: z.literal(true).meta({ description: 'Always true: there is no owner yet' }),
  })
  .meta({ id: 'SetupNeeded' });

export const setup = z
  .strictObject({
    token: linkToken,
    name: personName,
    email,
    password: newPassword,
    project_name: name.meta({ description: 'Name of the first project', example: 'Shop' }),
  })
  .meta({ id: 'Setup' });

export type Setup = z.infer<typeof setup>;

export const setupResult = z
  .strictObject({
    object: z.literal('setup_result'),
    account: currentAccount.meta({ description: 'The new owner, signed in' }),
    project: project.meta({ description: 'The first project' }),
  })
  .meta({ id: 'SetupResult' });

export type SetupResult = z.infer<typeof setupResult>;

export const signIn = z
  .strictObject({
    email,
    password: givenPassword,
    code: code.optional(),
    recovery_code: limitedText(64).min(1).optional().meta({
      description: 'Replaces `code` for a person without the authenticator app; each one works once',
    }),
  })
  .meta({ id: 'SignIn' });

export type SignIn = z.infer<typeof signIn>;

export const reauthentication = z
  .strictObject({
    password: givenPassword.optional().meta({ description: "The account's password" }),
    code: signIn.shape.code,
    recovery_code: signIn.shape.recovery_code,
  })
  .meta({ id: 'Reauthentication' });

export type Reauthentication = z.infer<typeof reauthentication>;

export const reauthenticated = z
  .strictObject({
    object: z.literal('reauthentication'),
    expires_at: timestamp.meta({ description: 'This session can make such changes until this time' }),
  })
  .meta({ id: 'Reauthenticated' });

export type Reauthenticated = z.infer<typeof reauthenticated>;
