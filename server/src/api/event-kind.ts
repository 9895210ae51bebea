// How a feature declares the kinds of events that it records. event-catalogue.ts assembles all declarations; the API
// document, docs/reference/events.md and the types of the recorded data are made from them.

import type { z } from 'zod';

export type EventKind<D extends z.ZodType = z.ZodType> = {
  /** When such an event is recorded. */
  description: string;
  /** The schema of `data` in the payload. */
  data: D;
  example: object;
  /** False for a kind that webhooks may subscribe to and that nothing records yet: no document mentions it. */
  is_recorded?: false;
  /** The permission that may read such an event, and subscribe a webhook to it. */
  readable_with: 'read' | 'admin';
};

/** Event kinds by their type, such as `api_key.created`. */
export type EventKinds = Readonly<Record<string, EventKind>>;

/** The types that the documents mention. */
export const recordedTypes = (kinds: EventKinds): string[] =>
  Object.keys(kinds).filter((type) => kinds[type]?.is_recorded !== false);

export type EventData<K extends EventKinds, T extends keyof K> = z.infer<K[T]['data']>;

/** Ids that the examples share. */
export const exampleIds = {
  project_id: 'prj_4fTq0cDkXv8mWn2ZbR6yLs',
  integration_id: 'int_1sWd5aCbMe7nYk0XgP4tRu',
  member_id: 'mem_5nXk8bGcRt3uQo7ZjT0wSv',
  api_key_id: 'key_9dKx2vQmTa7cBz0RfY4wLp',
  tool_id: 'tool_7kPm3zWdHs9vXc1QnT6yRb',
  webhook_id: 'wh_4cYt9wNbXk1mQv7RzP2sFh',
  oauth_provider_id: 'oap_6tRx1nZcQm4vWk8YbF3sHd',
  oauth_client_id: 'oac_3pWn8sLcVd5yTk1QmX7zRb',
  connection_id: 'con_8vHn4kSdXw2qBt7MzL5yRc',
  request_id: 'req_6QpWm0dYx3VhKc9TzB2sLn',
} as const;

export const exampleTime = '2026-11-15T12:00:00.000000Z';

/** The address that a server without settings has. */
export const examplePublicUrl = 'http://127.0.0.1:3000';
