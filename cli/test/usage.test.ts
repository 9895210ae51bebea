// What all commands share: where the key comes from, exit codes, what goes to stdout and stderr, and that no key is shown.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { makeProject, makeTenant } from '../../server/test/support/make/make.ts';
import { makeIntegration } from '../../server/test/support/make/make-members.ts';
import { freePort } from '../../server/test/support/servers/free-port.ts';
import { ROOT_KEY, startServer } from '../../server/test/support/servers/start-server.ts';
import { createClient, runOnTerminal, runToolgate } from './run-toolgate.ts';
import { runOnPseudoTerminal, runProcess, startProcess } from './toolgate-process.ts';

const root = join(import.meta.dirname, '../..');
const ESCAPE = String.fromCharCode(27);
const server = await startServer();
const tenant = await makeTenant(server);
const integration = await makeIntegration(server, tenant.id, { name: 'Läden 東京\u001b[2J\nsecond line' });
const nowhere = `http://127.0.0.1:${await freePort()}`;
const client = createClient(server.url, tenant.keys.admin);

test('npx toolgate runs in the folder of the project: --version prints the version alone, --help names every group', () => {
  const npx = (argument: string) => spawnSync('npx', ['toolgate', argument], { cwd: root, encoding: 'utf8' });
  const { version } = JSON.parse(readFileSync(join(root, 'cli/package.json'), 'utf8'));
  assert.deepEqual([npx('--version').stdout, npx('--version').status], [`${version}\n`, 0]);
  const { stdout, status } = npx('--help');
  assert.equal(status, 0);
  for (const name of [
    'start',
    'doctor',
    'tools',
    'webhooks',
    'backup',
    'apply',
    '--url',
    '--key',
    '--project',
    '--json',
  ])
    assert.ok(stdout.includes(`  ${name} `), name);
});

test('what is unknown, missing or malformed is exit code 2, before anything is sent', async () => {
  const { fails } = createClient(nowhere, tenant.keys.admin);
  const wrong = [
    ['explode'],
    ['projects', 'explode'],
    ['--explode'],
    ['tools', 'list', '--explode'],
    ['tools', 'list', 'extra'],
    ['tools', 'call'],
    ['tools', 'call', 'x', '--arg', 'no-value'],
    ['tools', 'list', '--limit', 'many'],
    ['tools', 'list', '--enabled', 'maybe'],
    ['tools', 'create', '--name', 'x'],
    ['tools', 'import'],
    ['tools', 'import', 'x', '--on-conflict', 'shrug'],
    ['tools', 'import', 'x', '--include', 'color=red'],
    ['tools', 'create', '--secret-env', 'NOT_IN_THE_ENVIRONMENT'],
    ['webhooks', 'update', 'x', '--header-env', 'X-Key=NOT_IN_THE_ENVIRONMENT'],
    ['webhooks', 'update', 'x', '--header-env', 'X-Key'],
    ['webhooks', 'listen', '--forward', 'ftp://x'],
    ['apply'],
    ['completion', 'cmd'],
    ['tools', 'list', '--url', 'not an address'],
  ];
  for (const args of wrong) await fails(args, 2);
  const { code, stderr } = await runProcess(['tools', 'list'], { TOOLGATE_URL: nowhere });
  assert.equal(code, 2);
  assert.match(stderr, /set TOOLGATE_API_KEY or --key/);
});

test('what the API refuses, and a server that is not there, are exit code 1 with the code, the request and the remedy', async () => {
  const words = await client.fails(['tools', 'get', 'tool_none'], 1);
  assert.match(words, /NOT_FOUND, req_\w+\]\n\w.*\nhttp\S+#\S+\n$/);
  const unknown = await createClient(server.url, `${tenant.keys.admin.slice(0, -1)}_`).fails(['tools', 'list'], 1);
  assert.match(unknown, /INVALID_API_KEY, req_\w+\]\nSend an active API key .*\nhttp\S+#invalid_api_key\n$/);
  const named = ['tools', 'create', '--name', 'x', '--base-url', 'https://api.example.com', '--path', '/'];
  const problems = await client.fails([...named, '--set', 'timeout_ms=-1', '--set', 'color=red'], 1);
  assert.match(problems, /^ {2}timeout_ms: \w/m);
  assert.match(problems, /^ {2}color: \w/m);
  await client.fails(['tools', 'import', '/no/such/file.json'], 1);
  const asProcess = createClient(nowhere, tenant.keys.admin, {}, runProcess);
  assert.match(await asProcess.fails(['tools', 'list'], 1), /127\.0\.0\.1/);
});

test('options come before the variables; --json is taken before and after the command', async () => {
  const { run } = createClient(nowhere, 'svc_test_wrong', { TOOLGATE_PROJECT: 'prj_wrong' });
  const options = ['--url', server.url, '--key', ROOT_KEY, '--project', tenant.id];
  for (const args of [
    ['integrations', 'list', ...options, '--json'],
    [...options, '--json', 'integrations', 'list'],
  ]) {
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout)[0].id, integration.id);
  }
});

