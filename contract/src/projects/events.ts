// The events of projects and of their rate limits.

import { z } from 'zod';
import type { EventKind } from '../events/event-kind.ts';
import { exampleTime } from '../examples.ts';
import { exampleIds } from '../ids.ts';
import { project } from './project.ts';
import { defaultSettings } from './settings.ts';

const example = {
  object: 'project',
  id: exampleIds.project_id,
  organization_id: 'org_1xVb6nKtQz8cRm3WdY5pLs',
  quota_group_id: exampleIds.project_id,
  name: 'Shop',
  environment: 'production',
  plan: 'pro',
  requests_per_hour: null,
  settings: defaultSettings,
  is_archived: false,
  mcp_connected_at: null,
  created_at: exampleTime,
  updated_at: exampleTime,
};

const kind = (description: string) =>
  ({ description, data: project, example, readable_with: 'read' }) satisfies EventKind;

export const projectEvents = {
  'project.created': kind('A project was created'),
  'project.updated': kind('A project or its settings were changed'),
  'project.deleted': kind('A project was deleted'),
};

const rateLimit = z
  .strictObject({
    requests_per_hour: z.int().meta({ description: 'The limit that was exceeded' }),
    plan: z.string().meta({ description: 'The plan that sets the limit' }),
  })
  .meta({ id: 'RateLimitSummary' });

export const rateLimitEvents = {
  'rate_limit.exceeded': {
    description: "A request exceeded the plan's limit; recorded at most once an hour",
    data: rateLimit,
    example: { requests_per_hour: 100, plan: 'free' },
    readable_with: 'read',
  },
} satisfies Record<string, EventKind>;
