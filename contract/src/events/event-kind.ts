// How a resource declares the kinds of its events. resources.ts joins all declarations; the API document,
// docs/reference/events.md and the types of the recorded data are made from them.

import type { z } from 'zod';

export type EventKind<D extends z.ZodType = z.ZodType> = {
  /** When such an event is recorded. */
  description: string;
  /** The schema of `data` in the payload. */
  data: D;
  example: object;
  /** The permission that may read such an event, and subscribe a webhook to it. */
  readable_with: 'read' | 'admin';
};

/** Event kinds by their type, such as `api_key.created`. */
export type EventKinds = Readonly<Record<string, EventKind>>;

export type EventData<K extends EventKinds, T extends keyof K> = z.infer<K[T]['data']>;