test('the root key works on the project of TOOLGATE_PROJECT, and says so when there are several and none is named', async () => {
  await makeProject(server);
  assert.match(await createClient(server.url, ROOT_KEY).fails(['tools', 'list'], 2), /several projects.*--project/);
  const named = createClient(server.url, ROOT_KEY, { TOOLGATE_PROJECT: tenant.id });
  assert.equal((await named.json(['integrations', 'list'])).length, 1);
});

test('without a terminal a row is one line with tabs, and control characters of a name are written as escapes', async () => {
  const { stdout } = await client.run(['integrations', 'list']);
  const [line = '', ...more] = stdout.trimEnd().split('\n');
  assert.deepEqual(more, []);
  assert.deepEqual(line.split('\t').slice(0, 2), [integration.id, 'Läden 東京\\u001b[2J second line']);
});

test('on a terminal a table has titles and aligned columns, in color unless NO_COLOR is set', async () => {
  const colored = await runOnPseudoTerminal(['integrations', 'list'], client.environment);
  assert.ok(colored.stdout.includes(`${ESCAPE}[1mID`), colored.stdout);
  const [titles = '', row = ''] = stripVTControlCharacters(colored.stdout).split('\r\n');
  assert.match(titles, /^ID +NAME +DESCRIPTION/);
  assert.equal(row.indexOf('Läden'), titles.indexOf('NAME'));
  const plain = await runOnTerminal(['integrations', 'list'], { ...client.environment, NO_COLOR: '1' });
  assert.ok(!plain.stdout.includes(ESCAPE), plain.stdout);
});

test('the key is not in the list of processes, not in an error and not in a mistyped option', async () => {
  const args = ['webhooks', 'listen', '--key', tenant.keys.admin, '--url', server.url];
  const listening = startProcess(args);
  await listening.says('Waiting for events');
  const shown = readFileSync(`/proc/${listening.pid}/cmdline`, 'utf8');
  assert.ok(!shown.includes(tenant.keys.admin), shown);
  assert.equal((await listening.interrupt()).code, 0);

  const mistyped = [[`--kye=${tenant.keys.admin}`], [tenant.keys.admin], ['tools', 'list', `--kye=${ROOT_KEY}`]];
  for (const given of mistyped) {
    const { code, stderr } = await runToolgate(given, { TOOLGATE_API_KEY: ROOT_KEY, TOOLGATE_URL: server.url });
    assert.equal(code, 2);
    assert.ok(!stderr.includes(tenant.keys.admin) && !stderr.includes(ROOT_KEY), stderr);
  }
  // A header cannot have a line break, and the message of the runtime repeats it.
  const broken = `${tenant.keys.admin}\nx`;
  const { code, stderr, stdout } = await runToolgate(['tools', 'list'], {
    TOOLGATE_API_KEY: broken,
    TOOLGATE_URL: server.url,
  });
  assert.ok(code !== 0 && !(stdout + stderr).includes(tenant.keys.admin), stderr);
});

test('a reader that leaves early, such as head, is no error', () => {
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', 'set -o pipefail; "$0" cli/bin/toolgate.cjs --help | head -n 1', process.execPath],
    { cwd: root, encoding: 'utf8' },
  );
  assert.deepEqual([status, stderr], [0, '']);
});

test('under an older Node it runs with the Node of the packages; without one, and without npm, it says what to do', () => {
  // Only this process believes to be Node 20: the one that it starts is what it is.
  const older = "Object.defineProperty(process.versions, 'node', { value: '20.1.0' });";
  const run = (folder: string, env = process.env) => {
    const bin = JSON.stringify(join(folder, 'cli/bin/toolgate.cjs'));
    const code = `${older} process.argv = [process.argv[0], '', '--version']; require(${bin});`;
    return spawnSync(process.execPath, ['-e', code], { cwd: folder, encoding: 'utf8', env });
  };
  const name = `node-${process.platform}-${process.arch}`;
  const pinned = join(root, 'node_modules', name);
  const alone = mkdtempSync(join(tmpdir(), 'toolgate-launcher-'));
  after(() => rmSync(alone, { recursive: true }));
  for (const file of ['package.json', 'cli/bin/toolgate.cjs']) cpSync(join(root, file), join(alone, file));
  const without = run(alone, { PATH: '' });
  assert.equal(without.status, 1);
  assert.match(without.stderr, /toolgate needs Node 24 or newer; this is v[\d.]+\. Install it.*https:\/\/nodejs\.org/);
  if (existsSync(pinned)) assert.match(without.stderr, new RegExp(`npm i ${name}@24`));
  const { version } = JSON.parse(readFileSync(join(root, 'cli/package.json'), 'utf8'));
  const withPackages = run(root);
  if (existsSync(join(pinned, 'bin/node'))) assert.equal(withPackages.stdout, `${version}\n`, withPackages.stderr);
  else assert.match(withPackages.stderr, /toolgate needs Node 24 or newer/);
});
