// The public schema of a project.

import { z } from 'zod';
import type { Project } from '../../access/caller.ts';
import { name, timestamp } from '../../api/fields.ts';
import { plans } from './plans.ts';
import { settingsSchema } from './settings.ts';

export const environment = z.enum(['development', 'production']).meta({
  description: 'In production `member_external_id` is refused: only signed assertions create member sessions',
});
export const plan = z.enum(plans).meta({ description: 'Sets the requests an hour; chosen by the operator' });
export const requests_per_hour = z
  .int()
  .min(1)
  .max(1_000_000_000)
  .nullable()
  .meta({ description: 'The limit of a project with the plan `enterprise`; null: 100,000. Other plans ignore it' });

export const is_archived = z.boolean().meta({
  description: 'Put away by people: hidden from the list of the dashboard. Its keys and tools work as before',
});

export const projectSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('project'),
    organization_id: z.string(),
    quota_group_id: z.string().meta({
      description:
        'The first of the projects that share one hour of requests: itself, or the one whose key created this one',
    }),
    name,
    environment,
    plan,
    requests_per_hour,
    settings: settingsSchema.meta({ description: 'The settings of the project' }),
    is_archived,
    mcp_connected_at: timestamp
      .nullable()
      .meta({ description: 'When a model first connected over MCP; null: none yet' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Project' });

export type ProjectResource = z.infer<typeof projectSchema>;

export const showProject = (project: Project): ProjectResource => ({ object: 'project', ...project });
