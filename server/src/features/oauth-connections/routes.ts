// /projects/{id}/members/{id}/connections: list and revoke the accounts that a member connected.

import { z } from 'zod';
import { pageOf, pageQuery, projectParams } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, responses } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { connectionSchema } from './connection.ts';
import { listConnections } from './list.ts';
import { revokeConnection } from './revoke.ts';
import { docs } from './route-docs.ts';

const tags = ['Members'];
const connections = '/api/v1/projects/:project_id/members/:member_id/connections';
const memberParams = projectParams.extend({ member_id: z.string().meta({ description: 'Id of the member' }) });
const connectionParams = memberParams.extend({
  connection_id: z.string().meta({ description: 'Id of the connection' }),
});

export function oauthConnectionRoutes(server: Server, app: App): void {
  server.get(
    connections,
    {
      config: { access: 'admin' },
      schema: {
        ...docs.listMemberConnections,
        tags,
        params: memberParams,
        querystring: pageQuery,
        response: responses({ 200: pageOf(connectionSchema) }, 'validation'),
      },
    },
    (request) => listConnections(app, request.caller, request.params.member_id, request.query),
  );
  server.delete(
    `${connections}/:connection_id`,
    {
      // It waits for the provider, and takes permits only where it uses the database.
      config: { access: 'admin', database_permit: false },
      schema: {
        ...docs.revokeMemberConnection,
        tags,
        params: connectionParams,
        response: responses({ 204: noContent }),
      },
    },
    async (request, reply) => {
      const { member_id, connection_id } = request.params;
      await revokeConnection(withRequestOrigin(app, request), request.caller, member_id, connection_id);
      return reply.code(204).send();
    },
  );
}
