// What the customer's API answered → the result of tools/call, as text. An answer that is JSON is checked, and then passed on
// as it came; it is parsed only for a tool that has an output schema.

import { refuse } from '../errors.ts';
import { answerText, isJson, isJsonAnswer, parseAnswer } from '../features/custom-tools/answer-text.ts';
import type { ToolResult } from '../features/custom-tools/tool-call.ts';
import { callResult, textBlock } from './call-result.ts';
import { toolgateError } from './error-reply.ts';

/** `json`: the answer's text where it is JSON. */
type Content = { block: string; json?: string };

/** `server_info` joins `_meta` in revisions that ask for it on every result. */
export function resultOf(answer: ToolResult, server_info: string | null): string {
  const { block, json } = contentOf(answer);
  const call_id = `"toolgate/call_id":${JSON.stringify(answer.call_id)}`;
  const broken = brokenPromise(answer, json);
  if (broken !== null) {
    const refusal = refuse.outputSchemaMismatch();
    const notice = textBlock(`${refusal.message}: ${broken}. The answer follows.`);
    const meta = [call_id, toolgateError(refusal)];
    return callResult({ content: `${notice},${block}`, is_error: true, meta, server_info });
  }
  // Every revision allows an object here; 2026-07-28 alone allows more.
  const structured = json !== undefined && /^\s*\{/.test(json) ? json : null;
  return callResult({ content: block, structured, meta: [call_id], server_info });
}

/** A client refuses a structured result that breaks the schema it was shown, so the model is told instead. */
function brokenPromise({ tool, content_type, body, truncated }: ToolResult, json: string | undefined): string | null {
  if (!tool.checkOutput) return null;
  if (truncated) return 'it was cut';
  if (json !== undefined) {
    const value = parseAnswer(json);
    return value === undefined ? 'it is too large to be checked' : tool.checkOutput(value);
  }
  if (body.length === 0) return 'it is empty';
  return isJson(mediaType(content_type))
    ? 'it is not valid JSON, or nested too deep'
    : `it is not JSON but ${content_type ?? 'of no type'}`;
}

function contentOf({ call_id, status, content_type, body, truncated }: ToolResult): Content {
  const type = mediaType(content_type);
  if (truncated) return { block: cutBlock(type, content_type, body) };
  if (body.length === 0) return { block: textBlock(`Done: status ${status}, no content.`) };
  if (isPicture(type)) return { block: mediaBlock('image', type, body) };
  if (type.startsWith('audio/')) return { block: mediaBlock('audio', type, body) };
  const text = answerText(content_type, body, false);
  if (text !== null) return isJson(type) ? jsonContent(text) : { block: textBlock(text) };
  const uri = JSON.stringify(`toolgate://calls/${call_id}`);
  const mimeType = JSON.stringify(type || 'application/octet-stream');
  return {
    block: `{"type":"resource","resource":{"uri":${uri},"mimeType":${mimeType},"blob":"${body.toString('base64')}"}}`,
  };
}

function jsonContent(text: string): Content {
  const block = textBlock(text);
  return isJsonAnswer(text) ? { block, json: text } : { block };
}

/** The beginning of a text is of use; the beginning of a picture is not. */
function cutBlock(type: string, content_type: string | null, body: Buffer): string {
  const isBinary = isPicture(type) || type.startsWith('audio/');
  const text = isBinary ? null : answerText(content_type, body, true);
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

/** SVG is text: a model reads it, while clients show only pixels. */
function isPicture(type: string): boolean {
  return type.startsWith('image/') && type !== 'image/svg+xml';
}
