// A refresh compared with the exchange of an assertion, and tools/call with an access token compared with a session of an
// assertion: over HTTP, against one server, with people who signed in at a real OpenID provider. Both of a pair alternate.

import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { openBrowser, signIn } from '../../server/test/support/browser.ts';
import { makeSigner, type Signer, signAssertion } from '../../server/test/support/make/sign-assertion.ts';
import { startCustomer, testAuthority } from '../../server/test/support/peers/fake-customer.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../server/test/support/peers/openid-provider.ts';
import { ROOT_KEY } from '../api.ts';
import { compare, cpuPerRequest, finish, type Request, report } from '../measure.ts';
import { type Child, main, startChild } from '../processes.ts';
import { median, ratio } from '../statistics.ts';

const REDIRECT = 'https://app.example.com/callback';
const WARM_UP = 20;
const ROUNDS = 60;
const PEOPLE = 16;
/** For one round, for each person. */
const TURNS = 10;

type ApiResponse = { id: string; key: string; client_id: string; client_secret: string };
type Tokens = { access_token: string; refresh_token: string };
type Project = { id: string; admin_key: string; integration_key: string; signer: Signer; client: ApiResponse };

async function post<T = ApiResponse>(url: string, path: string, key: string | null, body: object): Promise<T> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function makeProject({ url }: Child, peer: OpenIdProvider): Promise<Project> {
  const plan = { plan: 'enterprise', requests_per_hour: 1_000_000_000 };
  const { id } = await post(url, '/projects', ROOT_KEY, { name: 'bench', environment: 'production', ...plan });
  const under = `/projects/${id}`;
  const admin = await post(url, `${under}/api-keys`, ROOT_KEY, { name: 'bench', permissions: ['admin', 'write'] });
  const integration = await post(url, `${under}/integrations`, ROOT_KEY, { name: 'bench' });
  const integration_keys = `${under}/integrations/${integration.id}/api-keys`;
  const key = await post(url, integration_keys, ROOT_KEY, { name: 'bench', permissions: ['read'] });
  const signer = makeSigner();
  const { kid, algorithm, pem: public_key } = signer;
  await post(url, '/assertion-keys', admin.key, { kid, algorithm, public_key });
  const { client_id, client_secret } = peer;
  const provider = { provider: 'oidc', issuer: peer.url, client_id, client_secret };
  await post(url, `${under}/oauth-providers`, ROOT_KEY, provider);
  const ours = { name: 'bench', redirect_uris: [REDIRECT], integration_id: integration.id };
  const client = await post(url, `${under}/oauth-clients`, ROOT_KEY, ours);
  return { id, admin_key: admin.key, integration_key: key.key, signer, client };
}

async function signInAs(child: Child, peer: OpenIdProvider, { client }: Project, sub: string): Promise<Tokens> {
  peer.setUser({ sub });
  const query = new URLSearchParams({ client_id: client.client_id, redirect_uri: REDIRECT });
  const { location, text } = await signIn(openBrowser(child), peer, `/api/v1/oauth/authorize?${query}`);
  if (location === null) throw new Error(text);
  const { client_id, client_secret } = client;
  const code = new URL(location).searchParams.get('code');
  return post<Tokens>(child.url, '/oauth/token', null, { code, client_id, client_secret });
}

/** Each person makes their turns one after another: a refresh needs the token of the one before. */
async function cpuOfTurns(child: Child, turn: (person: number) => Promise<void>): Promise<number> {
  const person = async (_: unknown, number: number) => {
    for (let i = 0; i < TURNS; i += 1) await turn(number);
  };
  return cpuPerRequest(child, PEOPLE * TURNS, async () => {
    await Promise.all(Array.from({ length: PEOPLE }, person));
  });
}

