// Every kind of event, as the resources declare them, in the order of docs/reference/events.md.

import { apiKeyEvents } from '../api-keys/events.ts';
import { approvalEvents } from '../approvals/events.ts';
import { assertionKeyEvents } from '../assertion-keys/events.ts';
import { customToolEvents } from '../custom-tools/events.ts';
import { integrationEvents } from '../integrations/events.ts';
import { limitEvents } from '../limits/events.ts';
import { logStreamEvents } from '../log-streams/events.ts';
import { mcpServerEvents } from '../mcp-servers/events.ts';
import { memberSessionEvents } from '../member-sessions/events.ts';
import { memberEvents } from '../members/events.ts';
import { oauthConnectionEvents } from '../oauth-connections/events.ts';
import { oauthProviderEvents } from '../oauth-providers/events.ts';
import { projectEvents, rateLimitEvents } from '../projects/events.ts';
import { toolCallEvents } from '../tool-calls/events.ts';
import { toolsetEvents } from '../toolsets/events.ts';
import { pingEvents, webhookEvents } from '../webhooks/events.ts';
import type { EventKinds } from './event-kind.ts';

export const eventCatalogue = {
  ...apiKeyEvents,
  ...assertionKeyEvents,
  ...customToolEvents,
  ...toolsetEvents,
  ...mcpServerEvents,
  ...integrationEvents,
  ...memberEvents,
  ...memberSessionEvents,
  ...oauthProviderEvents,
  ...oauthConnectionEvents,
  ...toolCallEvents,
  ...rateLimitEvents,
  ...limitEvents,
  ...approvalEvents,
  ...webhookEvents,
  ...logStreamEvents,
  ...projectEvents,
  ...pingEvents,
} satisfies EventKinds;
