// Email addresses: the names by which people sign in. Compared in lower case.

import { limitedText } from '../../api/fields.ts';

const EMAIL = /^[^\s@"<>\\\p{C}]{1,64}@[^\s@"<>\\\p{C}]{1,189}$/u;

export const email = limitedText(254)
  .refine((text) => EMAIL.test(text.trim()), 'must be an email address')
  .transform((text) => text.trim().toLowerCase())
  .meta({
    description: 'Email address; upper and lower case are the same',
    example: 'ada@example.com',
    override: { type: 'string', format: 'email', maxLength: 254 },
  });
