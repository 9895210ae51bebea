// toolgate integrations

import { command, type Group, listCommand } from '../command.ts';

export const integrations: Group = {
  name: 'integrations',
  description: 'integrations; their keys are created by keys create',
  commands: [
    listCommand('list', 'listIntegrations', { columns: ['id', 'name', 'description', 'created_at'] }),
    command('get', 'getIntegration'),
    command('create', 'createIntegration', { flags: ['name', 'description'], isOpen: true }),
    command('update', 'updateIntegration', { flags: ['name', 'description'], isOpen: true }),
    command('delete', 'deleteIntegration'),
  ],
};
