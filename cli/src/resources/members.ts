// toolgate members: the people on whose behalf tools are called. The first session of a person creates the member.

import type { Command } from '@commander-js/extra-typings';
import { memberSession, signingFields } from '../member-session.ts';
import { addListVerb, addVerb } from '../verb.ts';

export function addMembersCommand(program: Command): void {
  const group = program.command('members').description('members, their sessions and connected accounts');
  addListVerb(group, {
    usage: 'list',
    description: 'list the members of the project',
    columns: ['id', 'external_id', 'active_sessions', 'created_at', 'last_seen_at'],
    fields: [
      { flag: '--external-id <id>', field: 'external_id', description: 'your own id of the person' },
      { flag: '--search <text>', field: 'search', description: 'external ids that contain this' },
    ],
    run: ({ toolgate, fields }) => toolgate.members.list(fields),
  });
  addVerb(group, {
    usage: 'get <id>',
    description: 'show a member',
    run: ({ toolgate, args }) => toolgate.members.get(String(args[0])),
  });
  addVerb(group, {
    usage: 'create-session <external-id>',
    description: 'create a session for a person and show its token; the first one creates the member',
    fields: signingFields,
    run: ({ toolgate, project, args, fields }) => memberSession(toolgate, project, String(args[0]), fields),
  });
  addVerb(group, {
    usage: 'revoke-sessions <id>',
    description: 'end all sessions of a member',
    run: ({ toolgate, args }) => toolgate.members.revokeSessions(String(args[0])),
  });
  addAccountVerbs(group);
}

function addAccountVerbs(group: Command): void {
  addListVerb(group, {
    usage: 'connections <id>',
    description: 'list the accounts that a member has connected',
    columns: ['id', 'provider_id', 'status', 'scope', 'created_at'],
    run: ({ toolgate, args, fields }) => toolgate.members.connections.list(String(args[0]), fields),
  });
  addVerb(group, {
    usage: 'disconnect <id> <connection-id>',
    description: 'revoke a connected account and delete its tokens',
    run: ({ toolgate, args }) => toolgate.members.connections.delete(String(args[0]), String(args[1])),
  });
  addListVerb(group, {
    usage: 'grants <id>',
    description: 'list the OAuth clients that act for a member',
    columns: ['id', 'client_name', 'client_id', 'created_at', 'last_used_at'],
    run: ({ toolgate, args, fields }) => toolgate.members.grants.list(String(args[0]), fields),
  });
  addVerb(group, {
    usage: 'end-grant <id> <grant-id>',
    description: 'end a grant with its refresh token and sessions',
    run: ({ toolgate, args }) => toolgate.members.grants.delete(String(args[0]), String(args[1])),
  });
}
