// A connection: an account that a member connected at a provider. Its tokens are never returned.

import { z } from 'zod';
import { text, timestamp } from '../fields.ts';

export const oauthConnectionStatuses = ['active', 'refresh_failed'] as const;

export const oauthConnection = z
  .strictObject({
    id: z.string(),
    object: z.literal('oauth_connection'),
    project_id: z.string(),
    provider_id: z.string().meta({ description: 'Id of the OAuth provider' }),
    member_id: z.string().meta({ description: 'Id of the member who connected the account' }),
    status: z
      .enum(oauthConnectionStatuses)
      .meta({ description: 'refresh_failed: the member must sign in again before tools can use it' }),
    scope: z.string().nullable().meta({ description: 'The scopes that the provider granted, in its own spelling' }),
    has_refresh_token: z.boolean().meta({ description: 'Whether the tokens can be refreshed without the member' }),
    expires_at: timestamp.nullable().meta({ description: 'When the access token expires; null if never or unknown' }),
    created_at: timestamp,
    updated_at: timestamp.meta({ description: 'When the tokens were last stored' }),
  })
  .meta({ id: 'OAuthConnection' });

export type OAuthConnection = z.infer<typeof oauthConnection>;

const ids = {
  member_id: text(1, 64).meta({ description: 'Id of the member that your backend has identified' }),
  provider_id: text(1, 64).meta({ description: 'Id of the OAuth provider for the account' }),
};

export const connectionRequest = z.strictObject(ids).meta({ id: 'OAuthConnectionRequest' });

export type ConnectionRequest = z.infer<typeof connectionRequest>;

export const connectionAddress = z
  .strictObject({
    object: z.literal('oauth_connection_address'),
    ...ids,
    url: z.string().meta({ description: "Redirect the member's browser to this URL. It works once" }),
    expires_at: timestamp.meta({ description: 'When the URL expires: after 5 minutes' }),
  })
  .meta({ id: 'OAuthConnectionAddress' });

export type ConnectionAddress = z.infer<typeof connectionAddress>;
