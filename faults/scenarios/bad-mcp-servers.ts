import type { ServerResponse } from 'node:http';
import { echoTool, type McpUpstream } from '../../server/test/support/peers/mcp-upstream.ts';
import type { Client } from '../client.ts';
import { callHealthy, callOnce } from '../healthy-calls.ts';
import type { Ledger } from '../ledger.ts';
import type { Replica } from '../replica.ts';
import { openLedger, type Stage } from '../stage.ts';
import { asRoot, makeTenant, type Tenant } from '../tenant.ts';

const AT_ONCE = 40;
const TIMEOUT_MS = 1_000;
/** More than one page, and more than are written at once. */
const TOOLS = 2_500;
const PAGE = 500;
const KILLS = 4;

type Handle = (message: any, response: ServerResponse) => void;

const LOST = ['UPSTREAM_CONNECTION', 'TOOL_TIMED_OUT'];
const bad: [what: string, codes: string[], handle: Handle][] = [
  ['hangs', ['TOOL_TIMED_OUT'], () => {}],
  ['dies', LOST, (_, response) => void response.socket?.destroy()],
  [
    'sends half a stream',
    LOST,
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"jsonrpc":"2.0",');
    },
  ],
  ['answers other requests', LOST, ({ id }, response) => respond(response, { id: Number(id) + 1 })],
  [
    'answers 2 MB',
    ['RESULT_TOO_LARGE', 'TOOL_TIMED_OUT'],
    ({ id }, response) => respond(response, { id, size: 2 ** 21 }),
  ],
  ['forgets every session', ['UPSTREAM_STATUS', ...LOST], (_, response) => void response.writeHead(404).end()],
];

function respond(response: ServerResponse, { id, size = 1 }: { id: unknown; size?: number }): void {
  const content = [{ type: 'text', text: 'x'.repeat(size) }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content } }));
}

/**
 * An MCP server that hangs, dies or lies, 40 calls at once: its own calls fail honestly, and meanwhile another server of the project, the
 * list of tools and another project are as before. Then replicas are killed while they sync a server: what it lists is stored whole or
 * not at all.
 */
export async function badMcpServers(stage: Stage): Promise<Ledger> {
  const { replicas, upstreams } = stage;
  const { ledger, client } = openLedger(replicas);
  for (const code of bad.flatMap(([, codes]) => codes)) ledger.expected_codes.add(code);
  const [tenant, healthy] = [await makeTenant(stage), await makeTenant(stage)];
  await addServer(stage, tenant, upstreams.mcp.good, 'good');
  await addServer(stage, tenant, upstreams.mcp.bad, 'bad');
  let slowest_ms = 0;
  for (const [what, codes, handle] of bad) {
    upstreams.mcp.bad.fault.handle = ({ message }, response) => {
      if (message?.method !== 'tools/call') return false;
      handle(message, response);
      return true;
    };
    const call = (tool_id: string, i: number) =>
      callOnce(client, replicas[i % replicas.length] as Replica, { tenant, tool_id, kind: what, n: `${i}` });
    const calls = Array.from({ length: AT_ONCE }, (_, i) => call('bad_echo', i));
    slowest_ms = Math.max(slowest_ms, await callHealthy(client, ledger, replicas, healthy));
    for (let i = 0; i < replicas.length; i += 1) {
      const { outcome, attempts } = await call('good_echo', i);
      if (outcome !== 'done') ledger.problems.push(`${what}: the other server: ${attempts[0]?.code}`);
      await listTools(client, ledger, replicas[i] as Replica, tenant);
    }
    for (const operation of await Promise.all(calls)) {
      const code = operation.attempts[0]?.code ?? 'no error';
      if (operation.attempts[0]?.status !== null) operation.outcome = 'failed';
      if (!codes.includes(code)) ledger.problems.push(`${what}: ${code}`);
    }
  }
  upstreams.mcp.bad.fault.handle = null;
  await killDuringSync(stage, ledger);
  ledger.recoveries_ms.push(await callHealthy(client, ledger, replicas, healthy));
  ledger.notes.push(`the slowest call of another project meanwhile took ${Math.round(slowest_ms)} ms`);
  await client.close();
  return ledger;
}

