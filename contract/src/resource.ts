// A resource of the API, as one value: its chapter of the reference, its routes, and the kinds of events that it records. resources.ts has the list of them. Its errors
// are listed apart (errors.ts): a route names errors of any resource, so their names must be known before the routes.

import type { EventKinds } from './events/event-kind.ts';
import type { Routes } from './route.ts';

type Resource = {
  /** The chapters of the reference that it describes, by name: the tags of routes. */
  chapters?: Readonly<Record<string, string>>;
  routes?: Routes;
  events?: EventKinds;
};

/** Keeps the names of the routes and events. What is left out is empty. */
export const defineResource = <const R extends Resource>(resource: R) => ({
  chapters: {},
  routes: {} as R extends { routes: infer Routes } ? Routes : object,
  events: {} as R extends { events: infer Kinds } ? Kinds : object,
  ...resource,
});
