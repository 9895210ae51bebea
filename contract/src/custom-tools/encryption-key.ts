// The public key of a project that secrets are encrypted to before they are sent.

import { z } from 'zod';

/** For a secret that is sealed to the key, as a compact JWE. */
export const MAX_JWE_LENGTH = 16_384;

export const encryptionKey = z
  .strictObject({
    key_id: z.string().meta({ description: 'Id of the key; use it as `kid` in the JWE header' }),
    jwk: z
      .strictObject({
        kty: z.literal('EC').meta({ description: 'Key type' }),
        crv: z.literal('P-256').meta({ description: 'Curve' }),
        x: z.string().meta({ description: 'X coordinate, base64url' }),
        y: z.string().meta({ description: 'Y coordinate, base64url' }),
        kid: z.string().meta({ description: 'The same as `key_id`' }),
        alg: z.literal('ECDH-ES').meta({ description: 'Key agreement algorithm of the JWE' }),
        use: z.literal('enc').meta({ description: 'The key is for encryption, not for signatures' }),
      })
      .meta({ description: 'The public key as a JSON Web Key' }),
    public_key: z.string().meta({ description: 'The same key as PEM' }),
  })
  .meta({ id: 'EncryptionKey' });

export type EncryptionKey = z.infer<typeof encryptionKey>;
