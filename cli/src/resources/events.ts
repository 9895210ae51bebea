// toolgate events and requests: what changed, which requests were refused, and how far one request came.

import { command, type Group, listCommand } from '../command.ts';

export const events: Group = {
  name: 'events',
  description: 'what changed in the project',
  commands: [
    listCommand('list', 'listEvents', { flags: ['type'], columns: ['id', 'timestamp', 'type', 'data'] }),
    command('get', 'getEvent'),
  ],
};

export const requests: Group = {
  name: 'requests',
  description: 'request traces, kept for 24 hours',
  commands: [
    listCommand('list', 'listRefusedRequests', {
      flags: ['status', 'code'],
      columns: ['request_id', 'created_at', 'method', 'route', 'status', 'code'],
    }),
    command('get', 'getRequestTrace'),
  ],
};
