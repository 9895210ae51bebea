// What is logged never holds a secret, whichever way it got there (rules 14).

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';

const log_ts = join(import.meta.dirname, 'log.ts');

type Line = {
  time: string;
  level: string;
  msg: string;
  err: { [field: string]: unknown; cause?: { message: string } };
};

/** Of a process with this log. */
const argumentsFor = (script: string) => [
  '--input-type=module',
  '-e',
  `import { createLog } from ${JSON.stringify(log_ts)}; const log = createLog('info'); ${script}`,
];

/** The lines that it writes. */
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
  'a root key': `svc_root_${'a1B2'.repeat(9)}`,
  'a webhook secret': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'a JWT': 'eyJhbGciOiJFUzI1NiIsImtpZCI6ImsxIn0.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl',
  'a bearer': 'Bearer 0123456789abcdef0123456789abcdef',
  'a private key':
    '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----',
  'a database URL': 'postgres://toolgate:hunter2hunter2@db.example.com/toolgate',
};

for (const [what, secret] of Object.entries(planted)) {
  test(`${what} is blotted out of messages, fields and errors`, () => {
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

test('an error is logged by name, code, message, place and cause, and nothing else it carries', () => {
  const [line] = lines(`
    const error = Object.assign(new TypeError('broken', { cause: new Error('deeper') }), { code: '23505', detail: 'Key (name)=(Jane) exists' });
    log.error({ err: error }, 'failed');
  `);
  assert.deepEqual(Object.keys(line?.err ?? {}).sort(), ['cause', 'code', 'message', 'name', 'stack']);
  assert.equal(line?.err.code, '23505');
  assert.equal(line?.err.cause?.message, 'deeper');
});

test('a line break in a value cannot begin a line of its own', () => {
  const written = lines(`log.info({ name: 'x\\n{"level":"error","msg":"forged"}' }, 'one\\r\\ntwo');`);
  assert.equal(written.length, 1);
});

test('each line says when, how bad and what', () => {
  const [line] = lines(`log.warn('careful');`);
  assert.match(line?.time ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual([line?.level, line?.msg], ['warn', 'careful']);
});

test('the time is that of the line, to the millisecond', () => {
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

test('every line arrives whole and in order, however long it is and whatever it is written in', () => {
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

test('a line does not wait for the next one', async () => {
  const child = spawn(process.execPath, argumentsFor(`log.info('alone'); setInterval(() => {}, 60_000);`));
  const [line] = await once(child.stdout, 'data');
  assert.equal(JSON.parse(line).msg, 'alone');
  child.kill('SIGKILL');
});

test('the service goes on when nobody reads its log any more', async () => {
  const child = spawn(
    process.execPath,
    argumentsFor(`
      log.info('first');
      process.stdin.once('data', () => {
        for (let i = 0; i < 5_000; i += 1) log.info('nobody reads this line');
        setImmediate(() => process.exit(7));
      });
    `),
  );
  await once(child.stdout, 'data');
  child.stdout.destroy();
  child.stdin.write('go');
  assert.deepEqual(await once(child, 'exit'), [7, null]);
});
