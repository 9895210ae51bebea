// /projects/{id}/events: list and read the events of a project; and which types of events there are.

import { z } from 'zod';
import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { event, eventType } from './event.ts';
import { eventTypes } from './rules.ts';

const tag = 'Events';

const eventQuery = pageQuery.extend({
  type: z.enum(eventTypes).optional().meta({ description: 'Only events of this type', example: 'api_key.created' }),
});

export const eventRoutes = defineRoutes({
  listEvents: {
    method: 'GET',
    path: '/projects/:project_id/events',
    access: 'read',
    tag,
    summary: 'List events, newest first',
    description:
      "The project's events, as webhooks receive them, for as long as they are retained. Events about API keys and member sessions require the permission `admin`.",
    query: eventQuery,
    response: pageOf(event),
  },
  getEvent: {
    method: 'GET',
    path: '/projects/:project_id/events/:event_id',
    access: 'read',
    tag,
    summary: 'Get an event',
    description:
      'One event, as webhooks receive it. An event that the key cannot read returns 404, like one that does not exist.',
    response: event,
  },
  listEventTypes: {
    method: 'GET',
    path: '/projects/:project_id/event-types',
    access: 'read',
    tag,
    summary: 'List the event types that webhooks can receive',
    description:
      'Every type with its meaning, an example, and the permission required to subscribe to it. All types are on one page. A webhook can also subscribe to all types of one resource (`api_key.*`) or to everything (`*`).',
    response: pageOf(eventType),
  },
});

export const events = defineResource({ chapters: { Events: 'What happened in a project' }, routes: eventRoutes });
