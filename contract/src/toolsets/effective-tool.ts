// Whether a caller sees a tool, and what hides it if not.

import { z } from 'zod';
import { pageQuery, text } from '../fields.ts';
import { layerNames } from './rules.ts';

export const effectiveTool = z
  .strictObject({
    tool_id: z.string().meta({ description: 'Id of the tool' }),
    name: z.string().meta({ description: 'The name that models use to call it', example: 'find_order' }),
    is_allowed: z.boolean().meta({ description: 'Whether this caller can list and call the tool' }),
    refused_by: z
      .enum(['disabled', 'requires_member', ...layerNames])
      .nullable()
      .meta({ description: 'The first rule that hides the tool or refuses its calls; null if the caller can call it' }),
    toolset_ids: z.array(z.string()).meta({ description: 'The toolsets that contain the tool' }),
  })
  .meta({ id: 'EffectiveTool' });

export type EffectiveTool = z.infer<typeof effectiveTool>;

const id = (description: string) => text(1, 64).optional().meta({ description });

export const effectiveToolQuery = pageQuery.extend({
  api_key_id: id('Check for this API key'),
  session_id: id('Check for this member session'),
  member_id: id('Check for this member, with the credentials of the latest session'),
  oauth_grant_id: id('Check for the member who made this grant, through its client'),
  oauth_client_id: id('Check for a person who signs in through this OAuth client'),
});
