// An assertion key: the public key that verifies member assertions of a customer. Columns and public schema.

import { z } from 'zod';
import { text, timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';
import { assertionAlgorithms } from './public-key.ts';

export const assertionKeyColumns = [
  'id',
  'project_id',
  'kid',
  'algorithm',
  'public_key',
  'fingerprint',
  'created_by',
  'created_at',
  'deactivated_at',
] as const;

export const kid = text(1, 128).meta({
  description: 'The `kid` in the header of assertions; unique among the active keys of the project',
  example: 'backend-2026',
});

export const assertionKeySchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('assertion_key'),
    project_id: z.string(),
    kid,
    algorithm: z
      .enum(assertionAlgorithms)
      .meta({ description: 'The only algorithm that assertions with this `kid` may be signed with' }),
    public_key: z.string().meta({ description: 'The public key as PEM, in normalised form' }),
    fingerprint: z.string().meta({
      description: 'SHA-256 of the DER, base64url',
      example: 'SHA256:xCb0nVz2kJ7Zt0m4e3cVbT1f9H6yQpRsWuXoLd8aGiM',
    }),
    status: z.enum(['active', 'deactivated']).meta({ description: 'Only an active key verifies assertions' }),
    created_at: timestamp,
    created_by: z.string().meta({ description: 'Id of the API key that registered it, or `root`' }),
    deactivated_at: timestamp.nullable().meta({ description: 'When it was deactivated; null: it is active' }),
  })
  .meta({ id: 'AssertionKey' });

export type AssertionKey = z.infer<typeof assertionKeySchema>;

export function showAssertionKey(row: Row<'assertion_keys'>): AssertionKey {
  return { object: 'assertion_key', ...row, status: row.deactivated_at === null ? 'active' : 'deactivated' };
}
