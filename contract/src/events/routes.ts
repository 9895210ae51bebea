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
    summary: 'List what happened, newest first; of keys and member sessions for admin only',
    description:
      'The events of the project, as webhooks receive them, until their retention time ends. A key without the permission `admin` does not see events of API keys and member sessions.',
    query: eventQuery,
    answer: pageOf(event),
  },
  getEvent: {
    method: 'GET',
    path: '/projects/:project_id/events/:event_id',
    access: 'read',
    tag,
    summary: 'Read an event',
    description:
      'One event, as webhooks receive it. An event that the key may not read gets 404, like one that does not exist.',
    answer: event,
  },
  listEventTypes: {
    method: 'GET',
    path: '/projects/:project_id/event-types',
    access: 'read',
    tag,
    summary: 'List the types of events that webhooks can receive',
    description:
      'Every type with its meaning, an example, and the permission that a subscription to it needs. All are on one page. A webhook may also subscribe to all of one resource (`api_key.*`) or to all (`*`).',
    answer: pageOf(eventType),
  },
});

export const events = defineResource({ chapters: { Events: 'What happened in a project' }, routes: eventRoutes });
