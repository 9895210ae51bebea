// An assertion key: the public key that verifies member assertions of a customer.

import { z } from 'zod';
import { text, timestamp } from '../fields.ts';
import { assertionAlgorithms, assertionKeyStatuses, MAX_KID_LENGTH } from './rules.ts';

const kid = text(1, MAX_KID_LENGTH).meta({
  description: 'The `kid` in the header of assertions; unique among the active keys of the project',
  example: 'backend-2026',
});

export const assertionKey = z
  .strictObject({
    id: z.string(),
    object: z.literal('assertion_key'),
    project_id: z.string(),
    kid,
    algorithm: z
      .enum(assertionAlgorithms)
      .meta({ description: 'The only algorithm accepted for assertions with this `kid`' }),
    public_key: z.string().meta({ description: 'The public key as PEM, in normalized form' }),
    fingerprint: z.string().meta({
      description: 'SHA-256 of the DER, base64url',
      example: 'SHA256:xCb0nVz2kJ7Zt0m4e3cVbT1f9H6yQpRsWuXoLd8aGiM',
    }),
    status: z.enum(assertionKeyStatuses).meta({ description: 'Only an active key verifies assertions' }),
    created_at: timestamp,
    created_by: z.string().meta({ description: 'Id of the API key that registered it, or `root`' }),
    deactivated_at: timestamp.nullable().meta({ description: 'When it was deactivated; null if it is active' }),
  })
  .meta({ id: 'AssertionKey' });

export type AssertionKey = z.infer<typeof assertionKey>;

export const newAssertionKey = z
  .strictObject({
    kid,
    public_key: z.string().meta({
      description: 'The public key as PEM: exactly one `PUBLIC KEY` block',
      example: '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n',
    }),
    // Any string: an unknown algorithm has its own refusal, not a validation error (spec 7).
    algorithm: z.string().meta({
      description: `The algorithm that assertions are signed with: one of ${assertionAlgorithms.join(', ')}`,
      example: 'ES256',
    }),
  })
  .meta({ id: 'NewAssertionKey' });

export type NewAssertionKey = z.infer<typeof newAssertionKey>;
