// Every kind of event, as the features declare them, in the order of docs/reference/events.md.

import { recordedTypes } from './api/event-kind.ts';
import { toolCallEvents } from './features/analytics/events.ts';
import { apiKeyEvents } from './features/api-keys/events.ts';
import { assertionKeyEvents } from './features/assertion-keys/events.ts';
import { customToolEvents } from './features/custom-tools/events.ts';
import { integrationEvents } from './features/integrations/events.ts';
import { memberSessionEvents } from './features/member-sessions/events.ts';
import { oauthConnectionEvents } from './features/oauth-connections/events.ts';
import { oauthProviderEvents } from './features/oauth-providers/events.ts';
import { projectEvents, rateLimitEvents } from './features/projects/events.ts';
import { pingEvents, webhookEvents } from './features/webhooks/events.ts';

export const eventCatalogue = {
  ...apiKeyEvents,
  ...assertionKeyEvents,
  ...customToolEvents,
  ...integrationEvents,
  ...memberSessionEvents,
  ...oauthProviderEvents,
  ...oauthConnectionEvents,
  ...toolCallEvents,
  ...rateLimitEvents,
  ...webhookEvents,
  ...projectEvents,
  ...pingEvents,
};

export type EventType = keyof typeof eventCatalogue;

export const eventTypes = Object.keys(eventCatalogue) as EventType[];

/** The types that the API document and docs/reference/events.md mention. */
export const documentedTypes = recordedTypes(eventCatalogue) as EventType[];
