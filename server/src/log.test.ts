// What is logged never holds a secret, whichever way it got there (rules 14).

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const log_ts = join(import.meta.dirname, 'log.ts');

type Line = {
  time: string;
  level: string;
  msg: string;
  err: { [field: string]: unknown; cause?: { message: string } };
};

/** The lines that a process with this log writes. */
function lines(script: string): Line[] {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { createLog } from ${JSON.stringify(log_ts)}; const log = createLog('info'); ${script}`,
    ],
    { encoding: 'utf8' },
  );
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
