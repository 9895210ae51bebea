// Writes vectors/tool-signature.json: signed tool requests as a customer receives them, good and bad.
// Run `node server/test/make-vectors/tool-signature.ts` after changing a rule; a test fails while the file is stale.

import { createSecretKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalString, encodeMemberId, signatureHeader } from '../../src/features/tools/calls/https/signature.ts';

export const vectorsFile = join(import.meta.dirname, '../../../vectors/tool-signature.json');

export type SignedRequest = {
  method: string;
  host: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  /** Where the body is not text: `body_base64` instead. */
  body?: string;
  body_base64?: string;
};

export type ToolSignatureVectors = {
  about: string;
  now: number;
  window_seconds: number;
  accepted: { name: string; secret: string; request: SignedRequest; canonical_string: string }[];
  refused: { name: string; secret: string; request: SignedRequest; reason: 'missing' | 'window' | 'different' }[];
};

const now = 1_790_000_000;
const project_id = 'prj_0000000000000000000001';
const integration_id = 'int_0000000000000000000001';
const secret = 'q8Jf2Zr0s9m4Tn7Wc1Xv5Lb3Kd6Hg8Pa';

type Given = {
  method?: string;
  host?: string;
  path?: string;
  query?: string;
  body?: string | Buffer;
  timestamp?: number;
  integration?: boolean;
  member?: string;
  secrets?: string[];
};

function sign(given: Given = {}): { request: SignedRequest; canonical_string: string } {
  const { method = 'POST', host = 'api.example.com', path = '/v1/orders', query = '', body = '{"q":"paid"}' } = given;
  const { timestamp = now, integration = true, member, secrets = [secret] } = given;
  const keys = secrets.map((text) => createSecretKey(Buffer.from(text)));
  const request_id = 'call_0000000000000000000001';
  const member_id = member === undefined ? null : encodeMemberId(member);
  const canonical_string = canonicalString({
    timestamp,
    request_id,
    method,
    host,
    path,
    query,
    body,
    project_id,
    integration_id: integration ? integration_id : null,
    member_id,
  });
  const headers = {
    'x-toolgate-timestamp': String(timestamp),
    'x-toolgate-request-id': request_id,
    'x-toolgate-project-id': project_id,
    ...(integration ? { 'x-toolgate-integration-id': integration_id } : {}),
    ...(member_id === null ? {} : { 'x-toolgate-member-id': member_id }),
    'x-toolgate-signature': signatureHeader(keys, canonical_string),
  };
  const sent = typeof body === 'string' ? { body } : { body_base64: body.toString('base64') };
  return { request: { method, host, path, query, headers, ...sent }, canonical_string };
}

