// The events of OAuth providers and connections. They are part of the contract; nothing records them yet.

import { z } from 'zod';
import { type EventKind, exampleIds } from '../../api/event-kind.ts';

const provider_id = 'oap_6tRx1nZcQm4vWk8YbF3sHd';

const oauthProvider = z
  .strictObject({
    id: z.string(),
    provider: z.string().meta({ description: '`google`, `github` or `oidc`' }),
    is_enabled: z.boolean().meta({ description: 'Whether members can sign in with it' }),
  })
  .meta({ id: 'OAuthProviderSummary' });

const oauthConnection = z
  .strictObject({
    id: z.string(),
    provider_id: z.string().meta({ description: 'Id of the OAuth provider' }),
    member_id: z.string().meta({ description: 'Id of the member who connected the account' }),
  })
  .meta({ id: 'OAuthConnectionSummary' });

const provider = (description: string) =>
  ({
    description,
    data: oauthProvider,
    example: { id: provider_id, provider: 'google', is_enabled: true },
    readable_with: 'read',
    is_recorded: false,
  }) satisfies EventKind;

const connection = (description: string) =>
  ({
    description,
    data: oauthConnection,
    example: { id: 'con_8vHn4kSdXw2qBt7MzL5yRc', provider_id, member_id: exampleIds.member_id },
    readable_with: 'read',
    is_recorded: false,
  }) satisfies EventKind;

export const oauthEvents = {
  'oauth_provider.created': provider('An OAuth provider was set up'),
  'oauth_provider.updated': provider('An OAuth provider was changed'),
  'oauth_provider.deleted': provider('An OAuth provider was deleted'),
  'oauth_connection.created': connection('A member connected an account'),
  'oauth_connection.refresh_failed': connection("A connected account's tokens could not be renewed"),
  'oauth_connection.revoked': connection('A connected account was given up'),
};
