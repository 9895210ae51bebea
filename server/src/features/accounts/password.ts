// Passwords: argon2id, and the rules for new ones. A check costs 19 MiB and some 30 ms, so app.password_checks bounds how many run.

import { hash, verify } from '@node-rs/argon2';
import { limitedText } from '../../api/fields.ts';
import type { App } from '../../app.ts';
import { invalidField } from '../../errors.ts';

/** OWASP's parameters: 19 MiB, two passes, one lane. The package's own default is argon2id with the same numbers. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** No password has this hash. It is checked for an unknown email address, so that the answer takes as long as for a known one. */
export const DUMMY_HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const MIN_LENGTH = 8;
const MAX_LENGTH = 256;

/** One that is checked. No rule but the length: the rules for new ones may have changed since it was chosen. */
export const givenPassword = limitedText(MAX_LENGTH).min(1).meta({ format: 'password', description: 'The password' });

export const newPassword = limitedText(MAX_LENGTH)
  .min(MIN_LENGTH)
  .meta({
    format: 'password',
    description: `The new password: ${MIN_LENGTH} to ${MAX_LENGTH} characters, and none of the most common ones`,
    example: 'correct horse battery staple',
  });

export async function hashPassword(app: App, password: string): Promise<string> {
  return app.password_checks.run(() => hash(normalize(password), PARAMETERS));
}

export async function verifyPassword(app: App, password_hash: string, password: string): Promise<boolean> {
  return app.password_checks.run(() => verify(password_hash, normalize(password)));
}

/** The same characters typed on another system can have another encoding (NIST SP 800-63B). */
const normalize = (password: string) => password.normalize('NFKC');

/** The passwords that are tried first, without digits and punctuation at their ends. */
const common = new Set(
  `password passw0rd pa$$word p@ssword p@ssw0rd qwerty qwertyuiop qwertz azerty asdfgh asdfghjkl zxcvbn zxcvbnm iloveyou
  princess welcome welc0me admin administrator letmein monkey dragon football baseball basketball superman batman sunshine
  shadow master michael jordan starwars trustno computer internet whatever changeme secret default toolgate abc abcdef
  abcdefg abcdefgh abcd aa q1w2e3r4 q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsx`.split(/\s+/),
);

/** Refuses a password that is guessed at once: a common one, digits in a row, one character only, or the person's own email. */
export function refuseCommonPassword(field: string, password: string, email: string): void {
  const text = normalize(password).toLowerCase();
  const stem = text.replaceAll(/^[\d\W_]+|[\d\W_]+$/g, '');
  const isSequence = '0123456789012345678901234567890'.includes(text) || '9876543210987654321098765'.includes(text);
  const isCommon = stem === '' ? text.length < 12 || isSequence : common.has(stem) || common.has(text);
  const isRepeated = new Set(text).size <= 2;
  const isOwn = text === email || text === email.split('@')[0];
  if (!isCommon && !isRepeated && !isOwn) return;
  throw invalidField(field, 'is too easy to guess', { reason: 'password_too_common' });
}
