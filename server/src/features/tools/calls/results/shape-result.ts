// What a caller gets of the customer's response, and what is recorded of it. Tools without `response` get it as it is, unless it was cut
// at the size limit in the middle of JSON.

import type { ToolCaller } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import { type ApiError, refuse } from '../../../../errors/errors.ts';
import type { OutboundResponse } from '../../../../outbound/messages.ts';
import { REDACTED } from '../../../../redaction/context.ts';
import { estimateTokens } from '../../../../shaping/compile.ts';
import type { StoredFile } from '../../../files/files/file.ts';
import { tellFile } from '../files/told-file.ts';
import type { McpResult } from '../mcp/mcp-result.ts';
import type { PreparedTool } from '../prepared-tool.ts';
import type { Schema, ToolCall, ToolResult } from '../tool-call.ts';
import { argumentNames } from './narrowing.ts';
import { shapeIn } from './render-off-thread.ts';
import { isJson, mayBeJson, withoutCharset } from './response-text.ts';
import { type ShapedResponse, type Shaping, UNSHAPED } from './shape-body.ts';

/** `recorded`: the body that payloads may have; undefined: none. */
export type CallerResult = Pick<
  ToolResult,
  'body' | 'truncated' | 'shaped' | 'raw_body' | 'result_tokens' | 'shaped_tokens'
> & { recorded: Buffer | undefined };

/** A promise only if there is something to shape; it may be rejected with a refusal. */
export function shapeResult(
  app: App,
  caller: ToolCaller,
  tool: PreparedTool,
  call: ToolCall,
  response: OutboundResponse & { mcp?: McpResult },
): CallerResult | Promise<CallerResult> {
  const { body, truncated, headers, mcp } = response;
  if (tool.shaping !== null && mcp?.form === 'none') return notShaped(call, response);
  if (tool.shaping !== null && mcp?.form !== 'as_is') return shapeBy(app, tool.shaping, caller, tool, call, response);
  if (truncated && (isJson(headers['content-type'] ?? '') || mayBeJson(body)))
    return shapeBy(app, UNSHAPED, caller, tool, call, response);
  return asItIs(response, body);
}

/** Of a file there is nothing to shape. */
export function fileResult(file: StoredFile): CallerResult {
  const recorded = Buffer.from(fileText(file));
  const tokens = estimateTokens(recorded.length);
  return {
    ...{ body: NOTHING, truncated: false, shaped: null, raw_body: null, recorded },
    ...{ result_tokens: tokens, shaped_tokens: tokens },
  };
}

export const fileText = (file: StoredFile) => JSON.stringify({ file: tellFile(file) });

const NOTHING = Buffer.alloc(0);

/** Who asks for the whole response gets it also where it cannot be shaped; it is not recorded. */
function notShaped(call: ToolCall, response: OutboundResponse): CallerResult {
  if (call.raw === 'instead') return asItIs(response, undefined);
  throw refuse.resultNotShaped();
}

function asItIs({ body, truncated }: OutboundResponse, recorded: Buffer | undefined): CallerResult {
  const tokens = estimateTokens(body.length);
  return {
    ...{ body, truncated, shaped: null, raw_body: null, recorded },
    ...{ result_tokens: tokens, shaped_tokens: tokens },
  };
}

async function shapeBy(
  app: App,
  shaping: Shaping,
  { project }: ToolCaller,
  tool: PreparedTool,
  call: ToolCall,
  response: OutboundResponse,
): Promise<CallerResult> {
  const { body, truncated, headers } = response;
  // Another thread may take its memory.
  const raw = call.raw === undefined || tool.shaping === null ? null : Buffer.from(body);
  const result_tokens = estimateTokens(body.length);
  const whole = { content_type: headers['content-type'] ?? null, body, truncated };
  const shaped = await shapeIn(app, project.fairness_key, shaping, whole);
  if (shaped.kind !== 'shaped') {
    if (call.raw === 'instead' && raw) return { ...asItIs({ ...response, body: raw }, undefined), result_tokens };
    throw shaped.kind === 'too_large' ? tooLarge(tool.input_schema, shaping.response) : refuse.resultNotShaped();
  }
  const recorded = Buffer.from(shaped.body.buffer);
  const shaped_tokens = estimateTokens(recorded.length);
  if (call.raw === 'instead' && raw) return { ...asItIs({ ...response, body: raw }, recorded), shaped_tokens };
  const { is_json, is_cut, truncation } = shaped;
  return {
    ...{ body: recorded, truncated: is_cut, shaped: { is_json, truncation }, raw_body: raw, recorded },
    ...{ result_tokens, shaped_tokens },
  };
}

/** `input_schema`: what a caller can give. */
export function tooLarge(input_schema: Schema, response: Shaping['response']): ApiError {
  const names = argumentNames(input_schema);
  const remedy =
    names.length > 0
      ? `Request less: narrow the call with its arguments ${names.join(', ')}.`
      : "The tool has no argument that narrows its result: make the tool's `response` rule select less.";
  return refuse.resultTooLarge({ details: { limit: response.max_tokens ?? null, arguments: names, remedy } });
}

const TOO_LARGE = "[left out: it is larger than the tool's max_tokens]";

/** What is shown and recorded of the response of a failed call: what the tool leaves of it. */
export async function shapeFailure(
  app: App,
  { project }: ToolCaller,
  { shaping }: PreparedTool,
  response: OutboundResponse & { mcp?: McpResult },
): Promise<OutboundResponse> {
  const { body, truncated, headers, mcp } = response;
  if (shaping === null || mcp?.form === 'as_is') return response;
  const content_type = headers['content-type'] ?? null;
  const type = content_type === null ? {} : { 'content-type': withoutCharset(content_type) ?? '' };
  const shaped =
    mcp?.form === 'none'
      ? ({ kind: 'not_shaped' } as const)
      : await shapeIn(app, project.fairness_key, shaping, { content_type, body, truncated });
  return { ...response, headers: { ...headers, ...type }, body: shownOf(shaped) };
}

function shownOf(shaped: ShapedResponse): Buffer {
  if (shaped.kind === 'shaped') return Buffer.from(shaped.body.buffer);
  // What is to be kept or redacted cannot be found in it.
  return Buffer.from(shaped.kind === 'too_large' ? TOO_LARGE : REDACTED);
}
