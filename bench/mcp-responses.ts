// The customer's MCP servers in the benches: as little work as possible, so that what is measured is the gateway. `/mcp/modern` speaks
// 2026-07-28, `/mcp/legacy` 2025-11-25 with sessions and streams, as the official SDKs answer. `/mcp/hostile` has tools as large as they
// may be, and others at every sync.

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sampleTool } from './sample-tool.ts';

/** Those that a list of the sample tools ends with. */
const TOOLS = 10;

const tools = Array.from({ length: TOOLS }, (_, i) => {
  const { name, description, input_schema: inputSchema } = sampleTool(i, '');
  return { name, description, inputSchema };
});

/** Within what a sync reads: 180 tools with 2,400 properties each. */
const HOSTILE = { pages: 5, tools: 36, properties: 2_400 };
let synced = 0;

function hostilePage(page: number): string {
  if (page === 0) synced += 1;
  const listed = Array.from({ length: HOSTILE.tools }, (_, index) => {
    const properties = Array.from({ length: HOSTILE.properties }, (_, i) => `"p${i}_${synced}":{"type":"string"}`);
    const schema = `{"type":"object","properties":{${properties.join(',')}}}`;
    return `{"name":"t${page * HOSTILE.tools + index}","description":"Tool ${index} of ${synced}","inputSchema":${schema}}`;
  });
  const next = page + 1 < HOSTILE.pages ? `,"nextCursor":"${page + 1}"` : '';
  return `{"tools":[${listed.join(',')}]${next},${JSON.stringify(modern).slice(1)}`;
}

export function respondToMcp(path: string, body: Buffer, response: ServerResponse, result: string): void {
  // The end of a session.
  if (body.length === 0) return void response.writeHead(204).end();
  const { id, method, params } = JSON.parse(body.toString()) as {
    id?: number;
    method: string;
    params?: { cursor?: string };
  };
  const is_legacy = path.startsWith('/mcp/legacy');
  const session = method === 'initialize' ? { 'mcp-session-id': randomUUID() } : {};
  const isHostile = path.startsWith('/mcp/hostile') && method === 'tools/list';
  const sent = isHostile ? hostilePage(Number(params?.cursor ?? 0)) : resultOf(method, is_legacy, result);
  if (id === undefined) response.writeHead(202).end();
  else if (sent === null) response.writeHead(400).end();
  else if (is_legacy) {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...session });
    response.end(`event: message\ndata: {"result":${sent},"jsonrpc":"2.0","id":${id}}\n\n`);
  } else {
    const text = `{"jsonrpc":"2.0","id":${id},"result":${sent}}`;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  }
}

const modern = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

function resultOf(method: string, is_legacy: boolean, result: string): string | null {
  if (method === 'tools/call')
    return JSON.stringify({
      content: [{ type: 'text', text: result }],
      ...(is_legacy ? {} : { resultType: 'complete' }),
    });
  if (method === 'tools/list') return JSON.stringify({ tools, ...(is_legacy ? {} : modern) });
  if (method === 'server/discover' && !is_legacy)
    return JSON.stringify({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ...modern });
  const serverInfo = { name: 'bench', version: '1' };
  if (method === 'initialize' && is_legacy)
    return JSON.stringify({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
  return null;
}
