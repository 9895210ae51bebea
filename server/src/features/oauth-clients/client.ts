// An OAuth client: an app that sends its users here to sign in. Stored and public form; its secret is shown once.

import { z } from 'zod';
import { name, timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';

export const clientColumns = [
  'id',
  'project_id',
  'integration_id',
  'name',
  'redirect_uris',
  'is_public',
  'secret_hash',
  'secret_last4',
  'previous_secret_hash',
  'previous_secret_ends_at',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type ClientRow = Row<'oauth_clients'>;

/** A client with the quota group and the organization of its project. */
export type Client = ClientRow & { quota_group_id: string; organization_id: string };

export const clientSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('oauth_client'),
    project_id: z.string(),
    client_id: z.string().meta({ description: 'The same as `id`', example: 'oac_3pWn8sLcVd5yTk1QmX7zRb' }),
    name,
    redirect_uris: z.array(z.string()).meta({
      description: 'Where codes may be sent, compared letter by letter',
      example: ['https://app.example.com/callback'],
    }),
    integration_id: z
      .string()
      .nullable()
      .meta({ description: 'Sign-ins through this client make sessions of this integration' }),
    is_public: z.boolean().meta({ description: 'Cannot keep a secret: it has none, and PKCE is required' }),
    secret_last4: z.string().nullable().meta({ description: 'The end of its secret; null for a public client' }),
    previous_secret_ends_at: timestamp
      .nullable()
      .meta({ description: 'Until then the secret before the last rotation is accepted too' }),
    created_at: timestamp,
    created_by: z.string().meta({ description: 'Id of the key that created it, or `root`' }),
    updated_at: timestamp,
  })
  .meta({ id: 'OAuthClient' });

export const newClientSchema = clientSchema
  .extend({
    client_secret: z
      .string()
      .nullable()
      .meta({ description: 'Shown this once; null for a public client', example: 'svc_ocs_…' }),
  })
  .meta({ id: 'NewOAuthClient' });

export type ClientAnswer = z.infer<typeof clientSchema>;
export type NewClientAnswer = z.infer<typeof newClientSchema>;

export function showClient(row: ClientRow, now: number): ClientAnswer {
  const { secret_hash: _, previous_secret_hash: __, previous_secret_ends_at: ends, ...shown } = row;
  return {
    object: 'oauth_client',
    client_id: row.id,
    ...shown,
    previous_secret_ends_at: ends !== null && Date.parse(ends) > now ? ends : null,
  };
}
