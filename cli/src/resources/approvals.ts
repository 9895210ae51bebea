// toolgate approvals: calls that wait for a person.

import { command, type Group, listCommand } from '../command.ts';

export const approvals: Group = {
  name: 'approvals',
  description: 'calls that wait for approval, and the decisions about them',
  commands: [
    listCommand('list', 'listApprovals', {
      flags: ['status', 'tool_id'],
      columns: ['id', 'tool_name', 'by', 'status', 'member_id', 'api_key_id', 'requested_at', 'expires_at'],
    }),
    command('get', 'getApproval'),
    command('approve', 'approveCall', { flags: ['reason'] }),
    command('decline', 'declineCall', { flags: ['reason'] }),
  ],
};
