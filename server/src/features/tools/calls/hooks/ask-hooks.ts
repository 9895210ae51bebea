// Asks the hooks of a tool about one call, one after the other: before it is sent, and when its result is there. What they change
// passes every check again.

import { type HookPoint, MAX_HOOKS_MS_OF_CALL } from '@toolgate/contract/hooks/rules.ts';
import { memberOf, type ToolCaller } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import { ApiError, type Details, refuse } from '../../../../errors/errors.ts';
import { type OutboundResponse, SendError } from '../../../../outbound/messages.ts';
import type { PreparedHook } from '../../hooks/prepared-hooks.ts';
import { type Arguments, checkArguments } from '../arguments.ts';
import { sendErrorToRefusal } from '../call-refusals.ts';
import { restoreFiles, tellFiles } from '../files/call-file.ts';
import { discardFile } from '../files/file-of-response.ts';
import { findFiles } from '../files/find-files.ts';
import { changedResponse, type ReadResponse } from '../mcp/mcp-result.ts';
import type { PreparedTool } from '../prepared-tool.ts';
import { renderValue } from '../results/render-off-thread.ts';
import { isJson, parseResponse, withoutCharset } from '../results/response-text.ts';
import { type CallerResult, fileText, shapeResult } from '../results/shape-result.ts';
import type { CallResponse, CallRun } from '../run.ts';
import type { ToolCall } from '../tool-call.ts';
import { askHook, type HookSubject } from './ask.ts';
import type { HookDecision } from './response.ts';

/** Leaves the arguments to send: those that were given, or those that a hook made of them. Throws if a hook refuses the call. */
export async function askBefore(app: App, run: CallRun): Promise<void> {
  const { tool, told, hooks } = run;
  const sent_before = run.policy === null ? null : textOf(hooks.changed_call ?? told);
  hooks.must_confirm = false;
  hooks.changed_call = null;
  let text = textOf(told);
  for (const hook of tool.hooks.before) {
    const decision = await ask(app, run, hook, { point: 'before', text });
    if (decision?.decision === 'confirm') hooks.must_confirm = true;
    if (decision?.arguments === undefined) continue;
    if (tool.file_arguments.length > 0) {
      await changeFiles(app, run, decision.arguments, hook);
      text = textOf(hooks.changed_call ?? told);
      continue;
    }
    hooks.changed_call = { ...told, arguments: decision.arguments };
    text = textOf(hooks.changed_call);
    run.given = await checkChanged(decision.arguments, Buffer.byteLength(text), tool, hook);
  }
  hooks.has_changed_again = sent_before !== null && sent_before !== text;
}

/** What a hook has left as it was told stays the file that the caller gave. */
async function changeFiles(app: App, run: CallRun, changed: Arguments, hook: PreparedHook): Promise<void> {
  const restored = restoreFiles(changed, run.given, run.files);
  run.given = await checkChanged(restored, Buffer.byteLength(JSON.stringify(restored)), run.tool, hook);
  await findFiles(app, run);
  run.hooks.changed_call = { ...run.told, arguments: tellFiles(restored, run.files) };
}

/** Without the fixed arguments: nobody may set them, so that nobody is shown them. */
const textOf = (call: ToolCall) => JSON.stringify(call.arguments ?? {});

type Responded = { response: CallResponse; result: CallerResult };

/** Leaves what the caller gets: the result, or what a hook made of it. Throws if a hook keeps it back. */
export async function askAfter(app: App, run: CallRun): Promise<void> {
  let current = { response: run.response as CallResponse, result: run.result as CallerResult };
  let text: string | undefined;
  for (const hook of run.tool.hooks.after) {
    text ??= run.file ? fileText(run.file) : await resultText(app, run.caller, current);
    const decision = await ask(app, run, hook, { point: 'after', text });
    if (decision?.result === undefined) continue;
    // What a hook has put in its place is no file any more.
    if (run.file) await discardFile(app, run);
    current = await changeResult(app, run, current, decision.result.value, hook);
    text = undefined;
  }
  run.response = current.response;
  run.result = current.result;
}

/** Null: the hook failed, and lets the call go on. */
async function ask(
  app: App,
  run: CallRun,
  hook: PreparedHook,
  asked: { point: HookPoint; text: string },
): Promise<HookDecision | null> {
  const began = performance.now();
  const timeout_ms = Math.min(hook.timeout_ms, MAX_HOOKS_MS_OF_CALL - run.hooks.spent_ms);
  const decision = await askHook(app, hook, subjectOf(run), asked, timeout_ms).catch((error: unknown) => {
    throw error instanceof SendError ? sendErrorToRefusal(error, run.caller, run.call.requester) : error;
  });
  const took = performance.now() - began;
  run.hooks.spent_ms += took;
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

function subjectOf({ caller, tool, call, call_id }: CallRun): HookSubject {
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
async function resultText(app: App, { project }: ToolCaller, { response, result }: Responded): Promise<string> {
  if (result.shaped?.is_json) return result.body.toString();
  const type = response.headers['content-type'] ?? null;
  const content_type = result.shaped ? withoutCharset(type) : type;
  // A copy: rendering may take the memory.
  const whole = { content_type, body: Buffer.from(result.body), truncated: result.truncated };
  const rendered = await renderValue(app, project.fairness_key, whole);
  return typeof rendered === 'string' ? rendered : Buffer.from(rendered).toString();
}

async function changeResult(
  app: App,
  { caller, tool, call }: CallRun,
  { response, result }: Responded,
  value: unknown,
  { id: hook_id }: PreparedHook,
): Promise<Responded> {
  const { mcp, ...rest } = response;
  const changedMcp = mcp && changedResponse(mcp, value, tool.shaping?.compiled ?? null);
  const changed = {
    ...rest,
    ...(changedMcp ? mcpBody(changedMcp, response) : bodyOf(value, response)),
    truncated: false,
  };
  const shaped = await shapeResult(app, caller, tool, withoutRaw(call), changed);
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

function mcpBody({ mcp, body, is_json }: ReadResponse, { headers }: OutboundResponse) {
  const type = { 'content-type': is_json ? 'application/json' : 'text/plain' };
  return { mcp, headers: { ...headers, ...type }, body: Buffer.from(body) };
}

/** The whole response of the API is no longer what the caller gets. */
function withoutRaw({ raw: _, ...call }: ToolCall): ToolCall {
  return call;
}
