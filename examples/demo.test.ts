// npm run demo, as a person runs it: its steps, its end, and that nothing is left of it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listenOnFreePort } from '../server/test/support/servers/free-port.ts';
import { waitUntil } from '../server/test/support/wait-until.ts';

const root = join(import.meta.dirname, '..');
const WAIT_MS = 120_000;

function makeTemporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  chmodSync(folder, 0o755);
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** In a process group of its own, so that a signal reaches all of it, as Ctrl-C does. */
function startDemo(args: string[], environment: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('npm', ['run', 'demo', '--', ...args], {
    cwd: root,
    env: { PATH, HOME, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const interrupt = () => process.kill(-(child.pid as number), 'SIGINT');
  const ended = once(child, 'close').then(([code]) => code as number | null);
  after(() => {
    if (child.exitCode === null && child.signalCode === null) interrupt();
  });
  const closeOutput = () => child.stdout.destroy();
  return { output: () => text, interrupt, ended, closeOutput };
}

/** On Linux: processes that use this folder. The temporary folder is in the environment of all that the demo starts. */
function processesOf(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const read = (get: () => string) => {
    try {
      return get();
    } catch {
      return ''; // ended, or of another user
    }
  };
  return pids.filter((pid) =>
    [
      read(() => readFileSync(`/proc/${pid}/environ`, 'latin1')),
      read(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1')),
      read(() => readlinkSync(`/proc/${pid}/cwd`)),
    ].some((text) => text.includes(folder)),
  );
}

function assertNothingLeft(folder: string): void {
  assert.deepEqual(processesOf(folder), [], 'processes');
  assert.deepEqual(
    readdirSync(folder).filter((name) => name !== 'node-compile-cache'),
    [],
    'files',
  );
}

test('the demo shows every step, in its order, and leaves no process and no file', async () => {
  const folder = makeTemporary();
  // A setting of the person's own server: its port, which is taken.
  const taken = createServer();
  const PORT = String(await listenOnFreePort(taken));
  after(() => taken.close());
  const { output, ended } = startDemo([], { TMPDIR: folder, PORT, TOOLGATE_DEFAULT_PLAN: 'nonsense' });
  assert.equal(await ended, 0, output());
  const steps = [
    /^1\. The shop starts/m,
    /^ {3}https:\/\/127\.0\.0\.1:\d+/m,
    /^2\. toolgate starts/m,
    /^ {3}http:\/\/127\.0\.0\.1:\d+/m,
    /^ {3}Project prj_/m,
    /^ {3}Tools registered: find_products, place_order, my_orders/m,
    /^ {3}MCP client connected .* with an API key\. Tools: find_products/m,
    /^ {3}\[model\] calls find_products \{"search":"tea"\}/m,
    /^ {3}\[shop\] GET \/v1\/products: signature verified, for nobody/m,
    /^ {3}\[model\] gets \{"products":\[\{"id":"tea"/m,
    /^\d+\. The shop signs a member assertion/m,
    /^\d+\. The assertion is exchanged for a session token/m,
    /^ {3}\[shop\] POST \/v1\/orders: signature verified, for the member ana/m,
    /^ {3}\[model\] gets \{"id":"order-1"/m,
    /^ {3}\[shop\] GET \/v1\/orders: signature verified, for the member ana/m,
    /^ {3}\[model\] gets \{"orders":\[\{"id":"order-1"/m,
    /^ {3}\[model\] calls my_orders \{"member_id":"bruno"\}/m,
    /^ {3}\[model\] gets an error: Reserved variable cannot be provided as user input/m,
    /^ {3}GET \/api\/v1\/projects\/\{id\}\/requests\/req_/m,
    /^ +arguments +failed: reserved_variable\./m,
    /^ +upstream +not_reached/m,
    /^ {3}\[somebody\] gets 401 \{"reason":"missing_header"\}/m,
    /^ {3}The shop received tool_call\.failed \(my_orders, RESERVED_VARIABLE\)\. The SDK verified/m,
    /^Done\./m,
  ];
  let rest = output();
  for (const step of steps) {
    const found = step.exec(rest);
    assert.ok(found, `${step} is not in\n${rest}`);
    rest = rest.slice(found.index + found[0].length);
  }
  assert.doesNotMatch(output(), /^\s+at .*:\d+:\d+\)?$/m, 'a stack trace');
  assert.doesNotMatch(output(), /svc_|whsec_|PRIVATE KEY/, 'a secret');
  assertNothingLeft(folder);
});

test('with --keep the demo goes on with live traffic, prints what works, and Ctrl-C ends and removes it', async () => {
  const folder = makeTemporary();
  const { output, ended, interrupt } = startDemo(['--keep'], { TMPDIR: folder });
  const live = ['[ana] place_order', '[bruno] place_order', '[shop] webhook tool_call.failed: signature verified'];
  await waitUntil(async () => live.every((line) => output().includes(line)), WAIT_MS, 'live traffic');
  const commands = [...output().matchAll(/curl (?:-N )?(http\S+) -H '(Authorization): (Bearer \S+)'/g)];
  assert.equal(commands.length, 3);
  for (const [, url = '', header = '', value = ''] of commands) {
    const isCall = url.endsWith('/execute');
    const headers = { [header]: value, ...(isCall ? { 'content-type': 'application/json' } : {}) };
    const body = JSON.stringify({ arguments: { search: 'mug' } });
    const response = await fetch(url, isCall ? { method: 'POST', headers, body } : { headers });
    assert.equal(response.status, 200, url);
    // The stream stays open: also with such a reader, Ctrl-C ends the demo.
    if (!url.endsWith('/stream')) await response.text();
  }
  const [, url = '', email, password] = /^ +Dashboard (\S+) .*sign in as (\S+) with (\S+)\)$/m.exec(output()) ?? [];
  const signIn = await fetch(new URL('/api/v1/account/sign-in', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  assert.equal(signIn.status, 200, 'the password of the dashboard');
  const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const project = await fetch(url.replace('/projects/', '/api/v1/projects/'), { headers: { cookie } });
  assert.equal(project.status, 200, 'the project of the demo');
  interrupt();
  assert.equal(await ended, 0, output());
  assert.match(output(), /Stopped\. Nothing is left\.\n$/);
  assertNothingLeft(folder);
});

test('Ctrl-C while toolgate starts ends the demo with 130, and leaves nothing', async () => {
  const folder = makeTemporary();
  const { output, ended, interrupt } = startDemo([], { TMPDIR: folder });
  const postgres = () => globSync('*/data/postgres/postmaster.pid', { cwd: folder });
  await waitUntil(async () => postgres().length > 0, WAIT_MS, 'the start of PostgreSQL');
  interrupt();
  assert.equal(await ended, 130, output());
  assertNothingLeft(folder);
});

test('a demo whose output is no longer read ends and leaves nothing', async () => {
  const folder = makeTemporary();
  const { output, ended, closeOutput } = startDemo(['--keep'], { TMPDIR: folder });
  await waitUntil(async () => output().includes('3. The operator'), WAIT_MS, 'toolgate runs');
  closeOutput();
  await ended;
  assertNothingLeft(folder);
});

test('a demo that fails says why in one line and ends with 1', async () => {
  const { output, ended } = startDemo([], { TMPDIR: '/dev/null/temporary' });
  assert.equal(await ended, 1, output());
  assert.match(output(), /^The demo failed: ENOTDIR.*temporary/m);
  assert.doesNotMatch(output(), /^\s+at .*:\d+:\d+\)?$/m);
});

test('an unknown option is refused with the usage', async () => {
  const { output, ended } = startDemo(['--kep'], {});
  assert.equal(await ended, 2, output());
  assert.match(output(), /'--kep'.*\nUsage: npm run demo \[-- --keep\]/);
});
