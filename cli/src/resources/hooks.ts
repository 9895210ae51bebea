// toolgate hooks: policies that are asked about calls of tools.

import { command, type Group, listCommand } from '../command.ts';

/** `match` is given with --set. */
const fields = ['points', 'timeout_ms', 'on_failure', 'may_change', 'is_enabled'] as const;

export const hooks: Group = {
  name: 'hooks',
  description: 'your own policies that allow, deny or change tool calls',
  commands: [
    listCommand('list', 'listHooks', {
      columns: ['id', 'url', 'points', 'timeout_ms', 'on_failure', 'may_change', 'is_enabled'],
    }),
    command('get', 'getHook'),
    command('create', 'createHook', {
      description: 'create a hook at this HTTPS URL, and show its secret once',
      argument: { field: 'url', name: 'policy' },
      flags: fields,
      isOpen: true,
    }),
    command('update', 'updateHook', {
      description: 'update a hook; change its URL with --set url=…',
      flags: fields,
      isOpen: true,
    }),
    command('delete', 'deleteHook'),
    command('rotate-secret', 'rotateHookSecret', { flags: ['overlap_seconds'] }),
    command('test', 'testHook', { flags: ['call_id', 'tool_id', 'point'], isOpen: true }),
  ],
};
