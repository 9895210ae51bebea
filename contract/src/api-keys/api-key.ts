// An API key, and what is sent to create, change and rotate one.

import { z } from 'zod';
import { name, timestamp, timestampInput } from '../fields.ts';
import { permissions } from '../permissions.ts';
import { toolsetIds } from '../toolsets/fields.ts';
import { apiKeyStatuses } from './rules.ts';

const can_approve = z.boolean().meta({
  description:
    'Whether the key can approve or decline calls that wait for an approver. Only callers with `admin` can set it; a key with `admin` can always approve',
});

const permissionSet = z
  .array(z.enum(permissions))
  .min(1)
  .max(permissions.length, { abort: true })
  .refine((held) => new Set(held).size === held.length, 'must not list a permission twice')
  .meta({ description: 'What the key may do; `admin` implies all', example: ['read'] });

export const apiKey = z
  .strictObject({
    id: z.string(),
    object: z.literal('api_key'),
    project_id: z.string(),
    integration_id: z
      .string()
      .nullable()
      .meta({ description: 'The integration it was created from; null if it was created in the project settings' }),
    name,
    permissions: permissionSet,
    toolset_ids: toolsetIds,
    can_approve,
    status: z.enum(apiKeyStatuses).meta({
      description:
        'Only an active key is accepted. `inactive`: disabled, and can be enabled again; `revoked` and `expired` are final',
    }),
    prefix: z
      .string()
      .meta({ description: 'The first 12 characters of the secret, to recognize the key', example: 'svc_test_4fT' }),
    last4: z.string().meta({ description: 'The last 4 characters of the secret' }),
    expires_at: timestamp.nullable().meta({ description: 'When the key expires; null: never' }),
    last_used_at: timestamp
      .nullable()
      .meta({ description: 'When a request last used the key, updated at most once a minute; null: never' }),
    created_at: timestamp,
    created_by: z.string().meta({ description: 'Id of the key that created it, or `root`' }),
    rotated_to: z
      .string()
      .nullable()
      .meta({ description: 'Id of the key that replaces it; null if it was not rotated' }),
  })
  .meta({ id: 'ApiKey' });

export type ApiKey = z.infer<typeof apiKey>;

export const newApiKey = apiKey
  .extend({ key: z.string().meta({ description: 'The secret. Shown only once', example: 'svc_test_…' }) })
  .meta({ id: 'NewApiKey' });

export type NewApiKey = z.infer<typeof newApiKey>;

export const apiKeyRequest = z
  .strictObject({
    name,
    permissions: permissionSet,
    expires_at: timestampInput
      .nullable()
      .default(null)
      .meta({ description: 'A time in the next 10 years; null: never' }),
    toolset_ids: toolsetIds.default(null),
    can_approve: can_approve.default(false),
  })
  .meta({ id: 'ApiKeyRequest' });

export type ApiKeyRequest = z.infer<typeof apiKeyRequest>;

export const apiKeyChange = z
  .strictObject({
    name,
    is_active: z.boolean().meta({
      description:
        '`false` disables the key and revokes its sessions; `true` enables it again, but its sessions stay revoked',
    }),
    toolset_ids: toolsetIds,
    can_approve,
  })
  .partial()
  .meta({ id: 'ApiKeyChange' });

export type ApiKeyChange = z.infer<typeof apiKeyChange>;

const MAX_OVERLAP_SECONDS = 30 * 86_400;

export const apiKeyRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(MAX_OVERLAP_SECONDS)
      .default(0)
      .meta({ description: 'How long the old key keeps working' }),
  })
  .meta({ id: 'ApiKeyRotation' });

export type ApiKeyRotation = z.infer<typeof apiKeyRotation>;
