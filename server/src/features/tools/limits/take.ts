// Counts a call against every limit that applies to its tool, or against none of them if one is reached. Calls of a project that arrive
// together share a statement.

import type { LimitSubject } from '@toolgate/contract/limits/rules.ts';
import { memberOf, type ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { type ApiError, refuse } from '../../../errors/errors.ts';
import { bufferEvent } from '../../activity/events/buffer-event.ts';
import { newEvent } from './limit.ts';
import { type Counted, type Taken, takeLimits } from './log.ts';

/** As it is cached with a tool. */
export type AppliedLimit = {
  id: string;
  name: string;
  per: LimitSubject;
  limit: number;
  window_seconds: number;
  overrides: ReadonlyMap<string, number>;
};

export type LimitedTool = { id: string; weight: number; limits: readonly AppliedLimit[] };

/** What is left of the limit of which the least is left. */
export type NearestLimit = { name: string; limit: number; remaining: number; resets_at: string };

type CountedLimit = Counted & { applied: AppliedLimit };

/** Throws if a limit is reached. Null: none applies to this caller. */
export async function takeToolLimits(app: App, caller: ToolCaller, tool: LimitedTool): Promise<NearestLimit | null> {
  const counted = tool.limits.flatMap((applied) => countedFor(caller, tool, applied));
  if (counted.length === 0) return null;
  const { project } = caller;
  const taken = await app.grouped_calls.run('limits', project.id, counted, (calls) =>
    app.permits.run(project, () => takeLimits(app.pool, project.id, calls)),
  );
  const results = counted.map((each, at) => ({ ...each, ...(taken[at] as Taken) }));
  const reached = results.filter(({ is_within }) => !is_within);
  if (reached.length === 0) return nearestOf(results);
  for (const { applied, subject_id, limit, is_first_refusal } of reached) {
    if (!is_first_refusal) continue;
    const { id: limit_id, name, per, window_seconds } = applied;
    const data = { limit_id, name, per, subject_id, limit, window_seconds, tool_id: tool.id };
    bufferEvent(app, newEvent(app, project.id, 'limit.reached', data));
  }
  throw refusalOf(reached);
}

function countedFor(caller: ToolCaller, tool: LimitedTool, applied: AppliedLimit): CountedLimit[] {
  const subject_id = subjectOf(caller, applied.per);
  if (subject_id === null) return [];
  const limit = applied.overrides.get(subject_id) ?? applied.limit;
  return [
    { applied, limit_id: applied.id, subject_id, limit, window_ms: applied.window_seconds * 1000, weight: tool.weight },
  ];
}

function subjectOf(caller: ToolCaller, per: LimitSubject): string | null {
  switch (per) {
    case 'project':
      return caller.project.id;
    case 'api_key':
      return caller.api_key_id;
    case 'integration':
      return caller.integration_id;
    case 'oauth_client':
      return 'oauth_client_id' in caller ? caller.oauth_client_id : null;
    case 'member':
      return memberOf(caller)?.member_id ?? null;
  }
}

type Result = CountedLimit & Taken;

/** Among several, the one that takes longest: before that the call would be refused again. */
function refusalOf(reached: Result[]): ApiError {
  const last = reached.reduce((one, other) => (waitOf(other) > waitOf(one) ? other : one));
  const retry_after_seconds = Math.max(1, Math.ceil(waitOf(last) / 1000));
  return refuse.toolLimitReached({
    details: {
      limit_id: last.limit_id,
      limit_name: last.applied.name,
      limit: last.limit,
      window_seconds: last.applied.window_seconds,
      retry_after_seconds,
    },
    headers: { 'retry-after': String(retry_after_seconds) },
  });
}

const waitOf = ({ resets_at, now_ms }: Result) => resets_at - now_ms;

function nearestOf(results: Result[]): NearestLimit {
  const shareLeft = ({ limit, used }: Result) => (limit - used) / limit;
  const nearest = results.reduce((one, other) => (shareLeft(other) < shareLeft(one) ? other : one));
  const { applied, limit, used, resets_at } = nearest;
  return {
    name: applied.name,
    limit,
    remaining: Math.max(0, limit - used),
    resets_at: new Date(resets_at).toISOString(),
  };
}
