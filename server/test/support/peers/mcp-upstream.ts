// An MCP server over HTTPS on 127.0.0.1, on the official SDKs: 2.x speaks 2026-07-28, 1.x the revisions before it, with sessions. It
// records every request, and a test changes its tools while it runs.

import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { Server as LegacyServer } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, type McpServer, Server } from '@modelcontextprotocol/server';
import { listenOnFreePort } from '../servers/free-port.ts';
import { testAuthority } from './fake-customer.ts';

export type UpstreamCall = {
  arguments: Record<string, unknown>;
  meta: Record<string, unknown>;
  params: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  signal: AbortSignal;
  /** Sends `notifications/progress` with the token of the call. */
  progress(progress: number, total: number, message?: string): Promise<void>;
};

export type UpstreamTool = {
  definition: { name: string; inputSchema: object; [member: string]: unknown };
  run(call: UpstreamCall): object | Promise<object>;
};

type Recorded = { method: string; path: string; headers: IncomingHttpHeaders; message: any };

export type McpUpstream = Awaited<ReturnType<typeof startMcpUpstream>>;

/** A tool that answers with its arguments. */
export const echoTool = (name: string, members: object = {}): UpstreamTool => ({
  definition: {
    name,
    description: `Answers with what it gets as ${name}`,
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    ...members,
  },
  run: ({ arguments: given }) => ({ content: [{ type: 'text', text: JSON.stringify(given) }] }),
});

/** `modern` also serves older clients, without sessions; `modern_only` refuses them. */
export type Era = 'modern' | 'modern_only' | 'legacy';

/** What `resources/read` answers, by URI; `listed`: the `_meta` of the resource in the list. */
export type UpstreamViews = Record<string, { content: object; listed?: object }>;

