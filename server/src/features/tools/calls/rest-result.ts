// The result of a call over REST, as the parts of a JSON text.

import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { shapedContent } from './mcp/mcp-result.ts';
import { renderValue } from './results/render-off-thread.ts';
import { withoutCharset } from './results/response-text.ts';
import type { ToolResult } from './tool-call.ts';

/** For a tool of an MCP server whose result is not structured: its content, as it was shaped. */
function contentOf({ mcp, shaped, body }: ToolResult): string | null {
  if (!mcp || mcp.structured !== null) return null;
  return `[${shaped ? shapedContent(mcp, body.toString()) : mcp.content}]`;
}

/** `file`: as JSON. The customer's JSON is inserted as text: parsing and serializing it would change long numbers and cost time. */
export async function resultParts(
  app: App,
  { fairness_key: key }: Pick<Project, 'fairness_key'>,
  result: ToolResult,
  file: string | null,
): Promise<(string | Uint8Array)[]> {
  const { call_id, status, content_type, truncated, shaped, result_tokens, shaped_tokens, duration_ms } = result;
  const body =
    (file && `null,"file":${file}`) ??
    contentOf(result) ??
    (shaped?.is_json
      ? result.body
      : await renderValue(app, key, shaped ? { ...result, content_type: withoutCharset(content_type) } : result));
  const whole =
    result.raw_body && (await renderValue(app, key, { ...result, body: result.raw_body, truncated: false }));
  const head = `{"call_id":"${call_id}","status":${status},"content_type":${JSON.stringify(content_type)},"body":`;
  const truncation = JSON.stringify(shaped?.truncation ?? null);
  const tokens = `"result_tokens":${result_tokens},"shaped_tokens":${shaped_tokens}`;
  const tail = `,"truncated":${truncated},"truncation":${truncation},${tokens},"duration_ms":${duration_ms}`;
  const raw = whole === null ? [] : [',"raw_body":', whole];
  return typeof body === 'string' && whole === null ? [`${head}${body}${tail}}`] : [head, body, tail, ...raw, '}'];
}
