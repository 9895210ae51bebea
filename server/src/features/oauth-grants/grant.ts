// A grant: a person signed in and let a client act for them. Stored and public form; code and tokens are stored as hashes.

import { z } from 'zod';
import { scopes } from '../../access/permissions.ts';
import { timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';

/** The columns of the public form. */
export const grantColumns = [
  'id',
  'project_id',
  'member_id',
  'provider_id',
  'client_kind',
  'client_id',
  'client_name',
  'integration_id',
  'scopes',
  'resource',
  'created_at',
  'last_used_at',
  'refresh_expires_at',
] as const;

export type GrantRow = Row<'oauth_grants'>;

export const grantSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('oauth_grant'),
    project_id: z.string(),
    member_id: z.string().meta({ description: 'Id of the member who signed in' }),
    provider_id: z.string().meta({ description: 'Where the member signed in' }),
    client_kind: z.enum(['registered', 'dynamic', 'metadata']).meta({
      description:
        '`registered`: an OAuth client of the project. `dynamic`: it registered itself. `metadata`: its client_id is the URL of its metadata document',
    }),
    client_id: z.string().meta({ description: 'Id of the client, or the URL of its metadata document' }),
    client_name: z.string().meta({ description: 'What the client called itself at the sign-in', example: 'Web shop' }),
    integration_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the integration that its sessions belong to; null: the client has none' }),
    scopes: z.array(z.enum(scopes)).meta({ description: 'What the member granted' }),
    resource: z.string().nullable().meta({ description: 'The MCP endpoint that the client named' }),
    created_at: timestamp,
    last_used_at: timestamp.nullable().meta({ description: 'When a token was last issued' }),
    expires_at: timestamp.nullable().meta({ description: 'When it ends unless the client refreshes its token before' }),
  })
  .meta({ id: 'OAuthGrant' });

export type Grant = z.infer<typeof grantSchema>;

export function showGrant({ refresh_expires_at, ...row }: Pick<GrantRow, (typeof grantColumns)[number]>): Grant {
  return { object: 'oauth_grant', ...row, expires_at: refresh_expires_at };
}
