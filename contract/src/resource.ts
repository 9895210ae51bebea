// A resource of the API, as one value: its routes, and the kinds of events that it records. resources.ts has the list of them. Its errors
// are listed apart (errors.ts): a route names errors of any resource, so their names must be known before the routes.

import type { EventKinds } from './events/event-kind.ts';
import type { Routes } from './route.ts';

type Resource = { routes: Routes; events: EventKinds };

/** Keeps the names of the routes and events. */
export const defineResource = <const R extends Resource>(resource: R): R => resource;
