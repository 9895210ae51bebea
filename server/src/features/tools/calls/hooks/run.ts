// Asks the hooks of a tool about one call, one after the other: before it is sent, and when its result is there. What they change
// passes every check again.

import { type HookPoint, MAX_HOOKS_MS_OF_CALL, type PolicyEntry } from '@toolgate/contract/hooks/rules.ts';
import { memberOf, type ToolCaller } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import { ApiError, type Details, refuse } from '../../../../errors/errors.ts';
import { type OutboundResponse, SendError } from '../../../../outbound/messages.ts';
import type { PreparedHook } from '../../hooks/prepared-hooks.ts';
import { renderValue } from '../answer/render-off-thread.ts';
import { type Arguments, checkArguments } from '../arguments.ts';
import { sendErrorToRefusal } from '../call-refusals.ts';
import { changedAnswer, type McpAnswer } from '../mcp-answer.ts';
import type { PreparedTool } from '../prepared-tool.ts';
import { isJson, parseResponse, withoutCharset } from '../response-text.ts';
import { type CallerResult, shapeResult } from '../shape-result.ts';
import type { ToolCall } from '../tool-call.ts';
import type { HookDecision } from './answer.ts';
import { askHook, type HookSubject } from './ask.ts';

/** What the hooks of one call have decided so far. */
export type HookRun = {
  /** Null: none was asked. */
  policy: PolicyEntry[] | null;
  /** How long they took together. */
  spent_ms: number;
  /** The same with the time that a person took to confirm the call: it does not count against the timeout of the tool. */
  waited_ms: number;
  /** For how long the call was held for a person. */
  held_ms: number;
  /** One of them wants a person to decide. */
  must_confirm: boolean;
  /** The call with the arguments that they made; null: they left them as they were. */
  changed_call: ToolCall | null;
  /** The tool changed while the call waited, so that they were asked again, and made other arguments than before. */
  has_changed_again: boolean;
};

export const newHookRun = (): HookRun => ({
  policy: null,
  spent_ms: 0,
  waited_ms: 0,
  held_ms: 0,
  must_confirm: false,
  changed_call: null,
  has_changed_again: false,
});

export type HookedCall = { caller: ToolCaller; tool: PreparedTool; call: ToolCall; call_id: string };

/** Returns the arguments to send: those that were given, or those that a hook made of them. Throws if a hook refuses the call. */
export async function askBefore(app: App, run: HookRun, hooked: HookedCall, given: Arguments): Promise<Arguments> {
  const { tool, call } = hooked;
  const sent_before = run.policy === null ? null : textOf(run.changed_call ?? call);
  run.must_confirm = false;
  run.changed_call = null;
  let checked = given;
  let text = textOf(call);
  for (const hook of tool.hooks.before) {
    const decision = await ask(app, run, hooked, hook, { point: 'before', text });
    if (decision?.decision === 'confirm') run.must_confirm = true;
    if (decision?.arguments === undefined) continue;
    run.changed_call = { ...call, arguments: decision.arguments };
    text = textOf(run.changed_call);
    checked = await checkChanged(decision.arguments, Buffer.byteLength(text), tool, hook);
  }
  run.has_changed_again = sent_before !== null && sent_before !== text;
  return checked;
}

/** Without the fixed arguments: nobody may set them, so that nobody is shown them. */
const textOf = (call: ToolCall) => JSON.stringify(call.arguments ?? {});

export type Answered = { response: OutboundResponse & { mcp?: McpAnswer }; result: CallerResult };

/** Returns what the caller gets: the result, or what a hook made of it. Throws if a hook keeps it back. */
export async function askAfter(
  app: App,
  run: HookRun,
  hooked: HookedCall,
  response: Answered['response'],
  shaped: CallerResult | Promise<CallerResult>,
): Promise<Answered> {
  let current = { response, result: await shaped };
  let text: string | undefined;
  for (const hook of hooked.tool.hooks.after) {
    text ??= await resultText(hooked.caller, current);
    const decision = await ask(app, run, hooked, hook, { point: 'after', text });
    if (decision?.result === undefined) continue;
    current = await changeResult(hooked, current, decision.result.value, hook);
    text = undefined;
  }
  return current;
}

