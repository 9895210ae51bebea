// toolgate doctor finds what keeps a server from working, and names the command that fixes it.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { copyTemplate } from '../../server/test/support/database/test-database.ts';
import { startEgressProxy } from '../../server/test/support/peers/egress-proxy.ts';
import { freePort, listenOnFreePort } from '../../server/test/support/servers/free-port.ts';
import { makeDataDir, startProcess } from '../../server/test/support/servers/start-process.ts';
import { MASTER_KEY } from '../../server/test/support/servers/start-server.ts';
import { runToolgate } from './run-toolgate.ts';
import { runProcess } from './toolgate-process.ts';

type Check = { name: string; status: string; message: string; fix: string | null };

async function diagnose(settings: Record<string, string>) {
  const { code, stdout, stderr } = await runToolgate(['doctor', '--json'], settings);
  const { is_healthy, checks } = JSON.parse(stdout) as { is_healthy: boolean; checks: Check[] };
  const failed = checks.filter(({ status }) => status === 'fail');
  assert.deepEqual([code, is_healthy], failed.length > 0 ? [1, false] : [0, true], stderr);
  for (const { status, fix } of checks) assert.equal(fix === null, status === 'ok', 'every problem has its fix');
  return { failed: failed.map(({ name }) => name), of: (name: string) => checks.find((check) => check.name === name) };
}

const server = await startProcess();
const settings = { TOOLGATE_DATA_DIR: server.data_dir, PORT: new URL(server.url).port };

test('beside a running server every check is ok or a warning, one line each, and the exit code is 0', async () => {
  const { code, stdout, stderr } = await runProcess(['doctor'], settings);
  assert.equal(code, 0, stdout + stderr);
  const names = stdout
    .trim()
    .split('\n')
    .map((line) => /^(?:ok {2}|warn) {2}([a-z ]+): /.exec(line)?.[1]);
  assert.deepEqual(names, [
    'node',
    'settings',
    'data folder',
    'disk',
    'database',
    'connections',
    'migrations',
    'master key',
    'clock',
    'service',
    'egress',
    'authorities',
    'redis',
  ]);
  assert.equal((await diagnose(settings)).of('redis')?.message, 'not configured');
});

test('a port that another program uses is found, and one on which nothing listens', async () => {
  const other = createServer((_request, response) => response.end('{"status":"ok"}'));
  after(() => other.close());
  const taken = await diagnose({ ...settings, PORT: String(await listenOnFreePort(other)) });
  assert.deepEqual(taken.failed, ['service']);
  assert.match(taken.of('service')?.message ?? '', /is already in use.*not toolgate/);
  const nothing = await diagnose({ ...settings, PORT: String(await freePort()) });
  assert.deepEqual(nothing.failed, ['service']);
  assert.ok(nothing.of('service')?.message.endsWith(`the server of ${server.data_dir} listens on ${server.url}`));
  assert.match(nothing.of('service')?.fix ?? '', /^unset HOST and PORT/);
});

test('a server is found by its data folder, whatever port it listens on', async () => {
  const { failed, of } = await diagnose({ TOOLGATE_DATA_DIR: server.data_dir });
  assert.deepEqual([failed, of('service')?.message], [[], `toolgate is ready on 127.0.0.1:${settings.PORT}`]);
  assert.match(of('egress')?.message ?? '', /^the running server says:/);
});

test('a database that does not answer is found, and its password is not printed', async () => {
  const { code, stdout, stderr } = await runToolgate(['doctor'], {
    ...settings,
    DATABASE_URL: `postgres://toolgate:pass-of-the-test@127.0.0.1:${await freePort()}/toolgate`,
    TOOLGATE_MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  });
  assert.equal(code, 1);
  assert.match(stdout, /^fail {2}database: the database cannot be reached: .*ECONNREFUSED.* → {2}psql/m);
  assert.match(stdout, /^warn {2}clock: not checked/m);
  assert.ok(!(stdout + stderr).includes('pass-of-the-test'));
});

