// The Node code in docs/signatures.md is what customers copy: it must take and refuse what the vectors say.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SignedRequest, ToolSignatureVectors } from '../make-vectors/tool-signature.ts';

type Headers = Record<string, string>;
type Verifiers = {
  verifyToolRequest(
    request: { method: string; url: string; headers: Headers },
    body: Buffer,
    secret: string,
    now: number,
  ): string | null;
  verifyWebhook(headers: Headers, body: Buffer, secret: string, now: number): { id: string } | null;
};

type WebhookCase = {
  name: string;
  body: string;
  secret: string;
  previous_secret: string | null;
  timestamp: number;
  headers: Headers;
};

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

/** Imports the functions that the page's JavaScript blocks export. */
async function importVerifiers(): Promise<Verifiers> {
  const blocks = [...read('docs/signatures.md').matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code as string);
  const modules = await Promise.all(
    blocks.map((code) => import(`data:text/javascript,${encodeURIComponent(code)}`) as Promise<Partial<Verifiers>>),
  );
  return Object.assign({}, ...modules);
}

const { verifyToolRequest, verifyWebhook } = await importVerifiers();

test('the documented tool request verifier accepts exactly the accepted vectors', () => {
  const { now, accepted, refused } = JSON.parse(read('vectors/tool-signature.json')) as ToolSignatureVectors;
  const verify = ({ secret, request }: { secret: string; request: SignedRequest }) => {
    const { method, host, path, query, headers } = request;
    const url = query === '' ? path : `${path}?${query}`;
    const body = Buffer.from(request.body ?? request.body_base64 ?? '', request.body === undefined ? 'base64' : 'utf8');
    return verifyToolRequest({ method, url, headers: { ...headers, host } }, body, secret, now);
  };
  assert.ok(accepted.length > 0 && refused.length > 0);
  for (const each of accepted) {
    assert.equal(verify(each), decodeURIComponent(each.request.headers['x-toolgate-member-id'] ?? ''), each.name);
  }
  for (const each of refused) assert.equal(verify(each), null, each.name);
});

test('the documented webhook verifier accepts both secrets of a rotation, and no other body, secret or time', () => {
  const { cases } = JSON.parse(read('vectors/webhook-signature.json')) as { cases: WebhookCase[] };
  assert.ok(cases.length > 0);
  for (const { name, body, secret, previous_secret, timestamp, headers } of cases) {
    const verify = (text: string, key: string, now: number) => verifyWebhook(headers, Buffer.from(text), key, now);
    for (const key of [secret, previous_secret ?? secret]) assert.ok(verify(body, key, timestamp + 300), name);
    assert.equal(verify(`${body} `, secret, timestamp), null, name);
    assert.equal(verify(body, `whsec_${Buffer.alloc(32, 9).toString('base64')}`, timestamp), null, name);
    assert.equal(verify(body, secret, timestamp + 301), null, name);
  }
});
