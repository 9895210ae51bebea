// Converts the response of the customer's API to the JSON text of a tools/call result. A JSON response is checked and then passed
// on unchanged; it is parsed only for a tool with an output schema.

import { refuse } from '../errors.ts';
import { isJson, isJsonResponse, parseResponse, responseText } from '../features/custom-tools/response-text.ts';
import type { ToolResult } from '../features/custom-tools/tool-call.ts';
import { callResultText, type RequestMeta, textBlock } from './call-result.ts';
import { toolgateError } from './error-reply.ts';
import type { HttpRequest } from './method.ts';

/** `json`: the text of a JSON response. */
type Content = { block: string; json?: string };

/** `refusal` of the request is set for its trace. */
export function toolResultText(
  response: ToolResult,
  request: RequestMeta,
  http_request: Pick<HttpRequest, 'refusal'>,
): string {
  const { block, json } = contentOf(response);
  const call_id = `"toolgate/call_id":${JSON.stringify(response.call_id)}`;
  const problem = outputSchemaProblem(response, json);
  if (problem !== null) {
    const refusal = refuse.outputSchemaMismatch();
    http_request.refusal = refusal;
    const notice = textBlock(`${refusal.message}: ${problem}. The answer follows.`);
    const meta = [call_id, toolgateError(refusal, request)];
    return callResultText({ content: `${notice},${block}`, is_error: true, meta, request });
  }
  // Revisions before 2026-07-28 allow only an object here.
  const structured = json !== undefined && /^\s*\{/.test(json) ? json : null;
  return callResultText({ content: block, structured, meta: [call_id], request });
}

/** Clients reject a structured result that violates the listed schema, so the model gets an error result instead. */
function outputSchemaProblem(
  { tool, content_type, body, truncated }: ToolResult,
  json: string | undefined,
): string | null {
  if (!tool.checkOutput) return null;
  if (truncated) return 'it was cut';
  if (json !== undefined) {
    const value = parseResponse(json);
    return value === undefined ? 'it is too large to be checked' : tool.checkOutput(value);
  }
  if (body.length === 0) return 'it is empty';
  return isJson(mediaType(content_type))
    ? 'it is not valid JSON, or nested too deep'
    : `it is not JSON but ${content_type ?? 'of no type'}`;
}

function contentOf({ call_id, status, content_type, body, truncated }: ToolResult): Content {
  const type = mediaType(content_type);
  if (truncated) return { block: truncatedBlock(type, content_type, body) };
  if (body.length === 0) return { block: textBlock(`Done: status ${status}, no content.`) };
  if (isRasterImage(type)) return { block: mediaBlock('image', type, body) };
  if (type.startsWith('audio/')) return { block: mediaBlock('audio', type, body) };
  const text = responseText(content_type, body, false);
  if (text !== null) return isJson(type) ? jsonContent(text) : { block: textBlock(text) };
  const uri = JSON.stringify(`toolgate://calls/${call_id}`);
  const mimeType = JSON.stringify(type || 'application/octet-stream');
  return {
    block: `{"type":"resource","resource":{"uri":${uri},"mimeType":${mimeType},"blob":"${body.toString('base64')}"}}`,
  };
}

function jsonContent(text: string): Content {
  const block = textBlock(text);
  return isJsonResponse(text) ? { block, json: text } : { block };
}

/** A truncated text is useful; a truncated image is not. */
function truncatedBlock(type: string, content_type: string | null, body: Buffer): string {
  const isBinary = isRasterImage(type) || type.startsWith('audio/');
  const text = isBinary ? null : responseText(content_type, body, true);
  if (text === null)
    return textBlock(`[The answer (${type || 'no type'}) is longer than ${body.length} bytes and was left out.]`);
  return textBlock(`${text}\n[Cut: the answer is longer than ${body.length} bytes.]`);
}

function mediaBlock(kind: 'image' | 'audio', type: string, body: Buffer): string {
  return `{"type":"${kind}","data":"${body.toString('base64')}","mimeType":${JSON.stringify(type)}}`;
}

function mediaType(content_type: string | null): string {
  return (content_type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** SVG is returned as text, which models can read; clients display only raster images. */
function isRasterImage(type: string): boolean {
  return type.startsWith('image/') && type !== 'image/svg+xml';
}
