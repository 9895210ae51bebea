// POST …/hooks/{id}/test: asks a hook about a call of the log, or about a sample, and says what it decided and how long it took.

import type { ToolCallDetails } from '@toolgate/contract/analytics/tool-call.ts';
import type { HookTest, HookTestRequest } from '@toolgate/contract/hooks/hook.ts';
import type { HookPoint } from '@toolgate/contract/hooks/rules.ts';
import { type Caller, permitUser, projectOf } from '../../../../access/caller.ts';
import { getRow } from '../../../../api/get-row.ts';
import type { App } from '../../../../app.ts';
import { newId } from '../../../../database/ids.ts';
import { invalidField, refuse } from '../../../../errors/errors.ts';
import { SendError } from '../../../../outbound/messages.ts';
import { readCall } from '../../../activity/analytics/read.ts';
import { findMemberOfCall } from '../../../members/member-sessions/find.ts';
import { requireTool } from '../../catalogue/find.ts';
import { annotationsOf } from '../../catalogue/tool.ts';
import { hintsOf, type PreparedHook, prepareHook } from '../../hooks/prepared-hooks.ts';
import { selectStoredHook } from '../../hooks/store.ts';
import { askHook, type HookSubject, hookBody } from './ask.ts';

type Loaded = { hook: PreparedHook; point: HookPoint; subject: HookSubject; text: string };

export async function testHook(app: App, caller: Caller, id: string, request: HookTestRequest): Promise<HookTest> {
  const load = () => loadTest(app, caller, id, request);
  const { hook, point, subject, text } =
    caller.kind === 'root' ? await load() : await app.permits.run(permitUser(caller), load);
  const asked = { point, text };
  const began = performance.now();
  const response = await askHook(app, hook, subject, asked, hook.timeout_ms).catch((error: unknown) => {
    throw error instanceof SendError ? refuse.serviceUnavailable({ headers: { 'retry-after': '1' } }) : error;
  });
  const { decision, reason } = response;
  const changed = decision === 'failed' ? undefined : (response.arguments ?? response.result?.value);
  return {
    object: 'hook_test',
    hook_id: id,
    point,
    decision,
    reason,
    duration_ms: Math.round(performance.now() - began),
    is_allowed: decision === 'allow' || (decision === 'failed' && hook.on_failure === 'allow'),
    request: JSON.parse(hookBody(subject, asked)),
    changed: changed ?? null,
  };
}

async function loadTest(app: App, caller: Caller, id: string, request: HookTestRequest): Promise<Loaded> {
  const { id: project_id, fairness_key } = projectOf(caller);
  const hook = await prepareHook(app, project_id, await getRow(app, caller, id, selectStoredHook));
  const point = request.point ?? (hook.points[0] as HookPoint);
  const call = request.call_id === undefined ? null : await readCall(app, caller, request.call_id);
  const value = point === 'before' ? argumentsOf(request, call) : resultOf(request, call);
  const tool = await toolOf(app, project_id, request, call);
  const subject: HookSubject = {
    project: { id: project_id, fairness_key },
    call_id: call?.id ?? newId('call'),
    tool,
    member: call && (await findMemberOfCall(app, project_id, call)),
    integration_id: call?.integration_id ?? null,
    client: call?.client_name ? { id: null, name: call.client_name } : null,
    is_test: true,
    traceparent: undefined,
    requester: undefined,
  };
  return { hook, point, subject, text: JSON.stringify(value) };
}

/** What was recorded is text if it was cut. */
function argumentsOf({ arguments: given, tool_id }: HookTestRequest, call: ToolCallDetails | null): object {
  if (given !== undefined) return given;
  if (tool_id !== undefined) return {};
  const recorded = call?.arguments;
  if (typeof recorded !== 'object' || recorded === null) throw notRecorded('arguments');
  return recorded;
}

function resultOf({ result }: HookTestRequest, call: ToolCallDetails | null): unknown {
  const value = result === undefined ? call?.result : result;
  if (value === undefined || (result === undefined && value === null)) throw notRecorded('result');
  return value;
}

const notRecorded = (field: 'arguments' | 'result') =>
  invalidField(field, 'must be given: the log does not have it', { reason: 'call_not_recorded' });

/** As it is now; of a call whose tool was deleted, what the log has of it. */
async function toolOf(
  { database }: App,
  project_id: string,
  { tool_id }: HookTestRequest,
  call: ToolCallDetails | null,
): Promise<HookSubject['tool']> {
  if (call === null) {
    const row = await requireTool(database, project_id, tool_id ?? '');
    return { id: row.id, name: row.name, version: row.version, hints: hintsOf(annotationsOf(row)) };
  }
  const about = { id: call.tool_id, name: call.tool_name, version: call.tool_version };
  const row = await requireTool(database, project_id, call.tool_id).catch(() => null);
  return { ...about, hints: row && hintsOf(annotationsOf(row)) };
}
