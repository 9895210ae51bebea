// What the servers of the official SDK share: the gateway of this service (authentication, limit, schema, signature, guard, log),
// with the SDK in place of our MCP endpoint.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenCaller } from '../../server/src/access/caller.ts';
import { type App, openApp } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { FailedCall } from '../../server/src/errors/failed-call.ts';
import { callTool } from '../../server/src/features/tools/calls/call-tool.ts';
import { listToolsForModel } from '../../server/src/features/tools/calls/list-for-model.ts';
import { createServer } from '../../server/src/http/server.ts';
import { createLog } from '../../server/src/log/log.ts';
import { createRequester, leave } from '../../server/src/outbound/requester.ts';

export type SdkTool = { name: string; description?: string; inputSchema: { type: 'object' } };
export type SdkCall = {
  name: string;
  given: Record<string, unknown>;
  argument_bytes: number;
  request_id: string;
  signal: AbortSignal;
};
type SdkResult = { content: { type: 'text'; text: string }[]; structuredContent: Record<string, unknown> };

/** Cached until the project changes, as ours is. The SDK needs objects. */
export async function toolsFor(app: App, caller: TokenCaller): Promise<SdkTool[]> {
  const project_id = caller.project.id;
  const load = async () => {
    const { tools } = await listToolsForModel(app, caller, { after: '', only_listed: false });
    const value = tools.map(({ name, description, input_schema }) => ({
      name,
      description: description ?? '',
      inputSchema: input_schema as { type: 'object' },
    }));
    return { project_id, value };
  };
  return (
    app.cache.get<SdkTool[]>('sdk_tools', project_id) ??
    ((await app.cache.getOrLoad('sdk_tools', project_id, load)) as SdkTool[])
  );
}

export async function call(app: App, caller: TokenCaller, { given, signal, ...rest }: SdkCall): Promise<SdkResult> {
  const transport = { name: 'mcp', client_name: null, protocol_version: null } as const;
  const requester = createRequester();
  signal.addEventListener('abort', () => leave(requester));
  const outcome = await callTool(app, caller, { ...rest, arguments: given, transport, requester });
  if (outcome instanceof FailedCall) throw outcome;
  if (!('body' in outcome)) throw new Error('this tool has no tasks');
  const text = outcome.body.toString();
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
}

type Respond = (app: App, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Serves `respond` as the MCP endpoint, without a database permit for the whole request, like ours. */
export async function serve(respond: Respond): Promise<void> {
  const config = readConfig();
  const { app, close } = await openApp(config, createLog(config.log_level));
  const server = createServer(app);
  server.get('/readyz', { config: { access: 'public' } }, async () => ({ status: 'ok' }));
  const access = { access: 'caller', database_permit: false } as const;
  server.post('/api/v1/mcp', { config: access }, (request, reply) => respond(app, request, reply));
  await server.listen({ host: config.host, port: config.port });
  const stop = async () => {
    await server.close();
    await close();
  };
  process.on('SIGTERM', () => {
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
