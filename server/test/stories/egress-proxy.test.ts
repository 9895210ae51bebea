// TOOLGATE_EGRESS_PROXY: everything that a project connects to is reached through the operator's proxy, and a proxy that refuses is named
// in the trace only.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute, makeTool, received } from '../support/make/make-tools.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startEgressProxy } from '../support/peers/egress-proxy.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const customer = await startCustomer();
const proxy = await startEgressProxy();
after(() => Promise.all([customer.close(), proxy.close()]));

const startBehind = (url: string, settings: Record<string, string> = {}) =>
  startServer({ TOOLGATE_EGRESS_ALLOW: customer.address, TOOLGATE_EGRESS_PROXY: url, ...settings });

test('tool calls and webhook deliveries go through the proxy, with its credentials', async () => {
  const server = await startBehind(proxy.url.replace('//', '//gate:secret@'));
  const { keys, id } = await makeTenant(server);
  const tool = await makeTool(server, keys.write, { url: customer.url });
  await received(server, customer, keys.read, tool);
  const asked = proxy.asked.splice(0);
  assert.deepEqual(
    asked.map(({ authority }) => authority),
    [customer.address],
  );
  assert.match(asked[0]?.authorization ?? '', /^Basic /);
  const { path } = await makeWebhook(server, customer, id, { events: ['custom_tool.created'] });
  await makeTool(server, keys.write, { url: customer.url });
  await server.runJobs();
  assert.equal(customer.at(path).length, 1);
  assert.deepEqual(
    proxy.asked.splice(0).map(({ authority }) => authority),
    [customer.address],
  );
});

test('a proxy that refuses is a connection error for callers, and the trace says that it was the proxy', async () => {
  const server = await startBehind(proxy.url);
  const { keys, id } = await makeTenant(server, { environment: 'production' });
  const tool = await makeTool(server, keys.write, { url: customer.url });
  proxy.behave({ status: 403 });
  const refused = await execute(server, keys.read, tool.id);
  proxy.behave({});
  const { error } = expectResponse(refused, 502, 'Upstream tool call failed - connection error');
  assert.deepEqual([error.code, error.details.reason], ['UPSTREAM_CONNECTION', 'upstream_connection']);
  assert.ok(!refused.text.includes('proxy'), refused.text);
  await server.app.batch_writer.flush();
  const trace = await server.api('GET', `/projects/${id}/requests/${error.request_id}`, { key: keys.admin });
  assert.match(JSON.stringify(expectResponse(trace, 200)), /refused by the egress proxy/);
});

const without_tinyproxy = spawnSync('tinyproxy', ['-v']).status !== 0 && 'tinyproxy is not installed';
if (without_tinyproxy && process.env.REQUIRE_TINYPROXY === '1') throw new Error(without_tinyproxy);

test('a call goes through a real tinyproxy that wants a password', { skip: without_tinyproxy }, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-tinyproxy-'));
  const port = await freePort();
  const settings = [`Port ${port}`, 'Listen 127.0.0.1', 'BasicAuth gate secret', `ConnectPort ${customer.port}`];
  const file = join(folder, 'tinyproxy.conf');
  writeFileSync(file, `${settings.join('\n')}\n`);
  const child = spawn('tinyproxy', ['-d', '-c', file], { stdio: 'ignore' });
  context.after(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true });
  });
  await waitUntil(() => accepts(port), 10_000, 'tinyproxy listens');
  const call = async (user: string) => {
    const server = await startBehind(`http://${user}@127.0.0.1:${port}`);
    const { keys } = await makeTenant(server);
    return execute(server, keys.read, (await makeTool(server, keys.write, { url: customer.url })).id);
  };
  assert.equal((await call('gate:secret')).status, 200);
  assert.equal((await call('gate:wrong')).status, 502);
});

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
