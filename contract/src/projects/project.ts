// A project, and what is sent to create and change one; how much of its limit is used, and how long its data is kept.

import { z } from 'zod';
import { newApiKey } from '../api-keys/api-key.ts';
import { booleanFilter, name, pageQuery, timestamp } from '../fields.ts';
import { plans } from './plans.ts';
import { environments } from './rules.ts';
import { projectSettings } from './settings.ts';

const environment = z.enum(environments).meta({
  description: 'In production, `member_external_id` is refused: only signed assertions create member sessions',
});
const plan = z.enum(plans).meta({ description: 'Sets the number of requests per hour; chosen by the operator' });
const requests_per_hour = z
  .int()
  .min(1)
  .max(1_000_000_000)
  .nullable()
  .meta({ description: 'The limit of a project with the plan `enterprise`; null: 100,000. Other plans ignore it' });

const is_archived = z.boolean().meta({
  description: "Whether the project is archived: hidden from the dashboard's list. Its keys and tools still work",
});

export const project = z
  .strictObject({
    id: z.string(),
    object: z.literal('project'),
    organization_id: z.string(),
    quota_group_id: z.string().meta({
      description:
        'The first project of the group that shares one hourly limit: this project, or the one whose key created it',
    }),
    name,
    environment,
    plan,
    requests_per_hour,
    settings: projectSettings.meta({ description: "The project's settings" }),
    is_archived,
    mcp_connected_at: timestamp
      .nullable()
      .meta({ description: 'When a model first connected over MCP; null if none has yet' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Project' });

export type Project = z.infer<typeof project>;

export const newProject = z
  .strictObject({
    name,
    environment: environment.default('development'),
    plan: plan.optional(),
    requests_per_hour: requests_per_hour.optional(),
  })
  .meta({ id: 'NewProject' });

export type NewProject = z.infer<typeof newProject>;

export const createdProject = project
  .extend({
    api_key: newApiKey
      .optional()
      .meta({ description: 'Present only if a project key created the project: a key of the new project' }),
  })
  .meta({ id: 'CreatedProject' });

export type CreatedProject = z.infer<typeof createdProject>;

export const projectChange = z
  .strictObject({ name, environment, is_archived, plan, requests_per_hour })
  .partial()
  .meta({ id: 'ProjectChange' });

export type ProjectChange = z.infer<typeof projectChange>;

export const projectQuery = pageQuery.extend({
  is_archived: booleanFilter('Only archived projects, or only others'),
});

export const usage = z
  .strictObject({
    object: z.literal('usage'),
    plan: z.enum(plans).meta({ description: "The project's plan, which sets the limit" }),
    limit: z.int().meta({ description: 'Requests allowed in any 60 minutes, for the whole quota group' }),
    used: z.int().meta({ description: 'Requests in the last 60 minutes, including this one' }),
    remaining: z.int().meta({ description: 'Requests left before the next 429' }),
    window_seconds: z.literal(3600).meta({ description: 'The limit applies to any period of this length' }),
    resets_at: timestamp.nullable().meta({
      description: 'When the oldest counted request expires, or the next request is accepted; null if none is counted',
    }),
  })
  .meta({ id: 'Usage' });

export type Usage = z.infer<typeof usage>;

const days = (description: string) => z.int().meta({ description: `${description}, in days` });

export const retention = z
  .strictObject({
    object: z.literal('retention'),
    call_log_days: days('The call log with recorded arguments and results'),
    event_days: days('Events'),
    delivery_days: days('Webhook deliveries'),
    audit_days: days('The audit log'),
    deleted_project_days: days('The data of a deleted project'),
  })
  .meta({ id: 'Retention' });
