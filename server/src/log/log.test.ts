// No secret is ever logged, whichever field it comes in (rules 14).

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';

const log_ts = join(import.meta.dirname, 'log.ts');

type Line = {
  time: string;
  level: string;
  msg: string;
  err: { [field: string]: unknown; cause?: { message: string } };
};

/** Node's arguments for a process that runs this script with a log. */
const argumentsFor = (script: string) => [
  '--input-type=module',
  '-e',
  `import { createLog } from ${JSON.stringify(log_ts)}; const log = createLog('info'); ${script}`,
];

/** Returns the lines that the script logs. */
function lines(script: string): Line[] {
  const { stdout, stderr, status } = spawnSync(process.execPath, argumentsFor(script), {
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  });
  assert.equal(status, 0, stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const planted = {
  'an API key': `svc_live_${'a1B2'.repeat(9)}`,
  'a test key': `svc_test_${'a1B2'.repeat(9)}`,
  'a session token': `svc_mst_${'a1B2'.repeat(9)}`,
  'an OAuth client secret': `svc_ocs_${'a1B2'.repeat(9)}`,
  'a root key': `svc_root_${'a1B2'.repeat(9)}`,
  'a webhook secret': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'a JWT': 'eyJhbGciOiJFUzI1NiIsImtpZCI6ImsxIn0.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl',
  'a bearer': 'Bearer 0123456789abcdef0123456789abcdef',
  'a private key':
    '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----',
  'a database URL': 'postgres://toolgate:hunter2hunter2@db.example.com/toolgate',
};

for (const [what, secret] of Object.entries(planted)) {
  test(`${what} is redacted in messages, fields and errors`, () => {
    const given = JSON.stringify(secret);
    const written = lines(`
      const secret = ${given};
      const error = new Error('refused ' + secret, { cause: new Error('because of ' + secret) });
      Object.assign(error, { detail: 'Key (hash)=(' + secret + ')', headers: { authorization: secret }, query: secret });
      log.info('the value was ' + secret);
      log.info({ note: secret, deep: { note: [secret] } }, 'a field');
      log.error({ err: error }, 'failed');
      log.error(error);
      log.warn({ err: secret }, 'not even an error');
    `);
    assert.equal(written.length, 5);
    const core = secret.replace(/^(postgres:\/\/toolgate:|Bearer )/, '').slice(0, 30);
    const text = written.map((line) => JSON.stringify(line)).join('\n');
    assert.ok(!text.includes(JSON.stringify(core).slice(1, -1)), text);
    assert.ok(!text.includes('hunter2'), text);
  });
}

/** Returns the text that the script logs when its stdout is as a terminal says it is. */
function terminalText(script: string, environment: Record<string, string> = {}, format = 'auto'): string {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import tty from 'node:tty';
      import { createLog } from ${JSON.stringify(log_ts)};
      const { getColorDepth } = tty.WriteStream.prototype;
      Object.assign(process.stdout, { isTTY: true, getColorDepth });
      const log = createLog('info', '${format}');
      ${script}`,
    ],
    { encoding: 'utf8', env: { TERM: 'xterm-256color', ...environment } },
  );
  assert.equal(status, 0, stderr);
  return stdout;
}

const ESCAPE = String.fromCharCode(27);

test('on a terminal a line is colored text with its time, level, message and fields', () => {
  const script = `log.warn({ status: 502, code: null, reason: 'two words', id: 'call_1' }, 'careful');`;
  assert.ok(terminalText(script).includes(`${ESCAPE}[33mWARN ${ESCAPE}[39m careful`));
  const plain = /^\d\d:\d\d:\d\d\.\d{3} WARN {2}careful status=502 reason="two words" id=call_1\n$/;
  assert.match(stripVTControlCharacters(terminalText(script)), plain);
  assert.match(terminalText(script, { NO_COLOR: '1' }), plain);
});

test('on a terminal a request is one short text, its status colored by its class, and its id last', () => {
  const request = (status: number, route: string | null) =>
    `log.info({ request_id: 'req_1', method: 'GET', route: ${JSON.stringify(route)}, status: ${status}, code: null, duration_ms: 12.345, caller: 'root' }, 'request');`;
  const text = terminalText(request(200, '/api/v1/projects') + request(404, null) + request(502, '/api/v1/mcp'));
  for (const status of ['[32m200', '[33m404', '[31m502']) assert.ok(text.includes(`${ESCAPE}${status}`), text);
  const plain = stripVTControlCharacters(text).split('\n');
  assert.match(
    plain[0] as string,
    /^[\d:.]{12} INFO {2}GET \/api\/v1\/projects 200 12 ms caller=root request_id=req_1$/,
  );
  assert.match(plain[1] as string, /GET \(no route\) 404 12 ms/);
});

test('TOOLGATE_LOG_FORMAT=json writes JSON on a terminal, and pretty writes uncoloured text to a pipe', () => {
  assert.equal(JSON.parse(terminalText(`log.info('one');`, {}, 'json')).msg, 'one');
  const { stdout } = spawnSync(process.execPath, argumentsFor(`createLog('info', 'pretty').info('two');`), {
    encoding: 'utf8',
    env: {},
  });
  assert.match(stdout, /^[\d:.]{12} INFO {2}two\n$/);
});

test('on a terminal the stack and the cause of an error are below its line, indented', () => {
  const text = terminalText(`log.error({ err: new TypeError('broken', { cause: new Error('deeper') }) }, 'failed');`, {
    NO_COLOR: '1',
  });
  assert.match(
    text,
    /^\S+ ERROR failed\n {4}TypeError: broken\n {8}at .*\n(?: .*\n)* {4}caused by\n {4}Error: deeper\n/,
  );
});

test('on a terminal no value can forge a line or send control characters', () => {
  const evil = JSON.stringify('a\n12:00:00.000 INFO forged\r\u001b[2J\u009b2J\u202e');
  const text = terminalText(
    `const evil = ${evil};
    log.info({ [evil]: evil, deep: [evil] }, evil);
    log.error({ err: new Error(evil) }, 'failed');`,
    { NO_COLOR: '1' },
  );
  assert.doesNotMatch(text, /[^\P{Cc}\n]|\p{Cf}/u);
  const unindented = text.split('\n').filter((line) => line !== '' && !line.startsWith('    '));
  assert.equal(unindented.length, 2, text);
});

for (const [what, secret] of Object.entries(planted)) {
  test(`${what} is redacted on a terminal`, () => {
    const text = terminalText(`
      const secret = ${JSON.stringify(secret)};
      log.error({ err: new Error('refused ' + secret), note: secret }, 'the value was ' + secret);
    `);
    const core = secret.replace(/^(postgres:\/\/toolgate:|Bearer )/, '').slice(0, 20);
    assert.ok(!text.includes(core), text);
    assert.ok(!text.includes('hunter2') && !text.includes('MC4CAQAwBQYDK2VwBCIEIJ'), text);
    assert.ok(text.includes('[secret]'));
  });
}

test('an error is logged by name, code, message, stack and cause only', () => {
  const [line] = lines(`
    const error = Object.assign(new TypeError('broken', { cause: new Error('deeper') }), { code: '23505', detail: 'Key (name)=(Jane) exists' });
    log.error({ err: error }, 'failed');
  `);
  assert.deepEqual(Object.keys(line?.err ?? {}).sort(), ['cause', 'code', 'message', 'name', 'stack']);
  assert.equal(line?.err.code, '23505');
  assert.equal(line?.err.cause?.message, 'deeper');
});

test('a line break in a value does not start a new line', () => {
  const written = lines(`log.info({ name: 'x\\n{"level":"error","msg":"forged"}' }, 'one\\r\\ntwo');`);
  assert.equal(written.length, 1);
});

test('each line has a time, a level and a message', () => {
  const [line] = lines(`log.warn('careful');`);
  assert.match(line?.time ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual([line?.level, line?.msg], ['warn', 'careful']);
});

test('each line has its own time, to the millisecond', () => {
  const written = lines(`
    for (const ms of [0, 7, 42, 999, 1000, 1000, 86_400_000, 5]) {
      Date.now = () => 1_790_000_000_000 + ms;
      log.info('now');
    }
  `);
  const expected = [0, 7, 42, 999, 1000, 1000, 86_400_000, 5].map((ms) =>
    new Date(1_790_000_000_000 + ms).toISOString(),
  );
  assert.deepEqual(
    written.map(({ time }) => time),
    expected,
  );
});

test('every line arrives complete and in order, at any length and in any script', () => {
  const written = lines(`
    for (let i = 0; i < 3_000; i += 1) log.info(i + ' ' + 'aé漢😀'.repeat(i % 100));
    log.info('3000 ' + '漢'.repeat(100_000));
    log.info('3001 ');
    await new Promise(setImmediate);
    for (let i = 3_002; i < 6_000; i += 1) log.info(i + ' ' + 'aé漢😀'.repeat(i % 100));
  `);
  const expected = (i: number) =>
    `${i} ${i === 3_000 ? '漢'.repeat(100_000) : i === 3_001 ? '' : 'aé漢😀'.repeat(i % 100)}`;
  assert.equal(written.length, 6_000);
  for (const [i, { msg }] of written.entries()) assert.equal(msg, expected(i));
});

test('a line is written without waiting for the next one', async () => {
  const child = spawn(process.execPath, argumentsFor(`log.info('alone'); setInterval(() => {}, 60_000);`));
  const [line] = await once(child.stdout, 'data');
  assert.equal(JSON.parse(line).msg, 'alone');
  child.kill('SIGKILL');
});

test('the service continues when the reader of its log closes the pipe', async () => {
  const child = spawn(
    process.execPath,
    argumentsFor(`
      log.info('first');
      process.stdin.once('data', () => {
        for (let i = 0; i < 5_000; i += 1) log.info('this line has no reader');
        setImmediate(() => process.exit(7));
      });
    `),
  );
  await once(child.stdout, 'data');
  child.stdout.destroy();
  child.stdin.write('go');
  assert.deepEqual(await once(child, 'exit'), [7, null]);
});

/** Logs 64 MB, reports its memory to the parent, and exits when it is told to. */
const flood = `
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 64_000; i += 1) {
    log.info({ i }, 'x'.repeat(1_000));
    if (i % 100 === 0) await new Promise(setImmediate);
  }
  process.send({ queued: process.stdout.writableLength, grown: process.memoryUsage().rss - before });
  process.once('message', () => process.exit(7));
`;
function spawnFlood(t: TestContext): ChildProcess {
  const child = spawn(process.execPath, argumentsFor(flood), { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

test('when stdout is open and is not read, memory stays bounded and the process can exit', async (t) => {
  const child = spawnFlood(t);
  const [{ queued, grown }] = await once(child, 'message');
  assert.ok(queued < 6 * 2 ** 20, `${queued} bytes are queued`);
  assert.ok(grown < 50 * 2 ** 20, `memory grew by ${grown} bytes`);
  child.send('exit');
  assert.deepEqual(await once(child, 'exit'), [7, null]);
});

test('lines that stdout did not take are counted, and the count is logged when it is read again', async (t) => {
  const child = spawnFlood(t);
  await once(child, 'message');
  let text = '';
  child.stdout?.setEncoding('utf8');
  for await (const part of child.stdout ?? []) {
    text += part;
    if (/"(dropped_lines":|i":63999,).*\n/.test(text)) break;
  }
  const written = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const last = written.pop();
  assert.equal(last.level, 'warn');
  assert.equal(written.length + last.dropped_lines, 64_000);
  for (const [i, line] of written.entries()) assert.equal(line.i, i);
});
