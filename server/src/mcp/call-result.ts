// Builds the JSON text of a tools/call result from parts that are JSON text already. Those of a large response are bytes.

import type { JsonText } from './json-rpc.ts';

/** In their order. */
export type Parts<Part = string | Uint8Array> = readonly Part[];

type ResultParts<Part> = {
  /** The content blocks, separated by commas. */
  content: Parts<Part>;
  structured?: Part | null;
  is_error?: boolean;
  /** Members of `_meta`. */
  meta: string[];
  request: RequestMeta;
};

/** What a result has in `_meta` because of the request and not of the tool. */
export type RequestMeta = {
  request_id: string;
  /** For the link of an error to its page. */
  public_url: string;
  /** What 2026-07-28 requires on every result; null in older revisions. */
  server_info: string | null;
  /** What is left of the hourly limit; null when the request was not counted. */
  usage: string | null;
};

export function callResultText(result: ResultParts<string>): string;
export function callResultText(result: ResultParts<string | Uint8Array>): JsonText;
export function callResultText({
  content,
  structured = null,
  is_error = false,
  meta,
  request: { server_info, usage },
}: ResultParts<string | Uint8Array>): JsonText {
  const start = server_info === null ? '{' : '{"resultType":"complete",';
  const object = structured === null ? [] : [',"structuredContent":', structured];
  const error = is_error ? ',"isError":true' : '';
  const members = [...meta, usage, server_info].filter((member) => member !== null).join(',');
  const parts = [`${start}"content":[`, ...content, ']', ...object, `${error},"_meta":{${members}}}`];
  return parts.every((part) => typeof part === 'string') ? parts.join('') : { parts, is_cached: false };
}

export const textBlock = (text: string) => `{"type":"text","text":${JSON.stringify(text)}}`;

/** `quoted` is a JSON string. */
export function quotedBlock(...quoted: Parts): Parts {
  return ['{"type":"text","text":', ...quoted, '}'];
}