const accepted: [name: string, given: Given, secret?: string][] = [
  ['a JSON body', {}],
  ['no integration', { integration: false }],
  ['a member', { member: 'user-7' }],
  ['a member beyond ASCII', { member: 'Zoë / 🐝 100%' }],
  ['no body and a query', { method: 'GET', query: 'q=a%20b&tag=1&tag=2', body: '' }],
  ['a path with escapes', { method: 'DELETE', path: '/v1/users/a%2Fb%20c', body: '' }],
  ['a host with a port', { host: 'api.example.com:8443' }],
  ['a body beyond ASCII', { body: '{"q":"Zoë 🐝"}' }],
  ['a body that is not text', { body: Buffer.from([0, 255, 254, 10]) }],
  ['a form', { body: 'amount=1&lines%5B0%5D%5Bsku%5D=b+%26+c&tag=%C3%A4&member_id=user-7', member: 'user-7' }],
  [
    'a multipart body',
    {
      body: [
        '--toolgate-0123456789abcdef',
        'Content-Disposition: form-data; name="a%22b%0D%0A"',
        '',
        'Zoë\n',
        '--toolgate-0123456789abcdef',
        'Content-Disposition: form-data; name="lines"',
        'Content-Type: application/json',
        '',
        '[{"sku":"b"}]',
        '--toolgate-0123456789abcdef--',
        '',
      ].join('\r\n'),
    },
  ],
  [
    'a file in a multipart body',
    {
      body: Buffer.concat([
        Buffer.from(
          '--toolgate-0123456789abcdef\r\nContent-Disposition: form-data; name="report"; filename="Zoë.png"\r\n',
        ),
        Buffer.from('Content-Type: image/png\r\n\r\n'),
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x00, 0xff]),
        Buffer.from('\r\n--toolgate-0123456789abcdef--\r\n'),
      ]),
    },
  ],
  ['a raw body, and arguments in the query', { body: 'id,name\r\n1,"Zoë"\r\n', query: 'dry_run=true&project_id=p' }],
  ['PUT', { method: 'PUT' }],
  ['PATCH', { method: 'PATCH' }],
  ['a secret beyond ASCII', { secrets: ['schlüssel-ключ'] }, 'schlüssel-ключ'],
  ['while a secret is rotated: the new one', { secrets: [secret, 'the secret before'] }],
  ['while a secret is rotated: the old one', { secrets: [secret, 'the secret before'] }, 'the secret before'],
  ['300 seconds old', { timestamp: now - 300 }],
  ['300 seconds ahead', { timestamp: now + 300 }],
];

const altered = (change: (request: SignedRequest) => void) => {
  const { request } = sign({ member: 'user-7', query: 'a=1&b=2' });
  change(request);
  return request;
};

const refused: [name: string, reason: 'missing' | 'window' | 'different', request: SignedRequest][] = [
  ['no signature', 'missing', altered(({ headers }) => delete headers['x-toolgate-signature'])],
  ['an empty signature', 'missing', altered(({ headers }) => Object.assign(headers, { 'x-toolgate-signature': '' }))],
  ['another scheme', 'missing', altered(({ headers }) => Object.assign(headers, { 'x-toolgate-signature': 'v0=00' }))],
  ['301 seconds old', 'window', sign({ timestamp: now - 301 }).request],
  ['301 seconds ahead', 'window', sign({ timestamp: now + 301 }).request],
  ['another secret', 'different', sign({ secrets: ['not the secret'] }).request],
  ['another method', 'different', altered((request) => Object.assign(request, { method: 'PUT' }))],
  ['another host', 'different', altered((request) => Object.assign(request, { host: 'api.example.org' }))],
  ['another path', 'different', altered((request) => Object.assign(request, { path: '/v1/orders/' }))],
  ['the query in another order', 'different', altered((request) => Object.assign(request, { query: 'b=2&a=1' }))],
  ['a body written again', 'different', altered((request) => Object.assign(request, { body: '{"q": "paid"}' }))],
  [
    'a fresh timestamp',
    'different',
    altered(({ headers }) => Object.assign(headers, { 'x-toolgate-timestamp': String(now + 1) })),
  ],
  [
    'another request id',
    'different',
    altered(({ headers }) => Object.assign(headers, { 'x-toolgate-request-id': 'call_2' })),
  ],
  [
    'another member',
    'different',
    altered(({ headers }) => Object.assign(headers, { 'x-toolgate-member-id': 'user-8' })),
  ],
  ['the member taken away', 'different', altered(({ headers }) => delete headers['x-toolgate-member-id'])],
];

export function vectorsText(): string {
  const vectors: ToolSignatureVectors = {
    about:
      'Requests of hmac_signature tools as a customer receives them. A receiver whose clock shows `now` (seconds) and who has `secret` takes the accepted ones and refuses the others.',
    now,
    window_seconds: 300,
    accepted: accepted.map(([name, given, key = secret]) => ({ name, secret: key, ...sign(given) })),
    refused: refused.map(([name, reason, request]) => ({ name, secret, request, reason })),
  };
  return `${JSON.stringify(vectors, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(vectorsFile, vectorsText());
