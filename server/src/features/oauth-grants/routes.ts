// /projects/{id}/members/{id}/grants: which clients a member has let in, and how to end that.

import { z } from 'zod';
import { pageOf, pageQuery, projectParams } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, responses } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { grantSchema } from './grant.ts';
import { listGrants } from './list.ts';
import { revokeGrant } from './revoke.ts';

const tags = ['Members'];
const config = { access: 'admin' } as const;
const grants = '/api/v1/projects/:project_id/members/:member_id/grants';
const memberParams = projectParams.extend({ member_id: z.string().meta({ description: 'Id of the member' }) });
const grantParams = memberParams.extend({ grant_id: z.string().meta({ description: 'Id of the grant' }) });

export function oauthGrantRoutes(server: Server, app: App): void {
  server.get(
    grants,
    {
      config,
      schema: {
        operationId: 'listMemberGrants',
        summary: 'List the OAuth clients that act for a member, newest first',
        description:
          'Each sign-in of the member through a client is one grant. Listed are those with a refresh token that can still be used.',
        tags,
        params: memberParams,
        querystring: pageQuery,
        response: responses({ 200: pageOf(grantSchema) }, 'validation'),
      },
    },
    (request) => listGrants(app, request.caller, request.params.member_id, request.query),
  );
  server.delete(
    `${grants}/:grant_id`,
    {
      config,
      schema: {
        operationId: 'revokeMemberGrant',
        summary: 'End a grant with its refresh token and its sessions',
        description:
          'The tokens of the client are refused on every replica within a second, and the member is asked for consent at the next sign-in.',
        tags,
        params: grantParams,
        response: responses({ 204: noContent }),
      },
    },
    async (request, reply) => {
      await revokeGrant(withRequestOrigin(app, request), request.caller, request.params);
      return reply.code(204).send();
    },
  );
}