/** Null: the hook failed, and lets the call go on. */
async function ask(
  app: App,
  run: HookRun,
  hooked: HookedCall,
  hook: PreparedHook,
  asked: { point: HookPoint; text: string },
): Promise<HookDecision | null> {
  const began = performance.now();
  const timeout_ms = Math.min(hook.timeout_ms, MAX_HOOKS_MS_OF_CALL - run.spent_ms);
  const decision = await askHook(app, hook, subjectOf(hooked), asked, timeout_ms).catch((error: unknown) => {
    throw error instanceof SendError ? sendErrorToRefusal(error, hooked.caller, hooked.call.requester) : error;
  });
  const took = performance.now() - began;
  run.spent_ms += took;
  run.waited_ms += took;
  const { point } = asked;
  const { reason } = decision;
  app.metrics.policies.recordHook(point, decision.decision, took);
  run.policy ??= [];
  run.policy.push({ hook_id: hook.id, point, decision: decision.decision, reason, duration_ms: Math.round(took) });
  const details = { hook_id: hook.id, point, hook_reason: reason };
  if (decision.decision === 'deny') throw refuse.callDenied({ details: withReason(details, 'call_denied_after') });
  if (decision.decision !== 'failed') return decision;
  if (hook.on_failure === 'allow') return null;
  throw refuse.hookFailed({ details: withReason(details, 'hook_failed_after'), cause: reason ?? '' });
}

/** When the result is there, the call has taken effect: whoever reads the refusal must not repeat it. */
function withReason(
  details: { hook_id: string; point: HookPoint; hook_reason: string | null },
  after: 'call_denied_after' | 'hook_failed_after',
): Details {
  return details.point === 'before' ? details : { ...details, reason: after };
}

function subjectOf({ caller, tool, call, call_id }: HookedCall): HookSubject {
  const { id, name, version, hooks } = tool;
  const member = memberOf(caller);
  const client = {
    id: 'oauth_client_id' in caller ? caller.oauth_client_id : null,
    name: call.transport.client_name,
  };
  return {
    project: caller.project,
    call_id,
    tool: { id, name, version, hints: hooks.hints },
    member: member && {
      id: member.member_id,
      external_id: member.external_id,
      claims: caller.kind === 'member' ? caller.claims : {},
    },
    integration_id: caller.integration_id,
    client: client.id === null && client.name === null ? null : client,
    is_test: caller.kind === 'test',
    traceparent: call.traceparent,
    requester: call.requester,
    span: call.span,
  };
}

/** Arguments that the caller did not write are not the caller's to correct. */
async function checkChanged(
  changed: Arguments,
  bytes: number,
  tool: PreparedTool,
  { id: hook_id }: PreparedHook,
): Promise<Arguments> {
  try {
    return await checkArguments(changed, bytes, tool);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { field = 'arguments', problems = [{ field, message: error.message }] } = error.details;
    throw refuse.validation({ details: { field, hook_id, reason: 'changed_arguments_invalid', problems } });
  }
}

/** As REST shows it: the JSON of your API, or its text. */
async function resultText({ project }: ToolCaller, { response, result }: Answered): Promise<string> {
  if (result.shaped?.is_json) return result.body.toString();
  const type = response.headers['content-type'] ?? null;
  const content_type = result.shaped ? withoutCharset(type) : type;
  // A copy: rendering may take the memory.
  const answer = { content_type, body: Buffer.from(result.body), truncated: result.truncated };
  const rendered = await renderValue(project.fairness_key, answer);
  return typeof rendered === 'string' ? rendered : Buffer.from(rendered).toString();
}

async function changeResult(
  { caller, tool, call }: HookedCall,
  { response, result }: Answered,
  value: unknown,
  { id: hook_id }: PreparedHook,
): Promise<Answered> {
  const { mcp, ...rest } = response;
  const answer = mcp && changedAnswer(mcp, value);
  const changed = { ...rest, ...(answer ? { mcp: answer } : {}), ...bodyOf(value, response), truncated: false };
  const shaped = await shapeResult(caller, tool, withoutRaw(call), changed);
  const final = shaped.shaped?.is_json ? parseResponse(shaped.body.toString()) : value;
  const problem = tool.output.checkOutput?.(final) ?? null;
  if (problem !== null)
    throw refuse.outputSchemaMismatch({ details: { hook_id, reason: 'changed_result_invalid', problem } });
  // What the API sent is what was measured.
  return { response: changed, result: { ...shaped, result_tokens: result.result_tokens } };
}

/** JSON, but text stays text. */
function bodyOf(value: unknown, { headers }: OutboundResponse): Pick<OutboundResponse, 'headers' | 'body'> {
  if (typeof value === 'string' && !isJson(headers['content-type'] ?? ''))
    return { headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(value) };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) };
}

/** The whole answer of the API is no longer what the caller gets. */
function withoutRaw({ raw: _, ...call }: ToolCall): ToolCall {
  return call;
}
