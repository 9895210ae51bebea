// Shapes the response of a customer by the `response` of its tool. A response that was cut at the size limit is ended so that it is JSON.

import type { ToolResponse } from '@toolgate/contract/custom-tools/tool-response.ts';
import { type CompiledRule, compileRule } from '../../../../shaping/compile.ts';
import { shapeBytes, type Truncation } from '../../../../shaping/shape.ts';
import type { ApiResponse } from './render.ts';
import { responseText } from './response-text.ts';

/** `key` tells responses apart: the definition hash of the tool. */
export type Shaping = { key: string; response: ToolResponse; compiled: CompiledRule };

export const shapingOf = (key: string, response: ToolResponse): Shaping => ({
  key,
  response,
  compiled: compileRule(response),
});

/** For a response that is only ended as JSON. */
export const UNSHAPED = shapingOf('', {});

export type ShapedResponse =
  | { kind: 'shaped'; body: Uint8Array<ArrayBuffer>; is_json: boolean; is_cut: boolean; truncation: Truncation | null }
  | { kind: 'not_shaped' }
  | { kind: 'too_large' };

export function shapeResponse(rule: CompiledRule, { content_type, body, truncated }: ApiResponse): ShapedResponse {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const as_is = {
    kind: 'shaped' as const,
    body: new Uint8Array(bytes),
    is_json: false,
    is_cut: truncated,
    truncation: null,
  };
  if (bytes.length === 0) return as_is;
  const text = responseText(content_type, bytes, truncated);
  if (text !== null) {
    const shaped = shapeBytes(Buffer.from(text).toString('latin1'), rule, truncated);
    if (shaped.kind === 'too_large') return shaped;
    if (shaped.kind === 'json') {
      const { json, is_cut, truncation } = shaped;
      return { kind: 'shaped', body: bytesOf(Buffer.from(json, 'latin1')), is_json: true, is_cut, truncation };
    }
  }
  if (rule.needs_json || (text === null && rule.redact !== null)) return { kind: 'not_shaped' };
  if (text !== null) return shapeText(text, rule, truncated);
  return bytes.length > rule.max_bytes ? { kind: 'too_large' } : as_is;
}

/** Detectors work on text, too, and it is cut like a text in JSON, at its end. */
function shapeText(text: string, { redact, max_bytes }: CompiledRule, truncated: boolean): ShapedResponse {
  const redacted = redact === null ? text : redact(text, truncated);
  const whole = Buffer.from(redacted);
  if (whole.length <= max_bytes)
    return { kind: 'shaped', body: bytesOf(whole), is_json: false, is_cut: truncated, truncation: null };
  const kept = Buffer.from(new TextDecoder('utf-8').decode(whole.subarray(0, max_bytes), { stream: true }));
  const paths = [{ path: '.', kept: kept.toString().length, total: truncated ? null : redacted.length }];
  return { kind: 'shaped', body: bytesOf(kept), is_json: false, is_cut: true, truncation: { paths, next: null } };
}

/** In memory of its own, which may be handed to another thread. */
const bytesOf = (bytes: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
