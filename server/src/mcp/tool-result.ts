// Converts the response of the customer's API to the JSON text of a tools/call result. A JSON response is checked and then passed
// on unchanged; it is parsed only for a tool with an output schema.

import { mediaKind, mediaType } from '@toolgate/contract/files/media.ts';
import type { App } from '../app.ts';
import { type ApiError, refuse } from '../errors/errors.ts';
import { type McpResult, shapedContent } from '../features/tools/calls/mcp/mcp-result.ts';
import { idLine } from '../features/tools/calls/results/model-text.ts';
import { truncationText } from '../features/tools/calls/results/narrowing.ts';
import type { Rendered } from '../features/tools/calls/results/render.ts';
import { renderParts } from '../features/tools/calls/results/render-off-thread.ts';
import { isJson, parseResponse, withoutCharset } from '../features/tools/calls/results/response-text.ts';
import type { ToolResult } from '../features/tools/calls/tool-call.ts';
import { whenReady } from '../when-ready.ts';
import { callResultText, type Parts, quotedBlock, type RequestMeta, textBlock } from './call-result.ts';
import { toolgateError } from './error-response.ts';
import type { JsonText } from './json-rpc.ts';

const SPACE = 0x20;
const OPENING_BRACE = 0x7b;

/** `json`: the text of a JSON response. */
type Content = { blocks: Parts; json: string | Uint8Array | null };

/** In whose thread, and for whom, a large response is rendered. */
type RenderedFor = { app: Pick<App, 'stateOf'>; fairness_key: string };

/** `onMismatch` is called if the response violates the schema of the tool. A promise only for a large response. Not for a file. */
export function toolResultText(
  { app, fairness_key }: RenderedFor,
  response: ToolResult,
  request: RequestMeta,
  onMismatch: (refusal: ApiError) => void,
): JsonText | Promise<JsonText> {
  const is_empty = response.body.length === 0; // asked before rendering, which may take the memory
  if (response.mcp) return resultOf(response, contentOfMcp(response, response.mcp), is_empty, request, onMismatch);
  if (response.shaped?.is_json) {
    const json = response.body.toString();
    return resultOf(response, { blocks: [textBlock(json)], json }, is_empty, request, onMismatch);
  }
  return whenReady(contentOf(app, fairness_key, response), (content) =>
    resultOf(response, content, is_empty, request, onMismatch),
  );
}

/** As it came, unless the tool shapes its results: then what is left of it, and images and audio. */
function contentOfMcp({ shaped, body }: ToolResult, mcp: McpResult): Content {
  if (!shaped) return { blocks: [mcp.content], json: mcp.structured };
  const text = body.toString();
  return { blocks: [shapedContent(mcp, text)], json: mcp.structured !== null && shaped.is_json ? text : null };
}

function resultOf(
  response: ToolResult,
  { blocks, json }: Content,
  is_empty: boolean,
  request: RequestMeta,
  onMismatch: (refusal: ApiError) => void,
): JsonText {
  const call_id = `"toolgate/call_id":${JSON.stringify(response.call_id)}`;
  const problem = outputSchemaProblem(response, json, is_empty);
  if (problem !== null) {
    const refusal = refuse.outputSchemaMismatch();
    onMismatch(refusal);
    const notice = textBlock(
      `${refusal.message}: ${problem}. The response follows.\n${idLine(response.call_id, request.request_id)}`,
    );
    const meta = [call_id, toolgateError(refusal, request)];
    return callResultText({ content: [notice, ',', ...blocks], is_error: true, meta, request });
  }
  // Revisions before 2026-07-28 allow only an object here; what an MCP server structured is structured for the others too.
  const mayBeAny = response.mcp !== undefined && request.server_info !== null;
  const structured = json !== null && (mayBeAny || isObject(json)) ? json : null;
  const truncation = response.shaped?.truncation ?? null;
  if (truncation === null) return callResultText({ content: blocks, structured, meta: [call_id], request });
  const content = [...blocks, ',', textBlock(truncationText(truncation, response.tool.input_schema))];
  const meta = [call_id, `"toolgate/truncated":${JSON.stringify(truncation)}`];
  return callResultText({ content, structured, meta, request });
}

