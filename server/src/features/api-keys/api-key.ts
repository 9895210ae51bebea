// An API key: its columns, its public schema and its status. The secret is shown once, in the response that created the key.

import { z } from 'zod';
import { permissions } from '../../access/permissions.ts';
import { name, timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';
import { refuse } from '../../errors.ts';

export const keyColumns = [
  'id',
  'project_id',
  'integration_id',
  'name',
  'permissions',
  'prefix',
  'last4',
  'is_active',
  'revoked_at',
  'expires_at',
  'last_used_at',
  'rotated_to',
  'created_by',
  'created_at',
] as const;

export type KeyRow = Pick<Row<'api_keys'>, (typeof keyColumns)[number]>;

export const permissionSet = z
  .array(z.enum(permissions))
  .min(1)
  .max(permissions.length, { abort: true })
  .refine((held) => new Set(held).size === held.length, 'must not name a permission twice')
  .meta({ description: 'What the key may do; `admin` implies all', example: ['read'] });

export const apiKeySchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('api_key'),
    project_id: z.string(),
    integration_id: z
      .string()
      .nullable()
      .meta({ description: 'The integration it was created from; null: project settings' }),
    name,
    permissions: permissionSet,
    status: z.enum(['active', 'inactive', 'revoked', 'expired']).meta({
      description:
        'Only an active key is accepted. `inactive`: switched off, can be switched on again; `revoked` and `expired` are final',
    }),
    prefix: z
      .string()
      .meta({ description: 'The first 12 characters of the secret, to recognise it by', example: 'svc_test_4fT' }),
    last4: z.string().meta({ description: 'The last 4 characters of the secret' }),
    expires_at: timestamp.nullable().meta({ description: 'From then on the key is refused; null: never' }),
    last_used_at: timestamp
      .nullable()
      .meta({ description: 'When a request last used it; written at most once a minute, null: never' }),
    created_at: timestamp,
    created_by: z.string().meta({ description: 'Id of the key that created it, or `root`' }),
    rotated_to: z.string().nullable().meta({ description: 'Id of the key that replaces it; null: it was not rotated' }),
  })
  .meta({ id: 'ApiKey' });

export const newApiKeySchema = apiKeySchema
  .extend({ key: z.string().meta({ description: 'The secret. Shown this once', example: 'svc_test_…' }) })
  .meta({ id: 'NewApiKey' });

export type ApiKey = z.infer<typeof apiKeySchema>;

export function showKey({ is_active, revoked_at, ...row }: KeyRow, now: number): ApiKey {
  return { object: 'api_key', ...row, status: keyStatus({ is_active, revoked_at, expires_at: row.expires_at }, now) };
}

function keyStatus(row: Pick<KeyRow, 'is_active' | 'revoked_at' | 'expires_at'>, now: number): ApiKey['status'] {
  if (row.revoked_at !== null) return 'revoked';
  if (row.expires_at !== null && Date.parse(row.expires_at) <= now) return 'expired';
  return row.is_active ? 'active' : 'inactive';
}

/** Revoked and expired are final. */
export function refuseEnded(row: KeyRow, now: number): void {
  const status = keyStatus(row, now);
  if (status === 'revoked' || status === 'expired')
    throw refuse.keyNotActive({ details: { field: 'status', value: status } });
}