async function benchRefresh(child: Child, project: Project, people: Tokens[]): Promise<void> {
  const pool = new Pool(child.url, { connections: PEOPLE });
  const send = async <T>(path: string, headers: object, body: object): Promise<T> => {
    const request = { path, method: 'POST', headers: { 'content-type': 'application/json', ...headers } } as const;
    const response = await pool.request({ ...request, body: JSON.stringify(body) });
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${await response.body.text()}`);
    return (await response.body.json()) as T;
  };
  const { client_id, client_secret } = project.client;
  const refresh = async (person: number) => {
    const { refresh_token } = people[person] as Tokens;
    people[person] = await send<Tokens>('/api/v1/oauth/token', {}, { refresh_token, client_id, client_secret });
  };
  const key = { authorization: `Bearer ${project.integration_key}` };
  const exchange = async (person: number) => {
    const claims = { sub: `member-${person}`, jti: randomUUID() };
    const member_assertion = signAssertion(project.signer, project.id, Date.now(), { claims });
    await send('/api/v1/mcp/session-token', key, { member_assertion });
  };
  const [refreshes, exchanges]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    refreshes.push(await cpuOfTurns(child, refresh));
    exchanges.push(await cpuOfTurns(child, exchange));
  }
  await pool.close();
  const [ours, theirs] = [refreshes.slice(WARM_UP), exchanges.slice(WARM_UP)];
  report('CPU of an exchange of an assertion, ES256', median(theirs), ' µs');
  report('CPU of a refresh', median(ours), ' µs');
  report('a refresh compared with an exchange', ratio(ours, theirs), ' x', 1.5);
}

function callWith(token: string): () => Request {
  const params = { name: 'my_orders', arguments: {} };
  const request: Request = {
    path: '/api/v1/mcp',
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
  return () => request;
}

/** A server that refuses the request would look very fast. */
async function check(child: Child, { path, headers = {}, body = '' }: Request): Promise<void> {
  const text = await (await fetch(child.url + path, { method: 'POST', headers, body })).text();
  if (!text.includes('ord_1') || text.includes('isError')) throw new Error(text.slice(0, 500));
}

async function benchCalls(child: Child, project: Project, { access_token }: Tokens): Promise<void> {
  const member_assertion = signAssertion(project.signer, project.id, Date.now());
  const body = { member_assertion };
  type Session = { session_token: string };
  const { session_token } = await post<Session>(child.url, '/mcp/session-token', project.integration_key, body);
  const [ofAccess = [], ofSession = []] = await compare(
    [
      { child, make: callWith(access_token) },
      { child, make: callWith(session_token) },
    ],
    { check, warm_up: 10_000 },
  );
  report('CPU of tools/call with a member session', median(ofSession), ' µs');
  report('CPU of tools/call with an access token', median(ofAccess), ' µs');
  report('an access token compared with any member session', ratio(ofAccess, ofSession), ' x', 1.05);
}

async function bench(data: string): Promise<void> {
  const authority = join(data, 'authority.pem');
  writeFileSync(authority, testAuthority.certificate);
  const peer = await startOpenIdProvider();
  const customer = await startCustomer();
  customer.respond('*', { body: { orders: ['ord_1'] } });
  const child = await startChild(main, {
    NODE_EXTRA_CA_CERTS: authority,
    TOOLGATE_DATA_DIR: join(data, 'data'),
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_EGRESS_ALLOW: `${peer.address},${customer.address}`,
  });
  try {
    const project = await makeProject(child, peer);
    const tool = { base_url: customer.url, endpoint_path: '/members/{{member_id}}/orders', method: 'GET' };
    const about = { name: 'my_orders', description: 'The orders of the member', require_member: true };
    await post(child.url, '/custom-tools', project.admin_key, { ...about, ...tool, context_in: 'headers' });
    const people: Tokens[] = [];
    for (let i = 0; i < PEOPLE; i += 1) people.push(await signInAs(child, peer, project, `person-${i}`));
    await benchRefresh(child, project, people);
    await benchCalls(child, project, people[0] as Tokens);
  } finally {
    await child.stop();
    await Promise.all([peer.close(), customer.close()]);
  }
}

const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(data, 0o755);
try {
  await bench(data);
} finally {
  rmSync(data, { recursive: true, force: true });
}
finish();
