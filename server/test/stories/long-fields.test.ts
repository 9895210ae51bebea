// Fields far longer than they may be: refused by their length, before anything looks at what they hold.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMemberTenant } from '../support/make/make-members.ts';
import { makeTool, toolFields } from '../support/make/make-tools.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const tenant = await makeMemberTenant(server, { environment: 'development' });
const origin = 'https://api.example.com';
const signed = { auth_strategy: 'hmac_signature', encrypted_auth_secret: 'a-secret' };
const tool = await makeTool(server, tenant.keys.write, { url: origin }, signed);
const project = `/projects/${tenant.id}`;

/** Generous: what this is about took minutes. Processor time of this thread, in which the server runs: other processes do not matter. */
const MOST_MS = 3_000;
function watchThread(): () => number {
  const began = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1_000;
  };
}
/** Each has made some pattern or loop slow. */
const fillings = ['{', '}', '{{', '/', ' ', 'a', '-', '.', '%2e', 'eyJ', ',', '€', '\\'].map((part) =>
  part.repeat(300_000 / part.length),
);

type Make = (text: string) => [method: string, path: string, body: unknown];
const tool_ =
  (fields: (text: string) => object): Make =>
  (text) => ['POST', '/custom-tools', toolFields(origin, fields(text))];
const doctor =
  (fields: (text: string) => object): Make =>
  (text) => ['POST', `/custom-tools/${tool.id}/verify-signature`, { headers: {}, ...fields(text) }];
const hook = (headers: object) => ({ url: `${origin}/hook`, events: ['*'], headers });
const document = (path: string, operation: object, url = origin) => ({
  document: { openapi: '3.1.0', servers: [{ url }], paths: { [path]: { get: operation } } },
});

const refused: Record<string, Make> = {
  endpoint_path: tool_((text) => ({ endpoint_path: `/${text}` })),
  'endpoint_path of a change': (text) => ['PATCH', `/custom-tools/${tool.id}`, { endpoint_path: `/${text}` }],
  base_url: tool_((text) => ({ base_url: `https://${text}` })),
  'name of a tool': tool_((name) => ({ name })),
  'title of a tool': tool_((title) => ({ title })),
  'description of a tool': tool_((description) => ({ description })),
  'name of a header': tool_((text) => ({ headers: { [text]: 'x' } })),
  'value of a header': tool_((text) => ({ headers: { 'X-A': text } })),
  header_name: tool_((header_name) => ({
    auth_strategy: 'api_key_header',
    auth_config: { header_name },
    encrypted_auth_secret: 'x',
  })),
  encrypted_auth_secret: tool_((text) => ({ auth_strategy: 'basic', encrypted_auth_secret: text })),
  token_url: tool_((text) => ({
    auth_strategy: 'oauth2_client_credentials',
    auth_config: { token_url: `https://${text}`, client_id: 'a' },
    encrypted_auth_secret: 'x',
  })),
  scope: tool_((scope) => ({
    auth_strategy: 'oauth2_client_credentials',
    auth_config: { token_url: `${origin}/token`, client_id: 'a', scope },
    encrypted_auth_secret: 'x',
  })),
  'base_url of an import': (text) => ['POST', '/custom-tools/import', { ...document('/a', {}), base_url: text }],
  'name of a header of a webhook': (text) => ['POST', `${project}/webhooks`, hook({ [text]: 'x' })],
  'value of a header of a webhook': (text) => ['POST', `${project}/webhooks`, hook({ 'X-A': text })],
  'url of a webhook': (text) => ['POST', `${project}/webhooks`, { url: `https://${text}`, events: ['*'] }],
  'filter of a webhook': (text) => ['POST', `${project}/webhooks`, { url: origin, events: [text] }],
  'name of a key': (name) => ['POST', `${project}/api-keys`, { name, permissions: ['read'] }],
  'expires_at of a key': (expires_at) => [
    'POST',
    `${project}/api-keys`,
    { name: 'a', permissions: ['read'], expires_at },
  ],
  'name of an integration': (name) => ['POST', `${project}/integrations`, { name }],
  'name of a project': (name) => ['POST', '/projects', { name }],
  mcp_instructions: (mcp_instructions) => ['PATCH', `${project}/settings`, { mcp_instructions }],
  kid: (kid) => ['POST', '/assertion-keys', { kid, algorithm: 'ES256', public_key: 'x' }],
  public_key: (text) => [
    'POST',
    '/assertion-keys',
    { kid: 'k', algorithm: 'ES256', public_key: `-----BEGIN PUBLIC KEY-----\n${text}` },
  ],
  algorithm: (algorithm) => ['POST', '/assertion-keys', { kid: 'k', algorithm, public_key: 'x' }],
  "header of the doctor's": doctor((text) => ({ headers: { 'x-toolgate-signature': text } })),
  "path of the doctor's": doctor((path) => ({ path })),
  "canonical_string of the doctor's": doctor((canonical_string) => ({ canonical_string })),
  'a field nobody knows': tool_((text) => ({ [text]: 1 })),
};

for (const [field, make] of Object.entries(refused)) {
  test(`${field} of 300,000 characters is a 4xx at once, whatever they are`, async () => {
    for (const filling of fillings) {
      const [method, path, body] = make(filling);
      const used = watchThread();
      const { status, text } = await server.api(method, path, { key: ROOT_KEY, project: tenant.id, body });
      const used_ms = used();
      assert.ok(status >= 400 && status < 500, `${filling.slice(0, 3)}: ${status} ${text.slice(0, 300)}`);
      assert.ok(used_ms < MOST_MS, `${filling.slice(0, 3)}: ${Math.round(used_ms)} ms`);
      assert.ok(text.length < 2_000, `${filling.slice(0, 3)}: answered with ${text.length} characters`);
    }
  });
}

const skipped: Record<string, (text: string) => object> = {
  path: (text) => document(`/${text}`, {}),
  server: (text) => document('/a', {}, `${origin}/${text}x`),
  'name of a parameter': (name) => document('/a', { parameters: [{ name, in: 'query' }] }),
};

for (const [part, make] of Object.entries(skipped)) {
  test(`a document whose ${part} has 300,000 characters makes no tool, at once`, async () => {
    for (const filling of fillings) {
      const used = watchThread();
      const response = await server.api('POST', '/custom-tools/import', {
        key: tenant.keys.write,
        body: make(filling),
      });
      assert.ok(used() < MOST_MS, filling.slice(0, 3));
      assert.deepEqual([response.status, response.body.created], [201, []], response.text.slice(0, 300));
    }
  });
}

test('an assertion of 300,000 characters is reported on at once', async () => {
  for (const member_assertion of fillings) {
    const used = watchThread();
    const body = { member_assertion };
    const response = await server.api('POST', '/assertion-keys/debug', { key: tenant.keys.write, body });
    assert.ok(used() < MOST_MS, member_assertion.slice(0, 3));
    assert.deepEqual([response.status, response.body.is_valid], [200, false]);
  }
});