/** `tls`: instead of a certificate of the test authority. `own`: serves instead of the tools that are set, in both eras of `modern`. */
export async function startMcpUpstream(
  era: Era,
  first: UpstreamTool[] = [],
  tls: ServerOptions = testAuthority.issue(['localhost']),
  own?: () => McpServer,
) {
  const state = { era, tools: first, page_size: 1_000 };
  const views: { current: UpstreamViews } = { current: {} };
  const requests: Recorded[] = [];
  const unfinished = new Set<ServerResponse>();
  /** Set: it answers instead of the MCP server, unless it returns false. */
  const fault: { handle: ((request: Recorded, response: ServerResponse) => boolean) | null } = { handle: null };
  const list = (cursor: unknown) => {
    const from = Number(cursor ?? 0);
    const page = state.tools.slice(from, from + state.page_size).map(({ definition }) => definition);
    const next = from + state.page_size;
    return { tools: page as any[], ...(next < state.tools.length ? { nextCursor: String(next) } : {}) };
  };
  const find = (name: string) => {
    const tool = state.tools.find(({ definition }) => definition.name === name);
    if (!tool) throw Object.assign(new Error(`Unknown tool: ${name}`), { code: -32602 });
    return tool;
  };
  const legacy = legacySessions(list, find, views);
  const serving = {
    modern: modernHandler(list, find, views, 'stateless', own),
    modern_only: modernHandler(list, find, views, 'reject', own),
    legacy: legacy.serve,
  };

  const server = createServer(tls, (incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const message = text === '' ? null : JSON.parse(text);
    const recorded = { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, message };
    requests.push(recorded);
    unfinished.add(response);
    response.once('close', () => unfinished.delete(response));
    if (fault.handle?.(recorded, response)) return;
    await serving[state.era](incoming, response, message);
  }
  const port = await listenOnFreePort(server);
  return {
    url: `https://127.0.0.1:${port}/mcp`,
    /** As an entry of TOOLGATE_EGRESS_ALLOW. */
    address: `127.0.0.1:${port}`,
    requests,
    /** Responses that have not ended and whose connection is open. */
    unfinished,
    fault,
    set(tools: UpstreamTool[]): void {
      state.tools = tools;
    },
    setViews(given: UpstreamViews): void {
      views.current = given;
    },
    /** From now on it speaks another revision, as after an upgrade: it knows no session any more. */
    speak(other: Era): void {
      state.era = other;
      legacy.sessions.clear();
    },
    setPageSize(size: number): void {
      state.page_size = size;
    },
    calls: () => requests.filter(({ message }) => message?.method === 'tools/call'),
    sessions: legacy.sessions,
    /** Forgets every session, as a server does that was started again. */
    restart: () => legacy.sessions.clear(),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

type List = (cursor: unknown) => { tools: any[]; nextCursor?: string };
type Find = (name: string) => UpstreamTool;

type Views = { current: UpstreamViews };

const listViews = ({ current }: Views) => ({
  resources: Object.entries(current).map(([uri, { listed }]) => ({
    uri,
    name: uri,
    ...(listed ? { _meta: listed } : {}),
  })) as any[],
});

function readView({ current }: Views, uri: string) {
  const view = current[uri];
  if (!view) throw Object.assign(new Error('Unknown resource'), { code: -32602 });
  return { contents: [{ uri, mimeType: 'text/html;profile=mcp-app', ...view.content }] as any[] };
}

function modernHandler(list: List, find: Find, views: Views, older: 'stateless' | 'reject', own?: () => McpServer) {
  const headersOf = new WeakMap<Request, IncomingHttpHeaders>();
  const handler = createMcpHandler(
    ({ requestInfo }: any) => {
      if (own) return own();
      const server = new Server({ name: 'upstream', version: '1' }, { capabilities: { tools: {}, resources: {} } });
      const uncached = { ttlMs: 0, cacheScope: 'private' as const };
      server.setRequestHandler('resources/list', () => ({ ...listViews(views), ...uncached }));
      server.setRequestHandler('resources/read', ({ params }: any) => ({
        ...readView(views, params.uri),
        ...uncached,
      }));
      server.setRequestHandler('tools/list', ({ params }: any) => ({
        ...list(params?.cursor),
        ttlMs: 0,
        cacheScope: 'private',
      }));
      server.setRequestHandler('tools/call', async ({ params }: any, context: any) => {
        const token = params._meta?.progressToken;
        return (await find(params.name).run({
          arguments: params.arguments ?? {},
          meta: params._meta ?? {},
          params: {
            ...params,
            inputResponses: context.mcpReq.inputResponses,
            requestState: context.mcpReq.requestState?.(),
          },
          headers: (requestInfo && headersOf.get(requestInfo)) ?? {},
          signal: context.mcpReq.signal,
          progress: (progress, total, message) =>
            context.mcpReq.notify({
              method: 'notifications/progress',
              params: { progressToken: token, progress, total, ...(message === undefined ? {} : { message }) },
            }),
        })) as any;
      });
      return server;
    },
    { legacy: older },
  );
  return async (incoming: IncomingMessage, response: ServerResponse, message: unknown) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const request = new Request(`https://${incoming.headers.host}${incoming.url}`, {
      method: incoming.method ?? 'POST',
      headers: new Headers(incoming.headers as Record<string, string>),
      ...(message === null ? {} : { body: JSON.stringify(message) }),
      signal: gone.signal,
    });
    headersOf.set(request, incoming.headers);
    const responded = await handler.fetch(request, message === null ? {} : { parsedBody: message });
    response.writeHead(responded.status, Object.fromEntries(responded.headers));
    for await (const part of responded.body ?? []) response.write(part);
    response.end();
  };
}

function legacySessions(list: List, find: Find, views: Views) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  async function open(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const server = new LegacyServer({ name: 'upstream', version: '1' }, { capabilities: { tools: {}, resources: {} } });
    server.setRequestHandler(ListResourcesRequestSchema, () => listViews(views));
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readView(views, params.uri));
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => list(params?.cursor));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      const meta = (params._meta ?? {}) as Record<string, unknown>;
      const headers = (extra.requestInfo?.headers ?? {}) as IncomingHttpHeaders;
      return (await find(params.name).run({
        arguments: params.arguments ?? {},
        meta,
        params,
        headers,
        signal: extra.signal,
        progress: (progress, total, message) => {
          const progressToken = meta.progressToken as string;
          return extra.sendNotification({
            method: 'notifications/progress',
            params: { progressToken, progress, total, ...(message === undefined ? {} : { message }) },
          });
        },
      })) as any;
    });
    await server.connect(transport as Transport);
    return transport;
  }
  return {
    sessions,
    async serve(incoming: IncomingMessage, response: ServerResponse, message: any): Promise<void> {
      const id = incoming.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (!known && message?.method !== 'initialize') {
        const status = id === undefined ? 400 : 404;
        const error = { code: -32000, message: 'Session not found' };
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
        return;
      }
      await (known ?? (await open())).handleRequest(incoming, response, message ?? undefined);
    },
  };
}
