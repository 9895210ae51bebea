// api_key_query: the secret is a query parameter, and nobody but the customer's API sees it.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { buildServer } from '../../src/routes.ts';
import { callTool, modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute, makeTool, received, toolFields } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { call } from '../support/requests/call-api.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { id: project_id, keys } = await makeTenant(server, { plan: 'pro' });

const SECRET = `it's a se/cret&key=9+(ü)`;
const ENCODED = 'it%27s%20a%20se%2Fcret%26key%3D9%2B(%C3%BC)';
const FORMS = [SECRET, ENCODED, encodeURIComponent(SECRET), new URLSearchParams({ '': SECRET }).toString().slice(1)];
const auth = { auth_strategy: 'api_key_query', encrypted_auth_secret: SECRET };
const make = (fields: object = {}) => makeTool(server, keys.write, customer, { ...auth, ...fields });

function expectNoSecret(text: string): void {
  for (const form of FORMS) assert.ok(!text.includes(form), `${form} in ${text.slice(0, 500)}`);
}

test('the secret is the last parameter of the query, also of a POST, and of one whose path has a query', async () => {
  const sent = async (fields: object, given: object = {}) =>
    (await received(server, customer, keys.read, await make(fields), given)).query;
  const own = { context_in: 'headers' };
  assert.equal(await sent({ ...own, method: 'GET' }, { a: '1' }), `a=1&api_key=${ENCODED}`);
  assert.equal(await sent({ ...own, method: 'POST' }, { a: '1' }), `api_key=${ENCODED}`);
  const named = { ...own, method: 'DELETE', auth_config: { parameter_name: 'auth[key]' } };
  assert.equal(await sent(named), `auth%5Bkey%5D=${ENCODED}`);
  const tool = await make({ ...own, method: 'GET', endpoint_path: '/with-query?v=1' });
  customer.respond('/with-query', { body: {} });
  expectResponse(await execute(server, keys.read, tool.id, { q: 'x' }), 200);
  assert.equal(customer.at('/with-query').at(-1)?.query, `v=1&q=x&api_key=${ENCODED}`);
});

test('an argument of the name of the parameter is 422, in any case and with brackets, and nothing is sent', async () => {
  const tool = await make({ auth_config: { parameter_name: 'key' }, input_schema: { type: 'object' } });
  customer.respond(tool.endpoint_path, { body: {} });
  for (const name of ['key', 'KEY', 'key[]', 'key[a]']) {
    const { error } = expectResponse(await execute(server, keys.read, tool.id, { [name]: 'mine' }), 422);
    assert.equal(error.details.field, name);
    expectNoSecret(JSON.stringify(error));
  }
  assert.equal(customer.at(tool.endpoint_path).length, 0);
});

const refused: [what: string, fields: object][] = [
  ['a property', { input_schema: { type: 'object', properties: { api_key: {} } } }],
  ['a property in another case', { input_schema: { type: 'object', properties: { API_Key: {} } } }],
  ['a fixed argument', { input_schema: { type: 'object' }, fixed_arguments: { api_key: 'x' } }],
  ['a parameter of the path', { endpoint_path: '/a?api_key=1' }],
  ['a reserved variable', { auth_config: { parameter_name: 'Member_Id' } }],
  ['no name', { auth_config: { parameter_name: 'a b' } }],
];
for (const [what, fields] of refused)
  test(`a parameter name that is also ${what} is 422 when the tool is saved`, async () => {
    const body = toolFields('https://api.example.com', { ...auth, ...fields });
    const { error } = expectResponse(await server.api('POST', '/custom-tools', { key: keys.write, body }), 422);
    assert.equal(error.details.field, 'auth_config.parameter_name');
  });

test('a secret is required, and parameter_name belongs to this strategy only', async () => {
  const create = async (fields: object) => {
    const body = toolFields('https://api.example.com', fields);
    return expectResponse(await server.api('POST', '/custom-tools', { key: keys.write, body }), 422).error.details
      .field;
  };
  assert.equal(await create({ auth_strategy: 'api_key_query' }), 'encrypted_auth_secret');
  assert.equal(await create({ ...auth, encrypted_auth_secret: 'a\nb' }), 'encrypted_auth_secret');
  assert.equal(await create({ auth_config: { parameter_name: 'k' } }), 'auth_config.parameter_name');
});

test('the secret is in no result, error, preview, log line, call log, trace, event or audit entry', async () => {
  const lines: string[] = [];
  const out = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logging = await buildServer({ ...server.app, log: pino({ level: 'trace' }, out) });
  await logging.listen({ host: '127.0.0.1', port: 0 });
  after(() => logging.close());
  const url = `http://127.0.0.1:${(logging.server.address() as { port: number }).port}`;
  const settings = { key: keys.admin, body: { record_payloads: true } };
  expectResponse(await server.api('PATCH', `/projects/${project_id}/settings`, settings), 200);
  const tool = await make({ method: 'GET' });
  const seen: string[] = [];
  for (const status of [200, 500]) {
    customer.respond(tool.endpoint_path, (request) => ({ status, body: { asked: request.query, url: SECRET } }));
    seen.push((await call(url, 'POST', `/custom-tools/${tool.id}/execute`, { key: keys.write, body: {} })).text);
    seen.push((await callTool(modern, server, keys.read, tool.name)).text);
  }
  assert.ok(customer.at(tool.endpoint_path).every(({ query }) => query.endsWith(ENCODED)));
  customer.respond(tool.endpoint_path, { status: 302, headers: { location: `/x?api_key=${ENCODED}` } });
  seen.push((await call(url, 'POST', `/custom-tools/${tool.id}/execute`, { key: keys.write, body: {} })).text);
  const preview = await server.api('POST', `/custom-tools/${tool.id}/preview`, { key: keys.write, body: {} });
  assert.ok(expectResponse(preview, 200).url.endsWith('&api_key=[redacted]'), preview.text);
  seen.push(preview.text);
  await server.app.batch_writer.flush();
  const list = async (path: string) => {
    const response = await server.api('GET', path, { key: keys.admin });
    seen.push(response.text);
    return expectResponse(response, 200).data;
  };
  const project = `/projects/${project_id}`;
  for (const path of [
    '/custom-tools',
    `/custom-tools/${tool.id}/versions`,
    `${project}/events`,
    `${project}/audit-log`,
  ])
    assert.ok((await list(path)).length > 0, path);
  const calls = await list(`${project}/tool-calls`);
  assert.ok(calls.length >= 5);
  for (const { id, request_id } of calls)
    for (const path of [`${project}/tool-calls/${id}`, `${project}/requests/${request_id}`]) {
      const one = await server.api('GET', path, { key: keys.admin });
      seen.push(one.text);
      expectResponse(one, 200);
    }
  for (const text of [...seen, ...lines]) expectNoSecret(text);
});
