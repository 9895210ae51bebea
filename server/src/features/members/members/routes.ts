// Serves /members.

import { memberRoutes } from '@toolgate/contract/members/routes.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { deleteMember, type MemberEndings } from './delete.ts';
import { getMember, listMembers } from './read.ts';
import { type RevokeGrants, revokeMemberSessions } from './revoke-sessions.ts';

export function serveMembers(server: Server, app: App, revokeGrants: RevokeGrants, endings: MemberEndings): void {
  implement(
    server,
    app,
    memberRoutes,
    {
      listMembers: (app, { caller, query }) => listMembers(app, caller, query),
      getMember: (app, { caller, params }) => getMember(app, caller, params.member_id),
      deleteMember: (app, { caller, params }) => deleteMember(app, caller, params.member_id, endings),
      revokeMemberSessions: (app, { caller, params }) =>
        revokeMemberSessions(app, caller, params.member_id, revokeGrants),
    },
    // It may take long, and takes a permit for each part.
    { deleteMember: { database_permit: false } },
  );
}