test('settings that are not usable, and a Redis that does not answer, are found', async () => {
  const wrong = await diagnose({ ...settings, PORT: 'x', TOOLGATE_DATADIR: '/tmp' });
  assert.deepEqual(wrong.failed, ['settings']);
  assert.match(wrong.of('settings')?.message ?? '', /PORT.*|TOOLGATE_DATADIR is not a setting/);
  const redis = await diagnose({ ...settings, REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
  assert.equal(redis.of('redis')?.status, 'warn');
});

test('a Redis is asked with PING, after AUTH if the URL has a password, which is not printed', async () => {
  const asked: string[] = [];
  const redis = createTcpServer((socket) => {
    socket.setEncoding('utf8').on('data', (text: string) => {
      asked.push(text);
      const isRefused = text.includes('AUTH') && !text.includes('right-password');
      socket.write(isRefused ? '-WRONGPASS invalid\r\n' : `${text.includes('AUTH') ? '+OK\r\n' : ''}+PONG\r\n`);
    });
  });
  after(() => redis.close());
  const port = await listenOnFreePort(redis);
  const found = async (credentials: string) =>
    (await diagnose({ ...settings, REDIS_URL: `redis://${credentials}127.0.0.1:${port}/0` })).of('redis');
  assert.equal((await found(''))?.status, 'ok');
  assert.equal(asked.at(-1), '*1\r\n$4\r\nPING\r\n');
  assert.equal((await found(':right-password@'))?.status, 'ok');
  const refused = await found(':wrong-password@');
  assert.equal(refused?.status, 'warn');
  assert.match(refused?.message ?? '', /refuses: WRONGPASS/);
  assert.ok(!JSON.stringify(refused).includes('wrong-password'));
});

test('a PostgreSQL that allows fewer connections than the workers may open is a warning', async () => {
  const { url, drop } = await copyTemplate();
  after(drop);
  const connections = async (workers: string) => {
    const own = { ...settings, DATABASE_URL: url, TOOLGATE_MASTER_KEYS: MASTER_KEY, TOOLGATE_WORKERS: workers };
    return (await diagnose(own)).of('connections');
  };
  assert.equal((await connections('1'))?.status, 'ok');
  const few = await connections('64');
  assert.equal(few?.status, 'warn');
  assert.match(few?.message ?? '', /^this server opens at most 1560, but PostgreSQL allows \d+ /);
  assert.match(few?.fix ?? '', /max_connections/);
});

test('an address of the cloud that tools may reach is a warning', async () => {
  const { of } = await diagnose({ ...settings, TOOLGATE_EGRESS_ALLOW: '10.0.0.5:443,169.254.169.254:80' });
  assert.equal(of('egress')?.status, 'warn');
  assert.match(of('egress')?.fix ?? '', /^TOOLGATE_EGRESS_ALLOW=10\.0\.0\.5:443 /);
});

test('an egress proxy that works is ok, and one that refuses the password or does not listen is not', async () => {
  const proxy = await startEgressProxy();
  after(() => proxy.close());
  const checkOf = async (url: string) =>
    (await diagnose({ ...settings, TOOLGATE_EGRESS_PROXY: url })).of('egress proxy');
  proxy.behave({ status: 502 });
  const works = await checkOf(proxy.url.replace('//', '//gate:secret@'));
  assert.deepEqual([works?.status, works?.message.includes('secret')], ['ok', false]);
  proxy.behave({ status: 407 });
  assert.match((await checkOf(proxy.url))?.message ?? '', /other credentials \(407\)$/);
  const dead = await checkOf(`http://127.0.0.1:${await freePort()}`);
  assert.deepEqual([dead?.status, dead?.message.includes('cannot be used')], ['fail', true]);
});

test('the list of the running server is shown, and settings that differ from it are a warning', async () => {
  const list = '10.0.0.0/8,*.localhost,http://127.0.0.1:8080';
  const running = await startProcess({ TOOLGATE_EGRESS_ALLOW: list });
  const same = { TOOLGATE_DATA_DIR: running.data_dir, PORT: new URL(running.url).port, TOOLGATE_EGRESS_ALLOW: list };
  const { of } = await diagnose(same);
  assert.equal(of('egress')?.status, 'ok');
  assert.match(of('egress')?.message ?? '', /^the running server says: .*10\.0\.0\.0\/8, \*\.localhost, http:\/\/127/);
  const other = (await diagnose({ ...same, TOOLGATE_EGRESS_ALLOW: '10.0.0.0/16' })).of('egress');
  assert.equal(other?.status, 'warn');
  assert.match(other?.message ?? '', /^the running server allows 10\.0\.0\.0\/8, .*, these settings 10\.0\.0\.0\/16$/);

  // Asked of the server: the settings of this command have no list.
  const { TOOLGATE_EGRESS_ALLOW: _list, ...without } = same;
  const ask = async (url: string) => {
    const { stdout } = await runToolgate(['doctor', url, '--json'], without);
    return (JSON.parse(stdout) as { checks: Check[] }).checks.find(({ name }) => name === 'url');
  };
  assert.equal((await ask('https://10.1.2.3/orders'))?.status, 'ok');
  assert.equal((await ask('http://127.0.0.1:8080/orders'))?.status, 'ok');
  assert.equal((await ask('https://shop.localhost:8443'))?.status, 'ok');
  for (const [url, why] of [
    ['https://192.168.0.1', /not on the public internet/],
    ['http://10.1.2.3:8080', /not HTTPS, and the list has no http:/],
    [`https://shop.localhost:${same.PORT}`, /it is at 127\.0\.0\.1/],
    ['nonsense', /is not a URL/],
  ] as const) {
    const check = await ask(url);
    assert.equal(check?.status, 'fail', url);
    assert.match(check?.message ?? '', why);
  }
  await running.stop();
});

test('a folder without a database is not touched', async () => {
  const data_dir = makeDataDir();
  const { failed, of } = await diagnose({ TOOLGATE_DATA_DIR: data_dir, PORT: String(await freePort()) });
  assert.deepEqual([failed, of('database')?.status], [['service'], 'warn']);
  assert.deepEqual(readdirSync(data_dir), []);
});

test('a master key that is wrong, damaged or missing is found while the server is stopped, and no key is made', async () => {
  await server.stop();
  const path = join(server.data_dir, 'master.key');
  const text = readFileSync(path, 'utf8');
  const [id] = text.split(':');
  const other = randomBytes(32).toString('base64');
  for (const [content, problem] of [
    [`${id}:${other}`, /is not the key that this database knows by that id/],
    [`another:${other}`, /secrets are encrypted with master key/],
    ['damaged', /cannot be used/],
    [null, /is missing/],
  ] as const) {
    if (content === null) rmSync(path);
    else writeFileSync(path, content);
    const { failed, of } = await diagnose(settings);
    assert.deepEqual(failed, ['master key', 'service']);
    assert.match(of('master key')?.message ?? '', problem);
    assert.ok(!JSON.stringify(of('master key')).includes(other), 'the key is printed');
  }
  assert.ok(!readdirSync(server.data_dir).includes('master.key'));
  writeFileSync(path, text);
  assert.deepEqual((await diagnose(settings)).failed, ['service']);
});
