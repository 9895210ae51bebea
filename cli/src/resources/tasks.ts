// toolgate tasks: calls that go on after their first response.

import { command, type Group, listCommand } from '../command.ts';

export const tasks: Group = {
  name: 'tasks',
  description: 'calls that take longer than a minute: their progress and their results',
  commands: [
    listCommand('list', 'listTasks', {
      flags: ['status', 'tool_id'],
      columns: ['id', 'tool_name', 'status', 'progress', 'message', 'poll_count', 'created_at', 'expires_at'],
    }),
    command('get', 'getTask'),
    command('cancel', 'cancelTask'),
  ],
};
