// The custom headers of a webhook: they reach its receiver, and nobody else ever reads a value.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createJobs } from '../../src/jobs.ts';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { type ReceivedRequest, startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const receiver = await startCustomer();
const thief = await startCustomer();
after(() => Promise.all([receiver.close(), thief.close()]));
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${receiver.address},${thief.address}` });
const { api, app } = server;
const tenant = await makeTenant(server);
const { keys } = tenant;
const list = `/projects/${tenant.id}/webhooks`;

const TOKEN = 'gw-7f3c/9a+token=value';
const AUTHORIZATION = `Bearer ${TOKEN}`;
const headers = { Authorization: AUTHORIZATION, 'X-Gateway-Tenant': 'shop one' };

const make = (fields: object = {}) =>
  makeWebhook(server, receiver, tenant.id, { events: ['project.updated'], headers, ...fields });
const patch = (id: string, body: object, key = keys.webhook) => api('PATCH', `${list}/${id}`, { key, body });

/** The request of a ping, as the receiver got it. */
async function pinged(id: string): Promise<ReceivedRequest | undefined> {
  const { event_id } = expectResponse(await api('POST', `${list}/${id}/ping`, { key: keys.webhook }), 201);
  await server.runJobs();
  const requests = [...receiver.requests, ...thief.requests];
  return requests.find(({ headers }) => headers['webhook-id'] === event_id);
}

async function lastAttempt(id: string) {
  const [delivery] = expectResponse(await api('GET', `${list}/${id}/deliveries`, { key: keys.read }), 200).data;
  const shown = expectResponse(await api('GET', `${list}/${id}/deliveries/${delivery.id}`, { key: keys.admin }), 200);
  return shown.attempts[0];
}

test('every delivery of a webhook has its headers: events, retries and redeliveries', async () => {
  const webhook = await make();
  receiver.respond(webhook.path, { status: 500 });
  expectResponse(await api('PATCH', `/projects/${tenant.id}`, { key: keys.write, body: { name: 'other' } }), 200);
  await server.runJobs();
  receiver.respond(webhook.path, { status: 200 });
  server.advance(60_000);
  await server.runJobs();
  const [delivery] = expectResponse(await api('GET', `${list}/${webhook.id}/deliveries`, { key: keys.read }), 200).data;
  expectResponse(
    await api('POST', `${list}/${webhook.id}/deliveries/${delivery.id}/redeliver`, { key: keys.webhook }),
    200,
  );
  await server.runJobs();
  const received = receiver.at(webhook.path);
  assert.equal(received.length, 3);
  for (const request of received) {
    assert.equal(request.headers.authorization, AUTHORIZATION);
    assert.equal(request.headers['x-gateway-tenant'], 'shop one');
    assert.match(String(request.headers['webhook-signature']), /^v1,/);
  }
});

test('answers, lists, deliveries, events and the audit log have the names of the headers and no value', async () => {
  const body = { url: `${receiver.url}/shown`, events: ['project.updated'], headers };
  const idempotent = { key: keys.webhook, body, headers: { 'idempotency-key': 'with-headers' } };
  const made = await api('POST', list, idempotent);
  const again = await api('POST', list, idempotent);
  const { id, header_names } = expectResponse(made, 201);
  assert.deepEqual(header_names, ['Authorization', 'X-Gateway-Tenant']);
  const changed = await patch(id, { headers: { 'X-Key': TOKEN } });
  assert.deepEqual(expectResponse(changed, 200).header_names, ['X-Key']);
  await pinged(id);
  const { request_headers } = await lastAttempt(id);
  assert.equal(request_headers['X-Key'], '[secret]');
  receiver.respond('/shown', { status: 410 });
  await pinged(id);
  server.advance(60_000);
  await server.runJobs();
  const responses = [made, again, changed];
  for (const path of ['', `/${id}`, `/${id}/deliveries`])
    responses.push(await api('GET', list + path, { key: keys.admin }));
  for (const path of ['events', 'audit-log'])
    responses.push(await api('GET', `/projects/${tenant.id}/${path}`, { key: keys.admin }));
  assert.match(responses.at(-2)?.text ?? '', /webhook\.disabled.*X-Key/s);
  assert.match(responses.at(-1)?.text ?? '', /webhook\.updated.*X-Key/s);
  for (const { text } of responses) assert.ok(!text.includes(TOKEN), text);
});

test('no table holds a value of a header as text', async () => {
  const webhook = await make();
  await pinged(webhook.id);
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(app.database);
  for (const { name } of rows) {
    const found = await sql`
      select from ${sql.table(name)} as stored where stored::text like ${`%${TOKEN}%`}`.execute(app.database);
    assert.equal(found.rows.length, 0, name);
  }
});

test('a receiver that repeats the request gets no value of a header into the delivery log', async () => {
  const webhook = await make();
  const base64 = Buffer.from(AUTHORIZATION).toString('base64');
  receiver.respond(webhook.path, ({ headers }) => ({
    headers: { 'x-said': String(headers.authorization) },
    body: { headers, token: TOKEN, base64 },
  }));
  await pinged(webhook.id);
  const { response_headers, response_body } = await lastAttempt(webhook.id);
  assert.match(response_headers['x-said'], /\*{6}/);
  assert.match(response_body, /\*{6}/);
  for (const text of [response_headers['x-said'], response_body])
    for (const form of [TOKEN, base64.slice(0, 20), 'shop one']) assert.ok(!text.includes(form), text);
});

test('the log has no value of a header, also when the receiver is not reached', async () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(line, _, done) {
      lines.push(String(line));
      done();
    },
  });
  const webhook = await make();
  receiver.respond(webhook.path, { reset: true });
  expectResponse(await api('POST', `${list}/${webhook.id}/ping`, { key: keys.webhook }), 201);
  const jobs = createJobs({ ...app, log: pino({ level: 'debug' }, sink) });
  await jobs.runDue();
  await jobs.stop();
  assert.match(lines.join(''), /a webhook was not reached/);
  assert.ok(!lines.join('').includes(TOKEN));
});

test('an update without headers keeps them, with {} it removes them, and with others it replaces all', async () => {
  const webhook = await make();
  const kept = expectResponse(await patch(webhook.id, { description: 'the shop' }), 200);
  assert.deepEqual(kept.header_names, Object.keys(headers));
  assert.equal((await pinged(webhook.id))?.headers.authorization, AUTHORIZATION);
  expectResponse(await patch(webhook.id, { headers: { 'X-Key': 'another' } }), 200);
  const replaced = await pinged(webhook.id);
  assert.deepEqual([replaced?.headers.authorization, replaced?.headers['x-key']], [undefined, 'another']);
  assert.deepEqual(expectResponse(await patch(webhook.id, { headers: {} }), 200).header_names, []);
  const bare = await pinged(webhook.id);
  assert.deepEqual([bare?.headers['x-key'], bare?.headers['content-type']], [undefined, 'application/json']);
});

test('an update with the headers that a webhook has changes nothing', async () => {
  const webhook = await make();
  const { updated_at } = expectResponse(await patch(webhook.id, { headers }), 200);
  assert.equal(updated_at, webhook.updated_at);
  assert.notEqual(
    expectResponse(await patch(webhook.id, { headers: { ...headers, Authorization: 'Basic other' } }), 200).updated_at,
    updated_at,
  );
});

test('stored headers never go to another origin: they must be given again with its url', async () => {
  const webhook = await make();
  const moved = { url: `${thief.url}/hook` };
  const { error } = expectResponse(await patch(webhook.id, moved), 422, 'Validation error');
  assert.equal(error.details.field, 'headers');
  assert.match(error.details.problems[0].message, /sent again when the origin of url changes/);
  assert.equal((await pinged(webhook.id))?.path, webhook.path);
  assert.equal(thief.requests.length, 0);

  // Another path of the same origin moves nothing, and neither does another spelling of it.
  expectResponse(await patch(webhook.id, { url: `${receiver.url.replace('https', 'HTTPS')}/other` }), 200);
  assert.equal((await pinged(webhook.id))?.headers.authorization, AUTHORIZATION);
  expectResponse(await patch(webhook.id, { ...moved, headers: { 'X-Key': 'for the other host' } }), 200);
  const request = await pinged(webhook.id);
  assert.deepEqual([request?.headers['x-key'], request?.headers.authorization], ['for the other host', undefined]);
  expectResponse(await patch(webhook.id, { url: receiver.url, headers: {} }), 200);
  expectResponse(await patch(webhook.id, moved), 200);
});

test('headers cannot be read once the url was changed in the database, and nothing is sent', async () => {
  const webhook = await make();
  const before = thief.requests.length;
  await sql`update webhooks set url = ${`${thief.url}/stolen`} where id = ${webhook.id}`.execute(app.database);
  assert.equal(await pinged(webhook.id), undefined);
  assert.equal(thief.requests.length, before);
  assert.deepEqual((await lastAttempt(webhook.id)).error, 'secret');
});

test('headers that were copied from another webhook, or damaged, cannot be read: the attempt fails as for a secret', async () => {
  const [webhook, other] = [await make(), await make({ headers: { 'X-Key': 'of the other' } })];
  for (const value of [sql`(select headers from webhooks where id = ${other.id})`, sql`'damaged'`]) {
    await sql`update webhooks set headers = ${value} where id = ${webhook.id}`.execute(app.database);
    assert.equal(await pinged(webhook.id), undefined);
    const { error, request_headers } = await lastAttempt(webhook.id);
    assert.deepEqual([error, request_headers], ['secret', {}]);
  }
  // Giving them again repairs it.
  expectResponse(await patch(webhook.id, { headers }), 200);
  assert.equal((await pinged(webhook.id))?.headers.authorization, AUTHORIZATION);
});

const reserved = [
  'Host',
  'content-type',
  'Content-Length',
  'content-anything',
  'Connection',
  'keep-alive',
  'transfer-encoding',
  'TE',
  'trailer',
  'upgrade',
  'Expect',
  'proxy-authorization',
  'Proxy-Anything',
  'User-Agent',
  'accept-encoding',
  'traceparent',
  'tracestate',
  'webhook-id',
  'Webhook-Anything',
  'x-webhook-signature',
  'X-Webhook-Test',
  'x-toolgate-member-id',
];

/** Creates and changes; returns the field that was named. */
async function refusedField(given: unknown): Promise<string> {
  const webhook = await makeWebhook(server, receiver, tenant.id, { events: ['project.updated'] });
  const body = { url: `${receiver.url}/refused`, events: ['project.updated'], headers: given };
  const created = await api('POST', list, { key: keys.webhook, body });
  const changed = await patch(webhook.id, { headers: given });
  for (const { text } of [created, changed]) assert.ok(!text.includes(TOKEN), text);
  const [one, other] = [created, changed].map((response) => expectResponse(response, 422).error.details.field);
  assert.equal(one, other);
  await api('DELETE', `${list}/${webhook.id}`, { key: keys.admin });
  return one;
}

test('a header that the service sets, or that changes the framing or the signature, is refused and named', async () => {
  for (const name of reserved) assert.equal(await refusedField({ [name]: TOKEN }), `headers.${name}`);
});

test('a wrong name, a wrong value and too many headers are refused, named, and no value is repeated', async () => {
  const long = 'x'.repeat(65);
  const wrong: [headers: unknown, field: string][] = [
    [{ '': TOKEN }, 'headers.'],
    [{ 'a b': TOKEN }, 'headers.a b'],
    [{ 'a:b': TOKEN }, 'headers.a:b'],
    [{ 'a\r\nb': TOKEN }, 'headers.a\r\nb'],
    [{ grün: TOKEN }, 'headers.grün'],
    [{ [long]: TOKEN }, `headers.${long}`],
    [{ 'X-Key': TOKEN, 'x-kEY': TOKEN }, 'headers.x-kEY'],
    [{ 'X-Key': '' }, 'headers.X-Key'],
    [{ 'X-Key': ` ${TOKEN}` }, 'headers.X-Key'],
    [{ 'X-Key': `${TOKEN}\r\nX-Other: 1` }, 'headers.X-Key'],
    [{ 'X-Key': `${TOKEN}\t` }, 'headers.X-Key'],
    [{ 'X-Key': `${TOKEN}€` }, 'headers.X-Key'],
    [{ 'X-Key': TOKEN.padEnd(1025, 'x') }, 'headers.X-Key'],
    [{ 'X-Key': [TOKEN] }, 'headers.X-Key'],
    [{ 'X-Key': null }, 'headers.X-Key'],
    [TOKEN, 'headers'],
    [[TOKEN], 'headers'],
    [null, 'headers'],
    [Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`x-${n}`, TOKEN])), 'headers'],
  ];
  for (const [given, field] of wrong) assert.equal(await refusedField(given), field);
});

test('the longest names and values, and ten of them, are sent', async () => {
  const names = Array.from({ length: 10 }, (_, n) => `x-${n}`.padEnd(64, '!#$%&*+.^_`|~'));
  const webhook = await make({ headers: Object.fromEntries(names.map((name) => [name, 'v'.repeat(1024)])) });
  const request = await pinged(webhook.id);
  for (const name of names) assert.equal(request?.headers[name], 'v'.repeat(1024));
});

test('__proto__ is no header, and names of other members of an object are headers like any', async () => {
  const text = `{"url":"${receiver.url}/odd","events":["project.updated"],"headers":{"__proto__":"${TOKEN}"}}`;
  const refused = await api('POST', list, { key: keys.webhook, body: text });
  assert.equal(expectResponse(refused, 400).error.details.field, '__proto__');
  const odd = { constructor: 'one', toString: 'two', hasOwnProperty: 'three', prototype: 'four' };
  const webhook = await make({ headers: odd });
  assert.deepEqual(webhook.header_names, Object.keys(odd));
  const request = await pinged(webhook.id);
  for (const [name, value] of Object.entries(odd))
    assert.equal(Object.getOwnPropertyDescriptor(request?.headers, name.toLowerCase())?.value, value, name);
});

test('a webhook key of another project learns nothing of the headers', async () => {
  const webhook = await make();
  const other = await makeTenant(server);
  const { key } = await makeKey(server, other.id, ['webhook', 'read']);
  expectResponse(await api('GET', `/projects/${other.id}/webhooks/${webhook.id}`, { key }), 404);
  expectResponse(
    await api('PATCH', `/projects/${other.id}/webhooks/${webhook.id}`, { key, body: { headers: {} } }),
    404,
  );
});
