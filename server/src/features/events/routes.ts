// /projects/{id}/events: list and read the events of a project; and which types of events there are.

import { z } from 'zod';
import { recordedTypes } from '../../api/event-kind.ts';
import { pageOf, pageQuery, projectParams } from '../../api/fields.ts';
import { responses } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { eventSchema } from './event.ts';
import { eventTypeSchema, listEventTypes } from './event-type.ts';
import { listEvents } from './list.ts';
import { readEvent } from './read.ts';

const tags = ['Events'];
const events = '/api/v1/projects/:project_id/events';
const config = { access: 'read' } as const;

export function eventRoutes(server: Server, app: App): void {
  const types = Object.keys(app.event_catalogue) as [string, ...string[]];
  const type = z
    .enum(types)
    .optional()
    .meta({
      description: 'Only events of this type',
      example: 'api_key.created',
      override: { enum: recordedTypes(app.event_catalogue) },
    });
  server.get(
    events,
    {
      config,
      schema: {
        operationId: 'listEvents',
        summary: 'List what happened, newest first; of keys and member sessions for admin only',
        description:
          'The events of the project, as webhooks receive them, until their retention time ends. A key without the permission `admin` does not see events of API keys and member sessions.',
        tags,
        params: projectParams,
        querystring: pageQuery.extend({ type }),
        response: responses({ 200: pageOf(eventSchema) }, 'validation'),
      },
    },
    (request) => listEvents(app, request.caller, request.query),
  );
  server.get(
    `${events}/:event_id`,
    {
      config,
      schema: {
        operationId: 'getEvent',
        summary: 'Read an event',
        description:
          'One event, as webhooks receive it. An event that the key may not read is answered with 404, like one that does not exist.',
        tags,
        params: projectParams.extend({ event_id: z.string().meta({ description: 'Id of the event' }) }),
        response: responses({ 200: eventSchema }),
      },
    },
    (request) => readEvent(app, request.caller, request.params.event_id),
  );
  eventTypeRoutes(server, app);
}

function eventTypeRoutes(server: Server, app: App): void {
  server.get(
    '/api/v1/projects/:project_id/event-types',
    {
      config,
      schema: {
        operationId: 'listEventTypes',
        summary: 'List the types of events that webhooks can receive',
        description:
          'Every type with its meaning, an example, and the permission that a subscription to it needs. All are on one page. A webhook may also subscribe to all of one resource (`api_key.*`) or to all (`*`).',
        tags,
        params: projectParams,
        response: responses({ 200: pageOf(eventTypeSchema) }),
      },
    },
    () => listEventTypes(app),
  );
}
