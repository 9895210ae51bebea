// /members: list and read the members of a project, and revoke their sessions.

import { z } from 'zod';
import { pageOf, pageQuery, text } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { responses } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { getMember } from './get.ts';
import { listMembers } from './list.ts';
import { memberSchema } from './member.ts';
import { revokeMemberSessions } from './revoke-sessions.ts';
import { docs } from './route-docs.ts';

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
        ...docs.listMembers,
        tags,
        querystring: memberQuery,
        response: responses({ 200: pageOf(memberSchema) }, 'validation'),
      },
    },
    (request) => listMembers(app, request.caller, request.query),
  );
  server.get(
    `${members}/:member_id`,
    {
      config,
      schema: {
        ...docs.getMember,
        tags,
        params: memberParams,
        response: responses({ 200: memberSchema }),
      },
    },
    (request) => getMember(app, request.caller, request.params.member_id),
  );
  server.post(
    `${members}/:member_id/revoke-sessions`,
    {
      config,
      schema: {
        ...docs.revokeMemberSessions,
        tags,
        params: memberParams,
        response: responses({ 200: memberSchema }),
      },
    },
    (request) => revokeMemberSessions(withRequestOrigin(app, request), request.caller, request.params.member_id),
  );
}
