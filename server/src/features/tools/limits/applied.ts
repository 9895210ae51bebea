// Which limits apply to which tools: one condition for all places that ask. A tool has at most ten, and weighs no more than any of
// them, so that a call of it can pass.

import { MAX_LIMITS_OF_TOOL } from '@toolgate/contract/limits/rules.ts';
import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';

/** For a limit or a hook `l` to a tool `t` of the same project. */
export const APPLIES = `(
  (l.tool_ids is null and l.toolset_id is null and l.tags is null)
  or t.id = any (l.tool_ids)
  or t.tags && l.tags
  or exists (
    select from toolset_tools m where m.project_id = t.project_id and m.toolset_id = l.toolset_id and m.tool_id = t.id
  )
)`;

type Conflict = { tool: string; weight: number; count: number; least_limit: number; limit_name: string };

/** `field`: of the request. `tool_ids`: the tools that were changed; without it a limit or a toolset was, and any tool may be concerned. */
type Changed = { field: string; tool_ids?: string[] };

/** Call when limits, weights, tags or toolsets were changed, in the same transaction. */
export async function refuseLimitConflicts(app: App, project_id: string, changed: Changed): Promise<void> {
  const { field, tool_ids = null } = changed;
  const { rows } = await sql<Conflict>`
    select t.name as tool, t.weight, count(*)::integer as count, min(l.least_limit) as least_limit,
      (array_agg(l.name order by l.least_limit))[1] as limit_name
    from custom_tools t join tool_limits l on l.project_id = t.project_id and ${sql.raw(APPLIES)}
    where t.project_id = ${project_id} and (${tool_ids}::text[] is null or t.id = any (${tool_ids}))
    group by t.id, t.name, t.weight having count(*) > ${MAX_LIMITS_OF_TOOL} or t.weight > min(l.least_limit)
    order by t.id limit 1`.execute(app.database);
  const [conflict] = rows;
  if (!conflict) return;
  const { tool, weight, count, least_limit, limit_name } = conflict;
  if (count > MAX_LIMITS_OF_TOOL)
    throw refuse.limitReached({
      details: {
        limit: MAX_LIMITS_OF_TOOL,
        reason: 'too_many_limits_of_tool',
        remedy: `At most ${MAX_LIMITS_OF_TOOL} limits can apply to one tool, but ${count} would apply to ${tool}.`,
      },
    });
  throw invalidField(field, `a call to ${tool} would count ${weight}, but ${limit_name} allows ${least_limit}`, {
    reason: 'weight_above_limit',
  });
}
