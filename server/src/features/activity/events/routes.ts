// Serves /projects/{id}/events and /event-types.

import { eventRoutes } from '@toolgate/contract/events/routes.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { listEventTypes } from './event.ts';
import { listEvents } from './list.ts';
import { readEvent } from './read.ts';

export function serveEvents(server: Server, app: App): void {
  implement(server, app, eventRoutes, {
    listEvents: (app, { caller, query }) => listEvents(app, caller, query),
    getEvent: (app, { caller, params }) => readEvent(app, caller, params.event_id),
    listEventTypes: () => listEventTypes(),
  });
}
