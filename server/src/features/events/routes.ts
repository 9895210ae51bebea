// /projects/{id}/events: what happened in a project.

import { z } from 'zod';
import { projectOf } from '../../access/caller.ts';
import { pageOf, pageQuery, projectParams } from '../../api/fields.ts';
import { responses } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { type EventType, eventTypes } from './catalogue.ts';
import { eventSchema, showEvent } from './event.ts';
import { pageOfEvents, selectEvent } from './store.ts';
import { hiddenFrom, isHidden } from './visible.ts';

const tags = ['Events'];
const events = '/api/v1/projects/:project_id/events';
const config = { access: 'read' } as const;

const eventQuery = pageQuery.extend({
  type: z
    .enum(eventTypes as [EventType, ...EventType[]])
    .optional()
    .meta({ description: 'Only this kind', example: 'api_key.created' }),
});

export function eventRoutes(server: Server, app: App): void {
  server.get(
    events,
    {
      config,
      schema: {
        operationId: 'listEvents',
        summary: 'List what happened, newest first; of keys and member sessions for admin only',
        tags,
        params: projectParams,
        querystring: eventQuery,
        response: responses({ 200: pageOf(eventSchema) }, 'validation'),
      },
    },
    async (request) => {
      const { type, ...page } = request.query;
      const filter = { type, hidden: hiddenFrom(request.caller) };
      const found = await pageOfEvents(app.database, projectOf(request.caller).id, filter, page);
      return { ...found, data: found.data.map(showEvent) };
    },
  );
  server.get(
    `${events}/:event_id`,
    {
      config,
      schema: {
        operationId: 'getEvent',
        summary: 'Read an event',
        tags,
        params: projectParams.extend({ event_id: z.string().meta({ description: 'Id of the event' }) }),
        response: responses({ 200: eventSchema }),
      },
    },
    async (request) => {
      const row = await selectEvent(app.database, projectOf(request.caller).id, request.params.event_id);
      if (!row || isHidden(request.caller, row.type)) throw refuse.notFound();
      return showEvent(row);
    },
  );
}
