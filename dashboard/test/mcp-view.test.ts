// "Try it" shows a call as an MCP client sees it: the same as the server answers to one.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Toolgate } from '../../sdk/src/index.ts';
import { callTool, legacy } from '../../server/test/mcp/rpc.ts';
import { makeKey } from '../../server/test/support/make/make.ts';
import { makeOwner } from '../../server/test/support/make/make-accounts.ts';
import { makeTool } from '../../server/test/support/make/make-tools.ts';
import { type CustomerResponse, startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { startServer } from '../../server/test/support/servers/start-server.ts';

/** Not a name that the compiler follows: pages have the types of a browser, tests those of Node. */
const view: string = '../src/features/custom-tools/try/mcp.ts';
const { mcpResponse, mcpRequest } = await import(view);

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
// The project is the owner's, who tries its tools, and has keys for MCP.
const owner = await makeOwner(server);
const { key } = await makeKey(server, owner.project.id);
const asOwner: typeof fetch = (url, init) =>
  fetch(url, { ...init, headers: { ...init?.headers, cookie: owner.cookie, origin: server.url } });
const toolgate = new Toolgate({
  ...{ apiKey: null, baseUrl: server.url, projectId: owner.project.id, maxRetries: 0 },
  fetch: asOwner,
});

const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]);
const cases: [what: string, response: CustomerResponse, tool?: object, given?: Record<string, unknown>][] = [
  ['an object', { body: { total: 3 } }],
  ['a list', { body: [1, 2] }],
  ['text', { body: 'shipped', headers: { 'content-type': 'text/plain' } }],
  ['no content', { status: 204 }],
  ['an image', { body: bytes, headers: { 'content-type': 'image/png' } }],
  ['a file', { body: bytes, headers: { 'content-type': 'application/pdf' } }],
  ['a refusal of the API', { status: 404, body: { error: 'no such order' } }],
  ['an outage of the API', { status: 503, body: 'down' }],
  ['a connection that the API resets', { reset: true }],
  ['wrong arguments', {}, { input_schema: { type: 'object', required: ['id'] } }],
  ['a reserved argument', {}, {}, { member_id: 'x' }],
  ['a disabled tool', {}, { is_enabled: false }],
  ['a missing member', {}, { require_member: true }],
];

for (const [what, response, fields = {}, given = {}] of cases) {
  test(`the MCP view of a call is what an MCP client gets: ${what}`, async () => {
    const tool = await makeTool(server, key, customer, fields);
    customer.respond(tool.endpoint_path, response);
    const run = await toolgate.customTools.execute(tool.name, given).then(
      (result) => ({ result, error: null }),
      (error: unknown) => ({ result: null, error }),
    );
    const real = await callTool(legacy, server, key, tool.name, given, { id: 1 });
    const shown = mcpResponse(tool.name, run);
    assert.deepEqual(
      { status: shown?.status, message: plain(shown?.message) },
      { status: real.status, message: plain(real.body) },
    );
  });
}

test('the request of the MCP view is one that the server answers', async () => {
  const tool = await makeTool(server, key, customer);
  customer.respond(tool.endpoint_path, { body: { got: true } });
  const response = await server.api('POST', '/mcp', { key, body: mcpRequest(tool.name, { args: {} }) });
  assert.deepEqual(response.body.result.structuredContent, { got: true });
});

/** Without what differs between two calls, their ids, times, links and the usage; and without what the REST result does not have. */
function plain(message: unknown): unknown {
  const text = JSON.stringify(message, (name, value) => {
    if (name === 'toolgate/usage' || (name === 'data' && value.reason === 'unknown_tool')) return undefined;
    return name === 'toolgate/call_id' || name === 'request_id' || (name === 'data' && typeof value === 'string')
      ? '…'
      : value;
  });
  return JSON.parse(text.replaceAll(/(call|fil)_\w{10,}|token=[^",]+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…'));
}