async function addServer(stage: Stage, { project_id }: Tenant, upstream: McpUpstream, slug: string): Promise<string> {
  upstream.set([echoTool('echo', { inputSchema: { type: 'object' } })]);
  const path = `/projects/${project_id}/mcp-servers`;
  const body = { slug, name: slug, url: upstream.url, timeout_ms: TIMEOUT_MS };
  const { id } = await asRoot(stage, 'POST', path, { body });
  await asRoot(stage, 'POST', `${path}/${id}/sync`);
  await asRoot(stage, 'POST', `${path}/${id}/approve`, { body: { tool_names: 'all' } });
  return id;
}

async function listTools(client: Client, ledger: Ledger, replica: Replica, { key }: Tenant): Promise<void> {
  const { body } = await client.send(replica, {
    path: '/mcp',
    key,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  });
  const count = body?.result?.tools.length;
  if (count !== 3) ledger.problems.push(`tools/list: ${count} tools`);
}

/**
 * Every definition has the number of its round. A list is stored in pieces: after a kill each definition is that of this round or of the
 * one before, and the next sync completes it. What was acknowledged is whole.
 */
async function killDuringSync(stage: Stage, ledger: Ledger): Promise<void> {
  const { good: upstream } = stage.upstreams.mcp;
  const tenant = await makeTenant(stage);
  const id = await addServer(stage, tenant, upstream, 'large');
  const path = `/projects/${tenant.project_id}/mcp-servers/${id}`;
  upstream.setPageSize(PAGE);
  const setRound = (round: number) =>
    upstream.set(Array.from({ length: TOOLS }, (_, i) => echoTool(`t${i}`, { description: `Round ${round}` })));
  let whole = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const replica = stage.replicas[round % stage.replicas.length] as Replica;
    setRound(round);
    const seen = upstream.requests.length;
    const lists = () => upstream.requests.slice(seen).filter(({ message }) => message?.method === 'tools/list').length;
    const headers = { authorization: `Bearer ${tenant.key}` };
    const synced = fetch(`${replica.url}/api/v1${path}/sync`, { method: 'POST', headers }).then(
      ({ status }) => status,
      () => null,
    );
    // In the first rounds while pages are read, in the others while they are stored.
    const wanted = round % 2 === 0 ? 2 : TOOLS / PAGE;
    while (lists() < wanted) await new Promise((next) => setImmediate(next));
    for (let turn = 0; turn < round * 50; turn += 1) await new Promise((next) => setImmediate(next));
    await replica.stop('SIGKILL');
    const responded = await synced;
    await replica.start();
    const rounds = await roundsOf(stage, path);
    const others = [...rounds].filter((found) => found !== `Round ${round}`);
    if (others.some((found) => responded === 200 || found !== `Round ${round - 1}`))
      ledger.problems.push(`after a kill in round ${round} definitions are of ${[...rounds].join(', ')}`);
    whole += rounds.has(`Round ${round}`) && others.length === 0 ? 1 : 0;
    await asRoot(stage, 'POST', `${path}/sync`);
    const completed = await roundsOf(stage, path);
    if ([...completed].join() !== `Round ${round}`)
      ledger.problems.push('the sync after a kill did not read everything');
  }
  ledger.notes.push(
    `${KILLS} replicas killed during a sync: ${whole} had stored all of it, and the next sync completed the others`,
  );
}

async function roundsOf(stage: Stage, path: string): Promise<Set<string>> {
  const rounds = new Set<string>();
  for (let cursor = ''; ; ) {
    const page = await asRoot(stage, 'GET', `${path}/pending?limit=100${cursor}`);
    for (const { definition } of page.data) rounds.add(definition.description);
    if (page.next_cursor === null) return rounds;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}
