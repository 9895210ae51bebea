// toolgate limits: how often tools may be called, and who has used how much.

import { type Group, listCommand } from '../command.ts';
import { crudCommands } from '../crud.ts';

export const limits: Group = {
  name: 'limits',
  description: 'how often a key, member, app or the project can call tools',
  commands: [
    ...crudCommands('Limit', {
      columns: ['id', 'name', 'per', 'limit', 'window_seconds', 'created_at'],
      // `match` and `overrides` are given with --set.
      flags: ['name', 'per', 'limit', 'window_seconds'],
    }),
    listCommand('usage', 'readLimitUsage', { columns: ['subject_id', 'used', 'limit'] }),
  ],
};
