// Sends one JSON-RPC message to the MCP endpoint, as a client of 2025-11-25 or of 2026-07-28.

import type { ApiResponse } from '../support/requests/call-api.ts';
import type { TestServer } from '../support/servers/start-server.ts';

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

/** MCP Apps: what is declared on both sides, and what a server has with it. */
export const viewExtension = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
export const viewCapabilities = { resources: {}, extensions: viewExtension };
/** Of `server/discover`. */
export const modernCapabilities = {
  tools: { listChanged: true },
  resources: {},
  extensions: { ...viewExtension, 'io.modelcontextprotocol/tasks': {} },
};

type Params = { name?: string; _meta?: object; [member: string]: unknown };
type Message = { headers: Record<string, string>; body: object };
type Options = { id?: string | number; headers?: Record<string, string>; path?: string };
/** A process too. */
type Callable = Pick<TestServer, 'api'>;
type Send = (
  server: Callable,
  key: string | undefined,
  method: string,
  params?: Params,
  options?: Options,
) => Promise<ApiResponse>;

/** 2025-11-25: only the message. */
function legacyMessage(id: string | number, method: string, params: Params): Message {
  return { headers: { 'mcp-protocol-version': LEGACY }, body: { jsonrpc: '2.0', id, method, params } };
}

/** 2026-07-28: `_meta` has the revision, and headers repeat parts of the body. */
function modernMessage(id: string | number, method: string, params: Params): Message {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
    ...params._meta,
  };
  const headers: Record<string, string> = { 'mcp-protocol-version': MODERN, 'mcp-method': method };
  if (params.name !== undefined) headers['mcp-name'] = params.name;
  return { headers, body: { jsonrpc: '2.0', id, method, params: { ...params, _meta } } };
}

/** For tests of both revisions. */
export const messages = { [LEGACY]: legacyMessage, [MODERN]: modernMessage };

const sender =
  (makeMessage: typeof legacyMessage): Send =>
  (server, key, method, params = {}, { id = 7, headers = {}, path = '/api/v1/mcp' } = {}) => {
    const message = makeMessage(id, method, params);
    return server.api('POST', path, { key, body: message.body, headers: { ...message.headers, ...headers } });
  };

export const legacy = sender(legacyMessage);
export const modern = sender(modernMessage);
export const revisionSenders: Record<string, Send> = { [LEGACY]: legacy, [MODERN]: modern };

export function callTool(
  send: Send,
  server: Callable,
  key: string,
  name: string,
  given: Record<string, unknown> = {},
  options?: Options,
): Promise<ApiResponse> {
  return send(server, key, 'tools/call', { name, arguments: given }, options);
}
