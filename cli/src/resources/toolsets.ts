// toolgate toolsets, and toolgate access: which tools a credential sees, and why not the others.

import { command, type Group, listCommand } from '../command.ts';

const chosen = ['tool_ids', 'tags', 'only'] as const;
const fields = ['name', 'description', ...chosen, 'grant', 'exposure', 'pinned_tool_ids'] as const;

export const toolsets: Group = {
  name: 'toolsets',
  description: 'groups of tools that you can restrict keys and apps to',
  commands: [
    listCommand('list', 'listToolsets', { columns: ['id', 'slug', 'name', 'tool_count', 'grant', 'created_at'] }),
    command('get', 'getToolset'),
    command('create', 'createToolset', { flags: ['slug', ...fields], isOpen: true }),
    command('update', 'updateToolset', { flags: [...fields, 'expected_updated_at'], isOpen: true }),
    command('delete', 'deleteToolset', { flags: ['detach'] }),
  ],
};

export const access: Group = {
  name: 'access',
  description: 'which tools a credential can use',
  commands: [
    listCommand('explain', 'listEffectiveTools', {
      description: 'show for each tool whether a caller can use it, and if not, why',
      flags: ['api_key_id', 'session_id', 'member_id', 'oauth_grant_id', 'oauth_client_id'],
      columns: ['name', 'is_allowed', 'refused_by', 'toolset_ids'],
    }),
  ],
};
