// Passwords: the rules for new ones.

import { z } from 'zod';
import { limitedText } from '../fields.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './rules.ts';

/** One that is checked. No rule but the length: the rules for new ones may have changed since it was chosen. */
export const givenPassword = limitedText(MAX_PASSWORD_LENGTH)
  .min(1)
  .meta({ format: 'password', description: 'The password' });

export const newPassword = limitedText(MAX_PASSWORD_LENGTH)
  .min(MIN_PASSWORD_LENGTH)
  .meta({
    format: 'password',
    description: `The new password: ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters, and not one of the most common ones`,
    example: 'correct horse battery staple',
  });

export const passwordConfirmation = z
  .strictObject({ password: givenPassword.meta({ description: "The account's password" }) })
  .meta({ id: 'PasswordConfirmation' });

/** The same characters typed on another system can have another encoding (NIST SP 800-63B). */
export const normalizePassword = (password: string) => password.normalize('NFKC');

/** The passwords that are tried first, without digits and punctuation at their ends. */
const common = new Set(
  `password passw0rd pa$$word p@ssword p@ssw0rd qwerty qwertyuiop qwertz azerty asdfgh asdfghjkl zxcvbn zxcvbnm iloveyou
  princess welcome welc0me admin administrator letmein monkey dragon football baseball basketball superman batman sunshine
  shadow master michael jordan starwars trustno computer internet whatever changeme secret default toolgate abc abcdef
  abcdefg abcdefgh abcd aa q1w2e3r4 q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsx`.split(/\s+/),
);

/** Whether a password is guessed immediately: a common one, digits in a row, one character only, or the person's own email. */
export function isCommonPassword(password: string, email: string): boolean {
  const text = normalizePassword(password).toLowerCase();
  const stem = text.replaceAll(/^[\d\W_]+|[\d\W_]+$/g, '');
  const isSequence = '0123456789012345678901234567890'.includes(text) || '9876543210987654321098765'.includes(text);
  const isCommon = stem === '' ? text.length < 12 || isSequence : common.has(stem) || common.has(text);
  const isRepeated = new Set(text).size <= 2;
  const isOwn = text === email || text === email.split('@')[0];
  return isCommon || isRepeated || isOwn;
}
