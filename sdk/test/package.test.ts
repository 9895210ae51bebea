// The package as a customer gets it: built, packed, installed into an empty project, used on every Node of this machine.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { build as bundle } from 'esbuild';
import fastify from 'fastify';
import { publint } from 'publint';
import { CONSUMER, REFUSED } from './consumer-types.ts';

const sdk = join(import.meta.dirname, '..');
const modules = join(sdk, '../node_modules');
const scratch = mkdtempSync(join(tmpdir(), 'toolgate-sdk-'));
const project = join(scratch, 'project');
const installed = join(project, 'node_modules/@toolgate/sdk');
let tarball = '';
after(() => rmSync(scratch, { recursive: true, force: true }));

function run(command: string, args: string[], cwd = project): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  assert.ifError(error);
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}
const tsc = (...args: string[]) => run(process.execPath, [join(modules, 'typescript/bin/tsc'), ...args]);

before(() => {
  const output = join(scratch, 'build');
  mkdirSync(project);
  run(process.execPath, [join(sdk, '../packaging/build.ts'), '--only', 'sdk', '--output', output]);
  run('npm', ['pack', '--pack-destination', scratch], join(output, 'sdk'));
  tarball = join(scratch, readdirSync(scratch).find((file) => file.endsWith('.tgz')) ?? '');
  writeFileSync(join(project, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
  run('npm', ['install', tarball, '--offline', '--no-audit', '--no-fund']);
});

test('the package has code, types, README and license, in at most 100 kB, and no dependencies', () => {
  assert.ok(statSync(tarball).size <= 100_000, `${statSync(tarball).size} bytes`);
  assert.deepEqual(readdirSync(installed).sort(), ['LICENSE', 'README.md', 'dist', 'package.json']);
  const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    files.filter((file) => !/^[\w/-]+(\.d\.ts|\.js|\.js\.map)?$/.test(file)),
    [],
  );
  assert.deepEqual(
    readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['@toolgate'],
  );
});

test('publint and arethetypeswrong find nothing', async () => {
  const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
  assert.deepEqual(messages, []);
  const attw = createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json');
  run(process.execPath, [join(dirname(attw), 'dist/index.js'), tarball, '--profile', 'esm-only']);
});

test('a strict consumer compiles, in Node and in a bundler, with the types of browsers or of Node; misspelt fields do not', () => {
  writeFileSync(join(project, 'consumer.ts'), CONSUMER);
  writeFileSync(join(project, 'refused.ts'), REFUSED);
  const browser = { lib: ['es2022', 'dom', 'dom.iterable'], types: [] };
  const node = { lib: ['es2022'], types: ['node'], typeRoots: [join(modules, '@types')] };
  const kinds = [
    { ...browser, module: 'nodenext' },
    { ...browser, module: 'esnext', moduleResolution: 'bundler' },
    { ...node, module: 'nodenext' },
    { ...node, module: 'node16', moduleResolution: 'node16' },
  ];
  for (const [i, kind] of kinds.entries()) {
    const strict = {
      target: 'es2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    };
    const config = { compilerOptions: { ...strict, ...kind }, files: ['consumer.ts', 'refused.ts'] };
    writeFileSync(join(project, `tsconfig.${i}.json`), JSON.stringify(config));
    tsc('--project', `tsconfig.${i}.json`);
  }
});

test('esbuild bundles it for browsers without a warning, and the bundle uses nothing of Node', async () => {
  writeFileSync(join(project, 'page.js'), "import * as sdk from '@toolgate/sdk';\nconsole.log(sdk);\n");
  const { warnings, outputFiles } = await bundle({
    absWorkingDir: project,
    entryPoints: ['page.js'],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  assert.deepEqual(warnings, []);
  const [{ text = '' } = {}] = outputFiles;
  assert.doesNotMatch(text, /\b(require\(|node:|process\.|Buffer\.)/);
});

test('a stack trace of an error inside of it leads to the line of the TypeScript', () => {
  const code =
    "import { verifyWebhook } from '@toolgate/sdk'; await verifyWebhook({ secret: '', headers: {}, body: '' });";
  writeFileSync(join(project, 'fails.js'), code);
  const { status, stderr } = spawnSync(process.execPath, ['--enable-source-maps', 'fails.js'], {
    cwd: project,
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  const [, file = '', line] = /@toolgate\/sdk\/(src\/[\w/-]+\.ts):(\d+):\d+/.exec(stderr) ?? [];
  assert.match(
    readFileSync(join(sdk, file), 'utf8').split('\n')[Number(line) - 1] ?? '',
    /new \w*Error|throw /,
    stderr,
  );
});

const USE = `
import assert from 'node:assert/strict';
import * as sdk from '@toolgate/sdk';
const answer = { object: 'list', data: [{ id: 'prj_1' }], has_more: false, next_cursor: null };
const toolgate = new sdk.Toolgate({ apiKey: 'k', baseUrl: 'http://a.test', fetch: async () => Response.json(answer) });
assert.equal((await toolgate.projects.list()).data[0].id, 'prj_1');
for (const [algorithm, parameters] of [['ES256', { name: 'ECDSA', namedCurve: 'P-256' }], ['Ed25519', 'Ed25519']]) {
  const { privateKey } = await crypto.subtle.generateKey(parameters, true, ['sign', 'verify']);
  const names = { kid: 'k', projectId: 'p', memberId: 'm', algorithm };
  assert.equal((await sdk.signMemberAssertion({ ...names, privateKey })).split('.').length, 3);
  const jwk = await crypto.subtle.exportKey('jwk', privateKey);
  assert.equal((await sdk.signMemberAssertion({ ...names, privateKey: jwk })).split('.').length, 3);
}
const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
const jwe = await sdk.sealSecret({ publicKey: await crypto.subtle.exportKey('jwk', publicKey), secret: 's' });
assert.equal(jwe.split('.').length, 5);
await assert.rejects(sdk.verifyToolRequest({ secret: 's', method: 'GET', url: '/', headers: {}, body: '' }), { reason: 'missing_header' });
console.log(process.version);
`;

test('the installed package works on this Node and on every other one of the machine', (context) => {
  writeFileSync(join(project, 'use.js'), USE);
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const others = folders.map((folder) => join(folder, 'node')).filter((path) => existsSync(path));
  const versions = [process.execPath, ...others].map((node) => run(node, ['use.js']).trim());
  context.diagnostic(`used on Node ${[...new Set(versions)].join(', ')}`);
  assert.equal(versions[0], process.version);
});

/** Writes a block of the README to a file that can be imported. */
function block(name: string): string {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const code = new RegExp(`^\`\`\`js ${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readme)?.[1];
  assert.ok(code, `the README has no block ${name}`);
  const path = join(project, `${name}.js`);
  writeFileSync(path, code);
  return path;
}

const TOOL_SECRET = 'secret of the tool';
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
Object.assign(process.env, { TOOL_SECRET, WEBHOOK_SECRET });

type Receive = (request: Request) => Response | Promise<Response>;

const now = () => String(Math.floor(Date.now() / 1000));

function toolRequest(base: string): Request {
  const body = '{"city":"Zürich"}';
  const headers = {
    'content-type': 'application/json',
    'x-toolgate-timestamp': now(),
    'x-toolgate-request-id': 'call_1',
    'x-toolgate-project-id': 'prj_1',
    'x-toolgate-member-id': 'Zo%C3%AB',
  };
  const hash = createHash('sha256').update(body).digest('hex');
  const head = ['v1', headers['x-toolgate-timestamp'], 'call_1', 'POST', new URL(base).host, '/v1/orders', 'a=%27b'];
  const canonical = [...head, hash, 'prj_1', '', 'Zo%C3%AB'].join('\n');
  const signature = `v1=${createHmac('sha256', TOOL_SECRET).update(canonical).digest('hex')}`;
  const all = { ...headers, 'x-toolgate-signature': signature };
  return new Request(`${base}/v1/orders?a=%27b`, { method: 'POST', headers: all, body });
}

function webhook(base: string): Request {
  const body = '{"id":"evt_1","type":"ping"}';
  const time = now();
  const key = Buffer.from(WEBHOOK_SECRET.slice(6), 'base64');
  const signature = createHmac('sha256', key).update(`evt_1.${time}.${body}`).digest('base64');
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
  return new Request(`${base}/webhooks/toolgate`, { method: 'POST', headers, body });
}

async function changed(request: Request): Promise<Request> {
  return new Request(request, { body: `${await request.text()} ` });
}

async function receives(base: string, receive: Receive): Promise<void> {
  const accepted = await receive(toolRequest(base));
  assert.deepEqual([accepted.status, await accepted.json()], [200, { member: 'Zoë', given: { city: 'Zürich' } }]);
  assert.equal((await receive(webhook(base))).status, 204);
  for (const make of [toolRequest, webhook]) {
    const refused = await receive(await changed(make(base)));
    assert.deepEqual([refused.status, await refused.json()], [401, { reason: 'mismatch' }]);
  }
}

test('README: the examples for Express, Fastify, Hono and Next.js accept what toolgate signed and refuse what was changed', async () => {
  for (const name of ['express', 'hono']) symlinkSync(join(modules, name), join(project, 'node_modules', name));
  mock.method(console, 'log', () => {});

  const { app } = await import(block('express'));
  const server = app.listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  await receives(`http://127.0.0.1:${server.address().port}`, fetch);

  const instance = fastify();
  after(() => instance.close());
  await instance.register((await import(block('fastify'))).toolgateRoutes);
  await receives(await instance.listen({ host: '127.0.0.1', port: 0 }), fetch);

  const hono = (await import(block('hono'))).app;
  await receives('https://api.example.com', (request) => hono.request(request));

  const [orders, hooks] = [await import(block('next-orders')), await import(block('next-webhook'))];
  await receives('https://api.example.com', (request) =>
    (request.url.includes('/v1/orders') ? orders : hooks).POST(request),
  );
  mock.restoreAll();
});

test('README: every other block of JavaScript can be imported', async () => {
  const names = [...readFileSync(join(installed, 'README.md'), 'utf8').matchAll(/^```js (\S+)$/gm)].map(
    ([, name]) => name,
  );
  assert.ok(names.length > 8);
  // The block `client` calls a server; live.test.ts has its calls.
  for (const name of names.filter((each) => each !== 'client')) await import(block(`${name}`));
});
