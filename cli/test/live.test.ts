// toolgate calls tail and webhooks listen: they show what happens while it happens.

import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { after, test } from 'node:test';
import { SignatureError, verifyWebhook } from '../../sdk/src/index.ts';
import { expectResponse, makeTenant } from '../../server/test/support/make/make.ts';
import { makeIntegration } from '../../server/test/support/make/make-members.ts';
import { execute, makeTool } from '../../server/test/support/make/make-tools.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { freePort, listenOnFreePort } from '../../server/test/support/servers/free-port.ts';
import { ROOT_KEY, startServer } from '../../server/test/support/servers/start-server.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { intervalOf } from '../src/webhook-listen.ts';
import { createClient, startToolgate } from './run-toolgate.ts';
import { startProcess } from './toolgate-process.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeTenant(server);
const { environment } = createClient(server.url, tenant.keys.admin);

test('calls tail prints each new call once, filtered, until Ctrl-C, which is success', async () => {
  const [shown, other] = [
    await makeTool(server, tenant.keys.write, customer),
    await makeTool(server, tenant.keys.write, customer),
  ];
  expectResponse(await execute(server, tenant.keys.write, shown.name), 200);
  const all = startProcess(['calls', 'tail', '--json'], environment);
  const filtered = startToolgate(['calls', 'tail', '--tool', shown.id], environment);
  for (const tail of [all, filtered]) await tail.says('Waiting for calls');
  const calls: string[] = [];
  for (const tool of [other, shown, other, shown])
    calls.push(expectResponse(await execute(server, tenant.keys.write, tool.name), 200).call_id);
  for (const id of calls) await all.line((line) => line.includes(id));
  await filtered.line((line) => line.includes(calls[3] ?? ''));

  const ended = await all.interrupt();
  assert.equal(ended.code, 0, ended.stderr);
  const lines = ended.stdout.trim().split('\n');
  const ids = lines.map((line) => JSON.parse(line).id).filter((id) => calls.includes(id));
  assert.deepEqual(ids.toSorted(), calls.toSorted());
  const rest = await filtered.interrupt();
  assert.deepEqual([rest.code, rest.stdout.includes(other.name)], [0, false]);
});

test('webhooks listen prints each new event once, oldest first, and none from before', async () => {
  const early = await makeIntegration(server, tenant.id);
  const listening = startToolgate(['webhooks', 'listen', '--json', '--interval', '0.1'], environment);
  const chosen = startToolgate(['webhooks', 'listen', '--event', 'integration.deleted'], environment);
  for (const each of [listening, chosen]) await each.says('Waiting for events');
  const made = [await makeIntegration(server, tenant.id), await makeIntegration(server, tenant.id)];
  for (const { id } of made) await listening.line((line) => line.includes(id));
  const path = `/projects/${tenant.id}/integrations/${made[0]?.id}`;
  expectResponse(await server.api('DELETE', path, { key: ROOT_KEY }), 204);
  await chosen.line((line) => line.includes('integration.deleted'));
  await listening.line((line) => line.includes('integration.deleted'));

  const { code, stdout } = await listening.interrupt();
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(code, 0);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['integration.created', 'integration.created', 'integration.deleted'],
  );
  assert.ok(!stdout.includes(early.id), 'an event from before was printed');
  const rest = await chosen.interrupt();
  assert.equal(rest.stdout.trim().split('\n').length, 1);
});

test('--forward posts each event with both signatures of a webhook, made with the secret that is printed', async () => {
  const received: { headers: NodeJS.Dict<string | string[]>; body: Buffer }[] = [];
  const receiver = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      received.push({ headers: incoming.headers, body: Buffer.concat(parts) });
      response.writeHead(204).end();
    });
  });
  after(() => receiver.close());
  const address = `http://127.0.0.1:${await listenOnFreePort(receiver)}/hook`;
  const listening = startToolgate(['webhooks', 'listen', '--json', '--forward', address], environment);
  await listening.says('Waiting for events');
  const secret = /whsec_\S+/.exec(listening.output().stderr)?.[0] ?? '';
  assert.ok(!listening.output().stdout.includes(secret), 'the secret is words, not data');
  const { id } = await makeIntegration(server, tenant.id);
  await waitUntil(async () => received.length === 1, 60_000, 'the event is forwarded');
  await listening.says('got a response with status 204');
  await listening.interrupt();

  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = received;
  const event = await verifyWebhook({ secret, headers, body });
  assert.deepEqual([event.type, (event.data as { id: string }).id], ['integration.created', id]);
  const { 'x-webhook-signature': legacy } = headers;
  const old = { 'x-webhook-signature': legacy };
  assert.equal((await verifyWebhook({ secret, headers: old, body, allowLegacy: true })).id, event.id);
  await assert.rejects(verifyWebhook({ secret: 'whsec_b3RoZXI=', headers, body }), SignatureError);
});

