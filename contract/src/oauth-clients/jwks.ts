// The public keys of an OAuth client (RFC 7517), with which it proves who it is (private_key_jwt). The server checks each key.

import { z } from 'zod';
import { limitedText, text } from '../fields.ts';

const MAX_KEYS = 20;
/** An RSA key of 8,192 bits takes 1,400 characters, a certificate (`x5c`) somewhat more. */
const memberText = text(0, 4096);

const jwk = z
  .record(text(1, 64), z.union([memberText, z.number(), z.boolean(), z.array(memberText).max(5)]))
  .refine((members) => Object.keys(members).length <= 20, 'must not have more than 20 keys')
  .meta({ description: 'A public key: `kty` EC (P-256, P-384), OKP (Ed25519) or RSA (2,048 to 8,192 bits)' });

export const jwks = z
  .strictObject({
    keys: z
      .array(jwk)
      .min(1)
      .max(MAX_KEYS, { abort: true })
      .meta({ description: 'Public keys. A key with a private part is refused' }),
  })
  .nullable()
  .meta({
    description: 'Its public keys for `private_key_jwt`; null for none. A client with keys has no secret',
    example: {
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
          y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
          kid: 'machine-1',
        },
      ],
    },
  });

export type Jwks = NonNullable<z.infer<typeof jwks>>;

export const jwksUri = limitedText(2048).nullable().meta({
  description:
    'Instead of `jwks`: an HTTPS URL that returns the keys. They are fetched when needed, and again after 10 minutes',
  example: 'https://app.example.com/jwks.json',
});
