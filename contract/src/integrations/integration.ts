// An integration: a part of the customer's product. API keys created from it can create member sessions (spec 4.3).

import { z } from 'zod';
import { name, resourceHistory, text } from '../fields.ts';
import { MAX_DESCRIPTION_LENGTH } from '../text-limits.ts';
import { toolsetIds } from '../toolsets/fields.ts';

const description = text(0, MAX_DESCRIPTION_LENGTH)
  .nullable()
  .meta({ description: 'What the integration is for; up to 1,024 characters', example: 'The web shop' });

export const integration = z
  .strictObject({
    id: z.string(),
    object: z.literal('integration'),
    project_id: z.string(),
    name,
    description,
    toolset_ids: toolsetIds,
    ...resourceHistory,
  })
  .meta({ id: 'Integration' });

export type Integration = z.infer<typeof integration>;

export const newIntegration = z
  .strictObject({ name, description: description.default(null), toolset_ids: toolsetIds.default(null) })
  .meta({ id: 'NewIntegration' });

export type NewIntegration = z.infer<typeof newIntegration>;

export const integrationChange = z
  .strictObject({ name, description, toolset_ids: toolsetIds })
  .partial()
  .meta({ id: 'IntegrationChange' });

export type IntegrationChange = z.infer<typeof integrationChange>;
