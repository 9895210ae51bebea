// Without TOOLGATE_PUBLIC_URL everything that names the server names it as the start printed it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startProcess } from '../support/servers/start-process.ts';
import { waitUntil } from '../support/wait-until.ts';

/** fetch() sets Host by itself. */
async function send(url: string, method: string, path: string, headers: Record<string, string>, body = '') {
  const sent = request(url + path, { method, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status, headers: received } = response;
  return { status, headers: received, body: JSON.parse(await text(response)) };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const METADATA = '/.well-known/oauth-authorization-server';
const RESOURCE = '/.well-known/oauth-protected-resource/api/v1/mcp';

const servers: [title: string, settings: Record<string, string>, printed: string][] = [
  ['one address', {}, '\n'],
  [
    'every address, with two workers',
    { HOST: '0.0.0.0', TOOLGATE_WORKERS: '2' },
    ', and on every other IP address of this machine\n',
  ],
];
for (const [title, settings, printed] of servers)
  test(`a server on ${title} names itself as its start did, whatever Host a request has`, async () => {
    const { url, output } = await startProcess(settings);
    await waitUntil(
      async () => output().includes(`toolgate listens on ${url}${printed}`),
      60_000,
      'it says where it listens',
    );
    assert.ok(output().includes(`${url}/api/v1/mcp\n`), output());
    for (const host of [new URL(url).host, 'evil.example.com']) {
      const refused = await send(url, 'GET', '/api/v1/projects', { host });
      assert.equal(refused.body.error.docs_url, `${url}/docs/errors#invalid_api_key`);
      const token = await send(url, 'POST', '/api/v1/oauth/token', { host, ...FORM }, 'grant_type=none');
      assert.equal(new URL(token.body.error_uri).origin, url);
      const { body: metadata } = await send(url, 'GET', METADATA, { host });
      assert.deepEqual([metadata.issuer, new URL(metadata.token_endpoint).origin], [url, url]);
      const { body: resource } = await send(url, 'GET', RESOURCE, { host });
      assert.deepEqual([resource.resource, resource.authorization_servers], [`${url}/api/v1/mcp`, [url]]);
    }
    const challenged = await send(url, 'POST', '/api/v1/mcp', { 'content-type': 'application/json' }, '{}');
    assert.ok(challenged.headers['www-authenticate']?.includes(`resource_metadata="${url}${RESOURCE}"`));
  });

test('a browser may call the server localhost: its own pages work, and those of another port do not', async () => {
  const { url } = await startProcess();
  const host = `localhost:${new URL(url).port}`;
  const signIn = (origin: string) =>
    send(
      url,
      'POST',
      '/api/v1/account/sign-in',
      { host, origin, 'content-type': 'application/json' },
      JSON.stringify({ email: 'ada@example.com', password: 'not the password' }),
    );
  assert.equal((await signIn(`http://${host}`)).status, 401);
  const { status, body } = await signIn('http://localhost:1');
  assert.deepEqual([status, body.error.code], [403, 'ORIGIN_NOT_ALLOWED']);
  assert.match(body.error.details.remedy, /TOOLGATE_PUBLIC_URL/);
});
