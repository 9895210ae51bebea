// Runs the client scenarios of the official conformance suite: the suite is the MCP server, whose tools a project offers and calls.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { listenOnFreePort } from '../support/servers/free-port.ts';
import { startServer, type TestServer } from '../support/servers/start-server.ts';
import type { Revision } from './not-applicable.ts';
import { legacy, modern } from './rpc.ts';
import { type Run, runClientScenario } from './run-conformance.ts';

/** The scenarios that are about tools. */
export const clientScenarios: Record<Revision, readonly string[]> = {
  '2025-11-25': ['initialize', 'tools_call', 'sse-retry', 'json-schema-2020-12-preservation'],
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
    'json-schema-2020-12-preservation',
  ],
};

type Tool = { name: string; inputSchema: { properties?: Record<string, { type?: string }>; required?: string[] } };
type Started = {
  scenario: string;
  url: string;
  context: { toolCalls?: { name: string; arguments: Record<string, unknown> }[] };
};

export async function runClientScenarios(): Promise<Map<Revision, Run>> {
  const proxy = await startPortProxy();
  const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `http://127.0.0.1:${proxy.port}` });
  const control = createServer((incoming, response) => {
    handle(server, proxy.port, incoming).then(
      () => response.end(),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  const port = await listenOnFreePort(control);
  after(() => control.close());
  const command = `${process.execPath} ${join(import.meta.dirname, 'conformance-client.ts')} http://127.0.0.1:${port}`;
  const runs = new Map<Revision, Run>();
  for (const [revision, names] of Object.entries(clientScenarios) as [Revision, readonly string[]][]) {
    const run: Run = { exit_code: 0, output: '', scenarios: new Map() };
    for (const name of names) {
      const one = await runClientScenario(command, name, revision);
      run.exit_code ||= one.exit_code;
      run.output += one.output;
      run.scenarios.set(name, one.scenarios.get(name) ?? []);
    }
    runs.set(revision, run);
  }
  return runs;
}

/** Adds the suite's server to a project, approves what can be approved, and calls every tool. */
async function handle(server: TestServer, proxy_port: number, incoming: IncomingMessage): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  const { url, context }: Started = JSON.parse(Buffer.concat(parts).toString());
  const { port, pathname } = new URL(url);
  const tenant = await makeTenant(server);
  const servers = mcpServersOf(server, tenant);
  const { id } = await servers.make({ url: `http://127.0.0.1:${proxy_port}/${port}${pathname}` }, { slug: 'suite' });
  await servers.sync(id);
  const pending: any[] = await servers.pending(id);
  const tool_names = pending
    .filter(({ warnings }) => !warnings.some(({ code }: { code: string }) => code.endsWith('_not_supported')))
    .map(({ upstream_name }) => upstream_name);
  if (tool_names.length === 0) return;
  await servers.approve(id, { tool_names });
  const listed = expectResponse(await modern(server, tenant.keys.read, 'tools/list'), 200);
  const tools: Tool[] = listed.result.tools;
  const schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
  await Promise.all(
    tools.map(async ({ name, inputSchema }) => {
      const given = context.toolCalls?.find((call) => `suite_${call.name}` === name)?.arguments;
      const sample = { ...argumentsFor(inputSchema), ...echoedSchema(name, schemas) };
      await callUntilDone(server, tenant.keys.read, name, withoutNulls(given ?? sample));
    }),
  );
}

/** A null that the schema does not allow would be refused before it is sent. */
const withoutNulls = (given: object) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

const samples: Record<string, unknown> = { string: 'x', integer: 1, number: 1, boolean: true, object: {}, array: [] };

const argumentsFor = ({ properties = {}, required = [] }: Tool['inputSchema']) =>
  Object.fromEntries(required.map((name) => [name, samples[properties[name]?.type ?? 'string']]));

/** One scenario wants the schema of another tool back, as this client has it. */
const echoedSchema = (name: string, schemas: Map<string, unknown>) =>
  name === 'suite_json_schema_echo' ? { schema: schemas.get('suite_json_schema_2020_12_tool') } : {};

/** As a client whose user says yes to everything. */
async function callUntilDone(server: TestServer, key: string, name: string, given: object): Promise<void> {
  // Arguments with headers of their own are simpler to send without them.
  const send = name.includes('mrtr') ? modern : legacy;
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
  let responses: object = {};
  for (let round = 0; round < 5; round += 1) {
    const params = { name, arguments: given, ...responses, _meta };
    const { result } = (await send(server, key, 'tools/call', params)).body;
    if (result?.resultType !== 'input_required') return;
    const keys = Object.keys(result.inputRequests);
    const inputResponses = Object.fromEntries(
      keys.map((each) => [each, { action: 'accept', content: { confirmed: true } }]),
    );
    responses = { inputResponses, requestState: result.requestState };
  }
}

/** `/8080/mcp` is `http://localhost:8080/mcp`: the suite chooses its ports, and the server may call only named ones. */
async function startPortProxy(): Promise<{ port: number }> {
  const server = createServer((incoming, response) => forward(incoming, response));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: await listenOnFreePort(server) };
}

function forward(incoming: IncomingMessage, response: ServerResponse): void {
  const [, port = '', path = ''] = /^\/(\d+)(\/.*)?$/.exec(incoming.url ?? '') ?? [];
  const { method, headers } = incoming;
  const outgoing = request(
    { hostname: 'localhost', port, path: path || '/', method, headers: { ...headers, host: `localhost:${port}` } },
    (upstream) => {
      response.writeHead(upstream.statusCode as number, upstream.headers);
      upstream.pipe(response);
    },
  );
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}
