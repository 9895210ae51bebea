// The result of a tools/call whose response became a file: its link as text, which every client shows, and as a resource_link. Bytes
// in a resource are refused by some clients, and others cannot open them.

import type { File } from '@toolgate/contract/files/file.ts';
import { sizeText } from '@toolgate/contract/files/media.ts';
import type { ToolResult } from '../features/tools/calls/tool-call.ts';
import { callResultText, type RequestMeta, textBlock } from './call-result.ts';

/** `has_links`: revisions before 2025-06-18 have neither resource_link nor structuredContent. */
export function fileResultText(
  { call_id }: Pick<ToolResult, 'call_id'>,
  { id, name, content_type, size, url, url_expires_at, expires_at }: File,
  request: RequestMeta,
  has_links: boolean,
): string {
  const text = textBlock(`${name} (${content_type}, ${sizeText(size)}): ${url}, valid until ${url_expires_at}`);
  const meta = [`"toolgate/call_id":${JSON.stringify(call_id)}`];
  if (!has_links) return callResultText({ content: [text], meta, request });
  const link = JSON.stringify({ type: 'resource_link', uri: url, name, mimeType: content_type, size });
  const structured = JSON.stringify({ file: { id, name, content_type, size, url, url_expires_at, expires_at } });
  return callResultText({ content: [text, ',', link], structured, meta, request });
}
