// /projects/{id}/audit-log: who changed what, when and from where.

import { z } from 'zod';
import { projectOf } from '../../access/caller.ts';
import { givenTimestamp, pageOf, pageQuery, projectParams } from '../../api/fields.ts';
import { responses } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { entrySchema, showEntry } from './entry.ts';
import { pageOfEntries } from './store.ts';

const word = z.string().min(1).max(64);

const entryQuery = pageQuery.extend({
  actor: word.optional().meta({ description: 'Id of a key or member, or `root`, `system`, `api_key`, `member`' }),
  action: word.optional().meta({ description: 'Such as `api_key.created`' }),
  target: word.optional().meta({ description: 'Id of what was changed' }),
  from: givenTimestamp.optional().meta({ description: 'Not before this time' }),
  to: givenTimestamp.optional().meta({ description: 'Before this time' }),
});

export function auditRoutes(server: Server, app: App): void {
  server.get(
    '/api/v1/projects/:project_id/audit-log',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'listAuditLog',
        summary: 'List the changes, newest first',
        tags: ['Audit log'],
        params: projectParams,
        querystring: entryQuery,
        response: responses({ 200: pageOf(entrySchema) }, 'validation'),
      },
    },
    async (request) => {
      const { limit, cursor, ...filter } = request.query;
      const page = await pageOfEntries(app.database, projectOf(request.caller).id, filter, { limit, cursor });
      return { ...page, data: page.data.map(showEntry) };
    },
  );
}
