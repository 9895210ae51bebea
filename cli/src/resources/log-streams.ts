// toolgate log-streams: the call log and the audit log, sent to a receiver as they grow.

import { command, type Group, listCommand } from '../command.ts';

const fields = [
  'name',
  'endpoint',
  'headers',
  'bucket',
  'region',
  'prefix',
  'access_key_id',
  'secret_access_key',
  'flush_seconds',
  'is_enabled',
] as const;

export const logStreams: Group = {
  name: 'log-streams',
  description: 'the call log and the audit log, sent to a receiver as they grow',
  commands: [
    listCommand('list', 'listLogStreams', {
      columns: ['id', 'name', 'kind', 'source', 'is_enabled', 'lag_seconds', 'last_error', 'last_sent_at'],
    }),
    command('get', 'getLogStream'),
    command('create', 'createLogStream', {
      description: 'create a log stream; the secret for an HTTPS receiver is shown once',
      flags: ['kind', 'source', ...fields],
      isOpen: true,
    }),
    command('update', 'updateLogStream', { flags: fields, isOpen: true }),
    command('delete', 'deleteLogStream'),
    command('rotate-secret', 'rotateLogStreamSecret', { flags: ['overlap_seconds'] }),
    command('test', 'testLogStream', { description: 'send a test entry to the receiver and see each step' }),
  ],
};
