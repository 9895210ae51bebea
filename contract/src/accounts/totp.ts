// Two-factor authentication: codes of an authenticator app, and recovery codes.

import { z } from 'zod';
import { limitedText } from '../fields.ts';
import { passwordConfirmation } from './password.ts';

export const code = limitedText(6)
  .regex(/^\d{6}$/, 'must be six digits')
  .meta({ description: 'The current code from the authenticator app', example: '492039' });

export const pendingTotp = z
  .strictObject({
    object: z.literal('totp'),
    status: z
      .literal('pending')
      .meta({ description: 'When the secret was created. It takes effect after you confirm it with a code' }),
    secret: z.string().meta({ description: 'For the authenticator app, in base32; shown only once' }),
    otpauth_url: z.string().meta({ description: 'The same secret as a URI for a QR code' }),
  })
  .meta({ id: 'PendingTotp' });

export type PendingTotp = z.infer<typeof pendingTotp>;

export const recoveryCodes = z
  .strictObject({
    object: z.literal('recovery_codes'),
    recovery_codes: z
      .array(z.string())
      .meta({ description: 'Ten codes, each for one sign-in without the authenticator app; shown only once' }),
  })
  .meta({ id: 'RecoveryCodes' });

export type RecoveryCodes = z.infer<typeof recoveryCodes>;

export const totpConfirmation = z.strictObject({ code }).meta({ id: 'TotpConfirmation' });

export type TotpConfirmation = z.infer<typeof totpConfirmation>;

/** Without the password it must have been given in the last 10 minutes. */
export const recoveryCodesInput = passwordConfirmation.partial().meta({ id: 'RecoveryCodesInput' });

export type RecoveryCodesInput = z.infer<typeof recoveryCodesInput>;
