// tools/call and tools/list through the MCP endpoint with all features (authentication, limit, schema, signature, guard, log),
// compared with a bare proxy to the same HTTPS upstream, and with the same gateway behind the official SDK's server.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../server/src/database/embedded.ts';
import { hundredTools } from './hundred-tools.ts';
import { type Child, compare, finish, median, type Request, ratio, report, startChild } from './measure.ts';
import { authority, startUpstream } from './upstream.ts';

const ROOT_KEY = 'root-key-of-the-bench-0123456789-abcdefghijk';
const REVISION = '2026-07-28';

const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(data, 0o755);
const authorityFile = join(data, 'authority.pem');
writeFileSync(authorityFile, authority.certificate);

async function post(url: string, path: string, key: string, body: object): Promise<{ id: string; key: string }> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: string; key: string };
}

async function makeProjectKey(url: string): Promise<string> {
  const plan = { plan: 'enterprise', requests_per_hour: 1_000_000_000 };
  const { id } = await post(url, '/projects', ROOT_KEY, { name: 'bench', ...plan });
  const { key } = await post(url, `/projects/${id}/api-keys`, ROOT_KEY, { name: 'bench', permissions: ['admin'] });
  return key;
}

function rpc(key: string, method: string, name: string | null, params: object): () => Request {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const request: Request = {
    path: '/api/v1/mcp',
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(name === null ? {} : { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  };
  return () => request;
}

/** A server that refuses the request would look very fast. */
const expectInResponse =
  (word: string) =>
  async (child: Child, { path, headers = {}, body = '' }: Request): Promise<void> => {
    const text = await (await fetch(child.url + path, { method: 'POST', headers, body })).text();
    if (!text.includes(word) || text.includes('isError')) throw new Error(`${child.url}: ${text.slice(0, 500)}`);
  };

async function bench(): Promise<void> {
  const upstream = await startUpstream();
  const database = await startEmbedded({ data_dir: data, log: () => {} });
  const { user, password = '', host, port, database: name } = database.connection;
  const trust = { NODE_EXTRA_CA_CERTS: authorityFile, UPSTREAM: `${upstream.origin}/orders` };
  const environment = {
    ...trust,
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    TOOLGATE_DATA_DIR: data,
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_MASTER_KEYS: `bench:${Buffer.alloc(32, 1).toString('base64')}`,
    TOOLGATE_EGRESS_ALLOW: upstream.address,
  };
  const ours = await startChild(join(import.meta.dirname, '../server/src/main.ts'), environment);
  const bare = await startChild(join(import.meta.dirname, 'bare-proxy.ts'), trust);
  const sdk = await startChild(join(import.meta.dirname, 'sdk-server.ts'), environment);

  const [tool] = hundredTools;
  const upstreamFields = { base_url: upstream.origin, endpoint_path: '/orders' };
  const callKey = await makeProjectKey(ours.url);
  const secret = { auth_strategy: 'hmac_signature', encrypted_auth_secret: 'a secret of the bench, 32 bytes or so' };
  await post(ours.url, '/custom-tools', callKey, { ...tool, ...upstreamFields, ...secret });
  const listKey = await makeProjectKey(ours.url);
  for (const each of hundredTools) await post(ours.url, '/custom-tools', listKey, { ...each, ...upstreamFields });

  const given = { customer: 'C-1024', status: 'paid', since: '2026-11-01', limit: 20 };
  const called = hundredTools[0]?.name ?? '';
  const call = rpc(callKey, 'tools/call', called, { name: called, arguments: given });
  const [ourCall = [], bareCall = [], sdkCall = []] = await compare(
    [
      { child: ours, make: call },
      { child: bare, make: call },
      { child: sdk, make: call },
    ],
    { check: expectInResponse('ord_1') },
  );
  const list = rpc(listKey, 'tools/list', null, {});
  const [ourList = [], sdkList = []] = await compare(
    [
      { child: ours, make: list },
      { child: sdk, make: list },
    ],
    { check: expectInResponse('find_order_099'), warm_up: 10_000 },
  );

  report('CPU of a bare proxy', median(bareCall), ' µs');
  report('CPU of tools/call, all features', median(ourCall), ' µs');
  report('CPU of tools/call through the official SDK v2, all features', median(sdkCall), ' µs');
  report('tools/call compared with the bare proxy', ratio(ourCall, bareCall), ' x', 1.5);
  report('tools/call compared with the official SDK', ratio(ourCall, sdkCall), ' x', 0.36);
  report('CPU of tools/list with 100 tools', median(ourList), ' µs');
  report('CPU of tools/list with 100 tools through the official SDK v2', median(sdkList), ' µs');
  report('tools/list compared with the official SDK', ratio(ourList, sdkList), ' x', 0.2);

  for (const child of [ours, bare, sdk]) await child.stop();
  await database.stop();
  upstream.close();
}

try {
  await bench();
} finally {
  rmSync(data, { recursive: true, force: true });
}
finish();
