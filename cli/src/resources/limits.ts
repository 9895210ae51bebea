// toolgate limits: how often tools may be called, and who has used how much.

import { command, type Group, listCommand } from '../command.ts';

/** `match` and `overrides` are given with --set. */
const fields = ['name', 'per', 'limit', 'window_seconds'] as const;

export const limits: Group = {
  name: 'limits',
  description: 'how often tools may be called by a key, member, app or the project',
  commands: [
    listCommand('list', 'listLimits', { columns: ['id', 'name', 'per', 'limit', 'window_seconds', 'created_at'] }),
    command('get', 'getLimit'),
    command('create', 'createLimit', { flags: fields, isOpen: true }),
    command('update', 'updateLimit', { flags: fields, isOpen: true }),
    command('delete', 'deleteLimit'),
    listCommand('usage', 'readLimitUsage', { columns: ['subject_id', 'used', 'limit'] }),
  ],
};