/** Clients reject a structured result that violates the listed schema, so the model gets an error result instead. */
function outputSchemaProblem(
  { tool, content_type, truncated, shaped, mcp }: ToolResult,
  json: Content['json'],
  is_empty: boolean,
): string | null {
  if (!tool.checkOutput) return null;
  if (truncated && !shaped?.is_json) return 'it was cut';
  if (json !== null) {
    const value = parseResponse(typeof json === 'string' ? json : Buffer.from(json.buffer).toString());
    return value === undefined ? 'it is too large to be checked' : tool.checkOutput(value);
  }
  if (mcp) return 'it has no structuredContent';
  if (is_empty) return 'it is empty';
  return isJson(mediaType(content_type))
    ? 'it is not valid JSON, or nested too deep'
    : `it is ${content_type ?? 'without a type'}, not JSON`;
}

/** Only white space stands before the first character of a value. */
function isObject(json: string | Uint8Array): boolean {
  if (typeof json === 'string') return /^\s*\{/.test(json);
  return json.find((byte) => byte > SPACE) === OPENING_BRACE;
}

function contentOf(app: RenderedFor['app'], fairness_key: string, response: ToolResult): Content | Promise<Content> {
  const { status, content_type, body, shaped } = response;
  const { length } = body;
  // What a shaped text lost is said in a block of its own.
  const truncated = response.truncated && !shaped?.truncation;
  const type = mediaType(content_type);
  if (length === 0 && !truncated) return { blocks: [textBlock(`Done: status ${status}, no content.`)], json: null };
  const media = mediaKind(type);
  if (media !== null && truncated) return { blocks: [leftOut(type, length)], json: null };
  const whole = { ...response, truncated, content_type: shaped ? withoutCharset(content_type) : content_type };
  const rendered = renderParts(app, fairness_key, media === null ? 'text' : 'bytes', whole);
  return whenReady(rendered, (parts) => blockOf(whole, length, type, parts));
}

/** `length` is that of the body before it was rendered. */
function blockOf(
  { call_id, truncated }: ToolResult,
  length: number,
  type: string,
  { json, quoted, base64 }: Rendered,
): Content {
  const media = mediaKind(type);
  if (media !== null) return { blocks: mediaBlock(media, type, base64 ?? ''), json: null };
  if (quoted !== null) return { blocks: quotedBlock(...(truncated ? addCut(quoted, length) : [quoted])), json };
  return { blocks: truncated ? [leftOut(type, length)] : resourceBlock(call_id, type, base64 ?? ''), json: null };
}

/** A truncated text is useful; a truncated image is not. */
const leftOut = (type: string, length: number) =>
  textBlock(`[The response (${type || 'no type'}) is longer than ${length} bytes and was left out.]`);

const addCut = (quoted: string | Uint8Array, length: number) => [
  typeof quoted === 'string' ? quoted.slice(0, -1) : quoted.subarray(0, -1),
  JSON.stringify(`\n[Cut: the response is longer than ${length} bytes.]`).slice(1),
];

function resourceBlock(call_id: string, type: string, base64: string | Uint8Array): Parts {
  const uri = JSON.stringify(`toolgate://calls/${call_id}`);
  const mimeType = JSON.stringify(type || 'application/octet-stream');
  return [`{"type":"resource","resource":{"uri":${uri},"mimeType":${mimeType},"blob":"`, base64, '"}}'];
}

function mediaBlock(kind: 'image' | 'audio', type: string, base64: string | Uint8Array): Parts {
  return [`{"type":"${kind}","data":"`, base64, `","mimeType":${JSON.stringify(type)}}`];
}
