// /members: who came through the integrations of a project, and the end of their sessions.

import { z } from 'zod';
import { projectOf } from '../../access/caller.ts';
import { pageOf, pageQuery, text } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { responses } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { findMember, revokeSessionsOfMember } from './find.ts';
import { memberSchema, memberWithSessions, showMember } from './member.ts';
import { pageOfMembers } from './store.ts';

const tags = ['Members'];
const members = '/api/v1/members';
const config = { access: 'admin' } as const;
const memberParams = z.strictObject({ member_id: z.string().meta({ description: 'Id of the member' }) });
const memberQuery = pageQuery.extend({
  external_id: text(1, 255).optional().meta({ description: 'Only the member with exactly this external id' }),
  search: text(1, 255).optional().meta({ description: 'Only members whose external id starts with this' }),
});

export function memberRoutes(server: Server, app: App): void {
  server.get(
    members,
    {
      config,
      schema: {
        operationId: 'listMembers',
        summary: 'List or search the members, newest first',
        tags,
        querystring: memberQuery,
        response: responses({ 200: pageOf(memberSchema) }, 'validation'),
      },
    },
    async (request) => {
      const { external_id, search, ...query } = request.query;
      const page = await pageOfMembers(app.database, projectOf(request.caller).id, { external_id, search }, query);
      return { ...page, data: page.data.map(showMember) };
    },
  );
  server.get(
    `${members}/:member_id`,
    {
      config,
      schema: {
        operationId: 'getMember',
        summary: 'Read a member',
        tags,
        params: memberParams,
        response: responses({ 200: memberWithSessions }),
      },
    },
    (request) => findMember(app, request.caller, request.params.member_id),
  );
  server.post(
    `${members}/:member_id/revoke-sessions`,
    {
      config,
      schema: {
        operationId: 'revokeMemberSessions',
        summary: 'End every session of a member',
        tags,
        params: memberParams,
        response: responses({ 200: memberWithSessions }),
      },
    },
    (request) => revokeSessionsOfMember(withRequestOrigin(app, request), request.caller, request.params.member_id),
  );
}
