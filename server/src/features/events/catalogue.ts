// Every kind of event: what it tells, with an example. The API document, docs/events.md and the types come from here.

import type { z } from 'zod';
import { apiKeySchema } from '../api-keys/api-key.ts';
import { assertionKeySchema } from '../assertion-keys/assertion-key.ts';
import { integrationSchema } from '../integrations/integration.ts';
import { projectSchema } from '../projects/project.ts';
import { webhookSchema } from '../webhooks/webhook.ts';
import { examples } from './examples.ts';
import {
  memberSession,
  oauthConnection,
  oauthProvider,
  ping,
  rateLimit,
  revokedSessions,
  toolCall,
  toolSummary,
} from './payloads.ts';

type Kind<D extends z.ZodType = z.ZodType> = { description: string; data: D; example: object };

const kind = <D extends z.ZodType>(description: string, data: D, example: object): Kind<D> => ({
  description,
  data,
  example,
});

const key = (words: string) => kind(words, apiKeySchema, examples.api_key);
const assertionKey = (words: string) => kind(words, assertionKeySchema, examples.assertion_key);
const tool = (words: string) => kind(words, toolSummary, examples.custom_tool);
const integration = (words: string) => kind(words, integrationSchema, examples.integration);
const provider = (words: string) => kind(words, oauthProvider, examples.oauth_provider);
const connection = (words: string) => kind(words, oauthConnection, examples.oauth_connection);
const project = (words: string) => kind(words, projectSchema, examples.project);

export const catalogue = {
  'api_key.created': key('A key was created, also as the successor of a rotated one'),
  'api_key.updated': key('A key was renamed, switched off or on'),
  'api_key.rotated': key('A key was replaced by the one that `rotated_to` names'),
  'api_key.revoked': key('A key was ended for good'),
  'api_key.expired': key("A key's time has run out"),
  'api_key.deleted': key('A key was deleted'),
  'assertion_key.created': assertionKey('A public key was registered'),
  'assertion_key.deactivated': assertionKey('A public key no longer verifies assertions'),
  'assertion_key.deleted': assertionKey('A public key was deleted'),
  'custom_tool.created': tool('A tool was registered'),
  'custom_tool.updated': tool('A tool has a new version'),
  'custom_tool.enabled': tool('A tool can be called'),
  'custom_tool.disabled': tool('A tool can no longer be called'),
  'custom_tool.deleted': tool('A tool was deleted'),
  'integration.created': integration('An integration was created'),
  'integration.updated': integration('An integration was changed'),
  'integration.deleted': integration('An integration was deleted, with its keys and sessions'),
  'member_session.created': kind('A member got a session token', memberSession, examples.member_session),
  'member_session.revoked': kind('All sessions of a member were ended', revokedSessions, examples.revoked_sessions),
  'oauth_provider.created': provider('An OAuth provider was set up'),
  'oauth_provider.updated': provider('An OAuth provider was changed'),
  'oauth_provider.deleted': provider('An OAuth provider was deleted'),
  'oauth_connection.created': connection('A member connected an account'),
  'oauth_connection.refresh_failed': connection("A connected account's tokens could not be renewed"),
  'oauth_connection.revoked': connection('A connected account was given up'),
  'tool_call.succeeded': kind("The customer's API answered 2xx", toolCall, examples.tool_call),
  'tool_call.failed': kind('A tool call failed', toolCall, {
    ...examples.tool_call,
    status: 503,
    error_code: 'UPSTREAM_STATUS',
  }),
  'rate_limit.exceeded': kind(
    'A request was one too many for the plan; told at most once an hour',
    rateLimit,
    examples.rate_limit,
  ),
  'webhook.disabled': kind('The service switched a webhook off', webhookSchema, examples.webhook),
  'project.created': project('A project was created'),
  'project.updated': project('A project or its settings were changed'),
  'project.deleted': project('A project was deleted'),
  ping: kind('Sent on request, to try a webhook; goes to that one only', ping, examples.ping),
} satisfies Record<string, Kind>;

export type EventType = keyof typeof catalogue;

export type EventData<T extends EventType> = z.infer<(typeof catalogue)[T]['data']>;

export const eventTypes = Object.keys(catalogue) as EventType[];

export const isEventType = (type: string): type is EventType => Object.hasOwn(catalogue, type);
