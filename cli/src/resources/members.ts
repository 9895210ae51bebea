// toolgate members: the people on whose behalf tools are called. The first session of a person creates the member.

import { command, type Group, listCommand } from '../command.ts';
import { memberSession, signingOptions } from '../member-session.ts';

export const members: Group = {
  name: 'members',
  description: 'members, their sessions and connected accounts',
  commands: [
    listCommand('list', 'listMembers', {
      flags: ['external_id', 'search'],
      columns: ['id', 'external_id', 'active_sessions', 'created_at', 'last_seen_at'],
    }),
    command('get', 'getMember'),
    command('create-session', 'createSessionToken', {
      description: 'create a session for a user and show its token; the first one creates the member',
      argument: { field: 'member_external_id', name: 'external-id' },
      options: signingOptions,
      call: ({ context, toolgate, project, fields, options }) =>
        memberSession(context, toolgate, project, fields.member_external_id, options),
    }),
    command('revoke-sessions', 'revokeMemberSessions'),
    command('delete', 'deleteMember'),
    listCommand('connections', 'listMemberConnections', {
      columns: ['id', 'provider_id', 'status', 'scope', 'created_at'],
    }),
    command('disconnect', 'revokeMemberConnection'),
    listCommand('grants', 'listMemberGrants', {
      columns: ['id', 'client_name', 'client_id', 'created_at', 'last_used_at'],
    }),
    command('end-grant', 'revokeMemberGrant'),
  ],
};
