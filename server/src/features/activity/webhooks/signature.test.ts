import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeSecret, signatureHeaders } from './signature.ts';

type Case = {
  name: string;
  id: string;
  timestamp: number;
  body: string;
  secret: string;
  previous_secret: string | null;
  headers: Record<string, string>;
};

const file = join(import.meta.dirname, '../../../../../vectors/webhook-signature.json');
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] };

for (const { name, headers, ...signing } of cases) {
  test(`the vector "${name}" has the expected headers`, () => {
    assert.deepEqual(signatureHeaders(signing), headers);
  });

  test(`the vector "${name}" passes an independent verification by the spec and by Standard Webhooks`, () => {
    const { secret, body, id, timestamp } = signing;
    assert.equal(headers['x-webhook-signature'], createHmac('sha256', secret).update(body, 'utf8').digest('hex'));
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    assert.ok(headers['webhook-signature']?.split(' ').includes(`v1,${expected}`));
  });
}

test('a secret is whsec_ and the base64 of 32 random bytes', () => {
  const secrets = new Set(Array.from({ length: 100 }, makeSecret));
  assert.equal(secrets.size, 100);
  for (const secret of secrets) assert.match(secret, /^whsec_[0-9A-Za-z+/]{43}=$/);
});
