// Whether a caller sees a tool, and what hides it if not.

import { z } from 'zod';
import { pageQuery, text } from '../fields.ts';
import { layerNames } from './rules.ts';

export const effectiveTool = z
  .strictObject({
    tool_id: z.string().meta({ description: 'Id of the tool' }),
    name: z.string().meta({ description: 'The name that a model calls it by', example: 'find_order' }),
    is_allowed: z.boolean().meta({ description: 'Whether this caller can list and call it' }),
    refused_by: z
      .enum(['disabled', 'requires_member', ...layerNames])
      .nullable()
      .meta({ description: 'The first rule that hides the tool or refuses its calls; null if it can be called' }),
    toolset_ids: z.array(z.string()).meta({ description: 'The toolsets that the tool is in' }),
  })
  .meta({ id: 'EffectiveTool' });

export type EffectiveTool = z.infer<typeof effectiveTool>;

const id = (description: string) => text(1, 64).optional().meta({ description });

export const effectiveToolQuery = pageQuery.extend({
  api_key_id: id('The caller is this API key'),
  session_id: id('The caller is this member session'),
  member_id: id('The caller is this member, with the credentials of the last session'),
  oauth_grant_id: id('The caller is who made this grant, by its client'),
  oauth_client_id: id('The caller is a person who signs in by this OAuth client'),
});
