// Answers of an MCP server that are wrong in one way.

import type { ServerResponse } from 'node:http';
import { waitUntil } from '../wait-until.ts';
import { echoTool, type McpUpstream } from './mcp-upstream.ts';

export type Handle = (message: any, response: ServerResponse) => void;

/** The upstream does this with one method; all else is answered as usual. */
export const breaking = (upstream: McpUpstream, method: string, handle: Handle) => {
  upstream.fault.handle = ({ message }, response) => {
    if (message?.method !== method) return false;
    handle(message, response);
    return true;
  };
};

export const stream = (response: ServerResponse, ...events: (object | string)[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`);
  return response;
};
export const json = (response: ServerResponse, body: object | Buffer | string) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
};
export const result = (id: unknown, text = 'x') => ({
  jsonrpc: '2.0',
  id,
  result: {
    content: [{ type: 'text', text }],
    tools: [echoTool('echo').definition],
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
  },
});

/** Goes on until the other side closes the connection. */
export function withoutEnd(response: ServerResponse, start: string, part: string): void {
  response.writeHead(200, {
    'content-type': start.startsWith('data') || start.startsWith(':') ? 'text/event-stream' : 'application/json',
  });
  response.write(start);
  const more = () => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', more);
  response.once('close', () => response.removeAllListeners('drain'));
  more();
}

export const nothingIsOpen = (upstream: McpUpstream) =>
  waitUntil(async () => upstream.unfinished.size === 0, 20_000, 'every connection in use is closed');