test('a test event is printed and forwarded as a test', async () => {
  const received: unknown[] = [];
  const receiver = createServer((incoming, response) => {
    received.push(incoming.headers['x-webhook-test']);
    response.writeHead(204).end();
  });
  after(() => receiver.close());
  const address = `http://127.0.0.1:${await listenOnFreePort(receiver)}/hook`;
  const webhooks = `/projects/${tenant.id}/webhooks`;
  const body = { url: 'https://hooks.example.com/in', events: ['project.updated'], is_enabled: false };
  const { id } = expectResponse(await server.api('POST', webhooks, { key: ROOT_KEY, body }), 201);
  const listening = startToolgate(['webhooks', 'listen', '--forward', address], environment);
  await listening.says('Waiting for events');
  const type = { type: 'integration.created' };
  expectResponse(await server.api('POST', `${webhooks}/${id}/test-event`, { key: ROOT_KEY, body: type }), 201);
  await listening.line((line) => line.includes('integration.created (test)'));
  const made = await makeIntegration(server, tenant.id);
  await listening.line((line) => line.includes(made.id) && !line.includes('(test)'));
  await waitUntil(async () => received.length === 2, 60_000, 'both are forwarded');
  assert.deepEqual(received, ['true', undefined]);
  assert.equal((await listening.interrupt()).code, 0);
});

test('a receiver that does not answer is reported, and listening goes on', async () => {
  const address = `http://127.0.0.1:${await freePort()}/hook`;
  const listening = startToolgate(['webhooks', 'listen', '--forward', address], environment);
  await listening.says('Waiting for events');
  await makeIntegration(server, tenant.id);
  await listening.says('could not be forwarded: ECONNREFUSED');
  const { id } = await makeIntegration(server, tenant.id);
  await listening.line((line) => line.includes(id));
  assert.equal((await listening.interrupt()).code, 0);
});

test('listening leaves a project two thirds of its requests of an hour, and asks every second where that is enough', () => {
  for (const limit of [100, 1000, 5000, 14_400]) {
    let [seconds, asked] = [0, 0];
    while (seconds < 3600) {
      seconds += intervalOf(limit, asked);
      asked += 1;
    }
    assert.ok(asked <= limit * 0.36 + 1, `${asked} of ${limit}`);
  }
  assert.deepEqual([intervalOf(100, 9), intervalOf(1000, 99), intervalOf(100_000, 50_000)], [1, 1, 1]);
});

test('when the requests of the hour are used up, listening says so and waits', async () => {
  const poor = await makeTenant(server, { plan: 'free' });
  const own = createClient(server.url, poor.keys.admin).environment;
  const listening = startToolgate(['webhooks', 'listen', '--interval', '0.1'], own);
  await listening.says('Rate limit exceeded. Retrying in');
  assert.equal((await listening.interrupt()).code, 0);
});

test('while the server cannot be reached listening waits, and then shows what happened meanwhile', async () => {
  let isDown = false;
  const proxy = createServer((incoming, outgoing) => {
    if (isDown) {
      incoming.socket.destroy();
      return;
    }
    const { method, headers } = incoming;
    const forwarded = request(server.url + incoming.url, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  after(() => proxy.close());
  const url = `http://127.0.0.1:${await listenOnFreePort(proxy)}`;
  const listening = startToolgate(['webhooks', 'listen'], { ...environment, TOOLGATE_URL: url });
  await listening.says('Waiting for events');
  isDown = true;
  await listening.says('Retrying in 2 s');
  const { id } = await makeIntegration(server, tenant.id);
  isDown = false;
  await listening.line((line) => line.includes(id));
  assert.equal((await listening.interrupt()).code, 0);
});
