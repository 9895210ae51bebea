// An integration: a part of the customer's product. API keys created from it can create member sessions (spec 4.3).

import { z } from 'zod';
import { name, text, timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';

export const integrationColumns = [
  'id',
  'project_id',
  'name',
  'description',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export const description = text(0, 1024)
  .nullable()
  .meta({ description: 'What it is for; up to 1,024 characters', example: 'The web shop' });

export const integrationSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('integration'),
    project_id: z.string(),
    name,
    description,
    created_at: timestamp,
    created_by: z.string().meta({ description: 'Id of the key that created it, or `root`' }),
    updated_at: timestamp,
  })
  .meta({ id: 'Integration' });

export type Integration = z.infer<typeof integrationSchema>;

export const showIntegration = (row: Row<'integrations'>): Integration => ({ object: 'integration', ...row });
