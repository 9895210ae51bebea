// The links of files and of uploads are credentials: their tokens are in the responses that hand them out, and nowhere else. Not in
// the log, a trace, an error, an event, a recorded payload, or what a hook gets, and not in the database.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { App } from '../../src/app.ts';
import { openPool } from '../../src/database/connection.ts';
import { callTool, modern } from '../mcp/rpc.ts';
import { findInDatabase } from '../support/database/find-in-database.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { writeAuthorityFile } from '../support/peers/write-authority-file.ts';
import { startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const { url: DATABASE_URL, drop } = await copyTemplate();
after(drop);
const pool = openPool({ connectionString: DATABASE_URL }, { size: 2, connect_timeout_ms: 60_000 });
after(() => pool.end());
const customer = await startCustomer();
after(() => customer.close());

/** What authenticates a link, without what anybody may know: the id, or when it expires. */
const secretOf = (link: string) => link.split('.').at(-1) as string;

test('the token of a link or of an upload is in no log line, trace, error, event, payload or row', async () => {
  const server = await startProcess({
    DATABASE_URL,
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_MASTER_KEYS: MASTER_KEY,
    TOOLGATE_LOG_LEVEL: 'debug',
    TOOLGATE_EGRESS_ALLOW: customer.address,
    NODE_EXTRA_CA_CERTS: writeAuthorityFile(),
  });
  after(() => server.stop('SIGKILL'));
  const { id, keys } = await makeTenant(server);
  const settings = { record_payloads: true };
  expectResponse(await server.api('PATCH', `/projects/${id}/settings`, { key: keys.admin, body: settings }), 200);
  await makeHook(server, customer, id, { points: ['before', 'after'] });
  const file = { type: 'string', format: 'file' };
  const [returning, taking] = [
    await makeTool(server, keys.write, customer),
    await makeTool(server, keys.write, customer, {
      body_format: 'multipart',
      input_schema: { type: 'object', properties: { report: file }, required: ['report'] },
    }),
  ];
  for (const { endpoint_path } of [returning, taking])
    customer.respond(endpoint_path, { headers: { 'content-type': 'application/pdf' }, body: Buffer.from('%PDF-1.7') });

  const once = { 'idempotency-key': 'once' };
  const links: string[] = [];
  for (const headers of [once, once, {}])
    links.push(expectResponse(await execute(server, keys.read, returning.id, {}, headers), 200).file.url);
  links.push((await callTool(modern, server, keys.read, returning.name)).body.result.structuredContent.file.url);
  const uploads: string[] = [expectResponse(await execute(server, keys.read, taking.id), 409).error.details.upload_url];
  const secrets = new Set([...links, ...uploads].map(secretOf));
  assert.ok(secrets.size >= 3);

  const errors: string[] = [];
  const visit = async (link: string, init: RequestInit = {}) => {
    const { pathname, search } = new URL(link);
    const response = await fetch(server.url + pathname + search, init);
    const text = await response.text();
    if (response.status >= 400) errors.push(text, JSON.stringify([...response.headers]));
    return response.status;
  };
  for (const link of links) {
    assert.equal(await visit(link), 200);
    const { pathname, searchParams } = new URL(link);
    const token = searchParams.get('token');
    for (const wrong of [
      `${pathname}?token=${token}x`,
      `${pathname}?token=1.${secretOf(link)}`,
      `/x${pathname}?token=${token}`,
    ])
      assert.ok((await visit(`http://x${wrong}`)) >= 400);
    for (const method of ['POST', 'DELETE']) assert.ok((await visit(link, { method })) >= 400);
    // In the place of credentials, ids and names.
    const given = secretOf(link);
    for (const path of [`/projects/${id}/files/${token}`, `/projects/${id}/files?name=${given}&cursor=${token}`])
      errors.push((await server.api('GET', path, { key: keys.read })).text);
    errors.push((await server.api('GET', '/projects', { key: token as string })).text);
  }
  for (const link of uploads) {
    assert.equal(await visit(link), 200);
    for (const wrong of [`${link}x`, `${link}/more`, link.replace('/upload/', '/uploads/')])
      assert.ok((await visit(wrong)) >= 400);
    assert.ok((await visit(link, { method: 'PUT' })) >= 400);
    const broken = { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=a' }, body: 'x' };
    assert.ok((await visit(link, broken)) >= 400);
    const form = new FormData();
    form.set('file', new File(['%PDF'], 'a.pdf', { type: 'application/pdf' }));
    assert.equal(await visit(link, { method: 'POST', body: form }), 200);
  }

  const read = (path: string) => server.api('GET', `/projects/${id}${path}`, { key: keys.admin });
  const areLogged = async () => (await read('/tool-calls')).body.data.length >= 4;
  await waitUntil(areLogged, 60_000, 'the calls are in the log');
  const { body: calls } = await read('/tool-calls');
  const paths = ['/tool-calls', '/requests', '/events', '/audit-log', '/approvals'];
  paths.push(...calls.data.map((call: { id: string }) => `/tool-calls/${call.id}`));
  const seen = await Promise.all(paths.map(async (path) => JSON.stringify(expectResponse(await read(path), 200))));
  const told = customer.requests.map(({ headers, body }) => JSON.stringify(headers) + body.toString());
  const rows = await findInDatabase({ pool } as App, [...secrets]);
  await server.stop();
  const output = server.output();
  for (const route of ['/files/:file_id/:name', '/upload/:link'])
    assert.ok(output.includes(route), `the log has no request of ${route}: nothing was tested`);
  for (const secret of secrets) {
    assert.ok(!output.includes(secret), 'a token is in the log');
    for (const text of [...errors, ...seen, ...told]) assert.ok(!text.includes(secret), text);
  }
  assert.deepEqual([...rows.keys()], []);
});
