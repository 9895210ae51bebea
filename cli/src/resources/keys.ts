// toolgate keys: API keys. A key is shown by `create` and `rotate` alone.

import { command, type Group, listCommand, textOption } from '../command.ts';

const integration = textOption(
  '--integration <id>',
  'keys created from this integration, which can create member sessions',
);

export const keys: Group = {
  name: 'keys',
  description: 'API keys',
  commands: [
    listCommand('list', 'listApiKeys', {
      columns: ['id', 'name', 'permissions', 'status', 'last4', 'last_used_at', 'expires_at'],
      options: { integration },
      call: ({ toolgate, fields, options: { integration } }) =>
        integration === undefined
          ? toolgate.apiKeys.list(fields)
          : toolgate.integrations.apiKeys.list(integration, fields),
    }),
    command('create', 'createApiKey', {
      flags: ['name', 'permissions', 'expires_at', 'toolset_ids'],
      options: { integration },
      isOpen: true,
      call: ({ toolgate, fields, options: { integration } }) =>
        integration === undefined
          ? toolgate.apiKeys.create(fields)
          : toolgate.integrations.apiKeys.create(integration, fields),
    }),
    command('get', 'getApiKey'),
    command('update', 'updateApiKey', { flags: ['name', 'is_active', 'toolset_ids'], isOpen: true }),
    command('rotate', 'rotateApiKey', { flags: ['overlap_seconds'] }),
    command('revoke', 'revokeApiKey', { description: 'revoke an API key; this is final' }),
    command('delete', 'deleteApiKey'),
  ],
};
