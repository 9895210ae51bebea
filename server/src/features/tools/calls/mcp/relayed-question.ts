// A question of an MCP server as a person may see it: its texts name the server, hide nothing, and have nothing that the tool redacts; a
// URL leads to a public HTTPS host. What cannot be made so is refused.

import { refuse } from '../../../../errors/errors.ts';
import type { ElicitRequest } from '../../../../errors/input-required.ts';
import { isObject, McpProblem } from '../../../../mcp-client/message.ts';
import { isPublicHost } from '../../../../outbound/address-guard.ts';
import type { Redact } from '../../../../shaping/detectors.ts';
import { visible } from '../../approvals/message.ts';
import type { PreparedTool } from '../prepared-tool.ts';
import { tooLarge } from '../results/shape-result.ts';

export type Modes = { form: boolean; url: boolean };

/** Only what a client needs to show it. Anything but a question that the client offered to ask is refused. */
export function readRequest(request: unknown, modes: Modes): ElicitRequest {
  const { method, params } = isObject(request) ? request : {};
  const { mode = 'form', message, requestedSchema, url } = isObject(params) ? params : {};
  if (method === 'elicitation/create' && typeof message === 'string') {
    if (mode === 'form' && modes.form && isObject(requestedSchema))
      return { method, params: { mode, message, requestedSchema } };
    if (mode === 'url' && modes.url && typeof url === 'string')
      return { method, params: { mode, message, url: publicUrl(url) } };
  }
  throw new McpProblem('protocol', 'It asked for something that the caller did not offer');
}

/** As browsers write it, so that no letter is hidden or looks like another. */
function publicUrl(text: string): string {
  const url = URL.parse(text);
  const isPublic = url?.protocol === 'https:' && isPublicHost(url.hostname) && url.username + url.password === '';
  if (!url || !isPublic) throw new McpProblem('protocol', 'It asked to open something other than a public HTTPS URL');
  return url.href;
}

/** The questions by their keys, as they are shown. `requests` must not have the credential of the server. */
export function showRequests(
  requests: Record<string, ElicitRequest>,
  { shaping, input_schema, host, mcp }: Pick<PreparedTool, 'shaping' | 'input_schema' | 'host' | 'mcp'>,
): Record<string, ElicitRequest> {
  const redact = shaping?.compiled.redact ?? ((text: string) => text);
  // Paths are those of a result.
  if (shaping?.compiled.needs_json) throw refuse.resultNotShaped();
  const show = ({ method, params }: ElicitRequest): ElicitRequest => {
    const message = `${visible(mcp?.server_name ?? '')} (${host}) asks: ${words(params.message, redact)}`;
    if (params.mode === 'url') return { method, params: { ...params, message, url: exactly(params.url, redact) } };
    const requestedSchema = shownSchema(params.requestedSchema, '', redact) as Record<string, unknown>;
    return { method, params: { ...params, message, requestedSchema } };
  };
  const shown = Object.fromEntries(
    Object.entries(requests).map(([key, request]) => [exactly(key, redact), show(request)]),
  );
  if (shaping && Buffer.byteLength(JSON.stringify(shown)) > shaping.compiled.max_bytes)
    throw tooLarge(input_schema, shaping.response);
  return shown;
}

/** What a form says. Everything else in its schema comes back with the answer. */
const WORDS = new Set(['title', 'description', 'enumNames']);

function shownSchema(value: unknown, name: string, redact: Redact): unknown {
  if (typeof value === 'string') return WORDS.has(name) ? words(value, redact) : exactly(value, redact);
  if (typeof value === 'number') exactly(String(value), redact);
  if (Array.isArray(value)) return value.map((each) => shownSchema(each, name, redact));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [exactly(key, redact), shownSchema(each, key, redact)]),
  );
}

/** On one line, so that it cannot look like words of this server. */
const words = (text: string, redact: Redact) => visible(redact(text).replace(/[\t\r\n]+/g, ' '));

function exactly(text: string, redact: Redact): string {
  if (redact(text) !== text) throw refuse.resultNotShaped();
  if (visible(text) !== text) throw new McpProblem('protocol', 'It asked with invisible characters');
  return text;
}
