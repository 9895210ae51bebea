// What may exist, or happen, only once in a project. Each race sends 50 requests at once over all replicas.

import { makeSigner, signAssertion } from '../server/test/support/make/sign-assertion.ts';
import type { Client, Request } from './client.ts';
import type { Ledger, Operation } from './ledger.ts';
import type { Replica } from './replica.ts';
import { ROOT_KEY, type Stage } from './stage.ts';
import { asRoot, listAll, type Tenant, unique } from './tenant.ts';

const AT_ONCE = 50;
const MAX_PROJECTS = 100;

export type Running = { stage: Stage; client: Client; ledger: Ledger; tenant: Tenant };
export type Race = { what: string; run(running: Running): Promise<void> };

/** `make` may give each request its own content. */
export function sendAll(
  { stage, client }: Running,
  what: string,
  make: (index: number) => Request,
  count = AT_ONCE,
): Promise<Operation[]> {
  const { replicas } = stage;
  const requests = Array.from({ length: count }, (_, index) =>
    client.perform({ kind: what, name: what, replica: replicas[index % replicas.length] as Replica, ...make(index) }),
  );
  return Promise.all(requests);
}

/** How the requests of a race ended, to explain a wrong count. */
const statusesOf = (operations: Operation[]) =>
  [...new Set(operations.map(({ attempts }) => `${attempts.at(-1)?.status} ${attempts.at(-1)?.code}`))].join(', ');

const done = (operations: Operation[]) => operations.filter(({ outcome }) => outcome === 'done');

/** Exactly one of them succeeds, and all others are refused with this code. */
function expectOne({ ledger }: Running, operations: Operation[], code: string): void {
  const count = done(operations).length;
  if (count === 0) ledger.lost += 1;
  if (count > 1) ledger.duplicated += count - 1;
  const others = operations.filter(({ outcome, attempts }) => outcome !== 'done' && attempts.at(-1)?.code !== code);
  if (others.length > 0) ledger.problems.push(`expected ${code}, got ${statusesOf(others)}`);
}

/** Compares what is stored with how often it may be. */
export function expectCount({ ledger }: Running, found: number, expected = 1): void {
  if (found > expected) ledger.duplicated += found - expected;
  if (found < expected) ledger.lost += expected - found;
}

const at = (project_id: string) => ({ key: ROOT_KEY, headers: { 'x-project-id': project_id } });

async function countRows({ stage }: Running, text: string, values: unknown[]): Promise<number> {
  const [row] = await stage.postgres.query<{ count: string }>(`select count(*) as count from ${text}`, values);
  return Number(row?.count);
}

export const races: readonly Race[] = [
  {
    what: 'the name of a tool',
    async run(running) {
      const { stage, tenant } = running;
      const tool = { base_url: stage.upstreams.good.url, endpoint_path: '/race', input_schema: { type: 'object' } };
      const request = { path: '/custom-tools', ...at(tenant.project_id), body: { name: 'same', ...tool } };
      expectOne(running, await sendAll(running, this.what, () => request), 'NAME_TAKEN');
      expectCount(
        running,
        await countRows(running, "custom_tools where project_id = $1 and name = 'same'", [tenant.project_id]),
      );
    },
  },
  {
    what: 'the kid of an assertion key',
    async run(running) {
      const { project_id } = running.tenant;
      const { kid, algorithm, pem } = makeSigner('ES256', 'same');
      const request = { path: '/assertion-keys', ...at(project_id), body: { kid, algorithm, public_key: pem } };
      expectOne(running, await sendAll(running, this.what, () => request), 'KID_ALREADY_EXISTS');
      expectCount(running, await countRows(running, 'assertion_keys where project_id = $1', [project_id]));
    },
  },
  {
    what: 'the Idempotency-Key of a creation',
    async run(running) {
      const { stage, tenant } = running;
      const path = `/projects/${tenant.project_id}/api-keys`;
      const headers = { 'idempotency-key': 'same' };
      const request = { path, key: tenant.key, headers, body: { name: 'once', permissions: ['read'] } };
      const operations = await sendAll(running, this.what, () => request);
      expectCount(running, new Set(done(operations).map(({ body }) => body.key)).size);
      const keys = await listAll(stage, path);
      expectCount(running, keys.filter(({ name }) => name === 'once').length);
    },
  },
  {
    what: 'the Idempotency-Key of a tool call',
    async run(running) {
      const { stage, tenant } = running;
      const path = `/custom-tools/${tenant.tool_id}/execute`;
      const request = { path, key: tenant.key, headers: { 'idempotency-key': 'same' }, body: { arguments: { n: 1 } } };
      const operations = await sendAll(running, this.what, () => request);
      expectCount(running, new Set(done(operations).map(({ body }) => body.call_id)).size);
      expectCount(running, stage.upstreams.good.at(tenant.tool_path).length);
    },
  },
  {
    what: 'the jti of an assertion',
    async run(running) {
      const { key, signer } = await makeIntegrationKey(running);
      const claims = { sub: 'once', jti: 'same' };
      const member_assertion = signAssertion(signer, running.tenant.project_id, Date.now(), { claims });
      const request = { path: '/mcp/session-token', key, body: { member_assertion } };
      expectOne(running, await sendAll(running, this.what, () => request), 'ASSERTION_REPLAYED');
    },
  },
  {
    what: 'the external id of a member',
    async run(running) {
      const { project_id } = running.tenant;
      const { key } = await makeIntegrationKey(running);
      const request = { path: '/mcp/session-token', key, body: { member_external_id: 'same' } };
      const operations = done(await sendAll(running, this.what, () => request));
      expectCount(running, operations.length, AT_ONCE);
      expectCount(running, new Set(operations.map(({ body }) => body.member.id)).size);
      expectCount(running, await countRows(running, 'members where project_id = $1', [project_id]));
    },
  },
  {
    what: 'the successor of a rotated key',
    async run(running) {
      const { stage, tenant } = running;
      const path = `/projects/${tenant.project_id}/api-keys`;
      const { id } = await asRoot(stage, 'POST', path, { body: { name: 'rotated', permissions: ['read'] } });
      const request = { path: `${path}/${id}/rotate`, ...at(tenant.project_id), body: { overlap_seconds: 60 } };
      expectOne(running, await sendAll(running, this.what, () => request), 'API_KEY_ALREADY_ROTATED');
    },
  },
  {
    what: 'the number of a tool version',
    async run(running) {
      const { project_id, tool_id } = running.tenant;
      const operations = await sendAll(running, this.what, (index) => ({
        path: `/custom-tools/${tool_id}`,
        method: 'PATCH',
        ...at(project_id),
        body: { description: `version ${index}` },
      }));
      expectCount(running, done(operations).length, AT_ONCE);
      expectCount(running, new Set(done(operations).map(({ body }) => body.version)).size, AT_ONCE);
    },
  },
  {
    what: 'the encryption key of a project',
    async run(running) {
      const { project_id } = running.tenant;
      const operations = await sendAll(running, this.what, () => ({ path: '/encryption-key', ...at(project_id) }));
      expectCount(running, new Set(done(operations).map(({ body }) => body.key_id)).size);
    },
  },
  {
    what: 'the places of a quota group',
    async run(running) {
      const { project_id, key } = running.tenant;
      const create = (index: number) => ({ path: '/projects', key, body: { name: `sibling ${index}` } });
      // All but the last ten places are taken first.
      for (let index = 1; index < MAX_PROJECTS - 10; index += 1)
        await running.client.perform({ kind: 'sibling', name: `sibling ${index}`, ...create(index) });
      const operations = await sendAll(running, this.what, create);
      expectCount(running, done(operations).length, 10);
      expectCount(running, await countRows(running, 'projects where quota_group_id = $1', [project_id]), MAX_PROJECTS);
    },
  },
  {
    what: 'the prefix of an issuer',
    async run(running) {
      const { project_id } = running.tenant;
      const body = { provider: 'google', client_id: 'client', client_secret: 'secret' };
      const path = `/projects/${project_id}/oauth-providers`;
      await sendAll(running, this.what, () => ({ path, ...at(project_id), body }), AT_ONCE - 5);
      expectCount(running, await countRows(running, 'oauth_issuers where project_id = $1', [project_id]));
    },
  },
];

async function makeIntegrationKey({ stage, tenant: { project_id } }: Running) {
  const path = `/projects/${project_id}/integrations`;
  const { id } = await asRoot(stage, 'POST', path, { body: { name: unique('integration') } });
  const body = { name: unique('key'), permissions: ['read'] };
  const { key } = await asRoot(stage, 'POST', `${path}/${id}/api-keys`, { body });
  const signer = makeSigner('ES256', unique('kid'));
  const publicKey = { kid: signer.kid, algorithm: signer.algorithm, public_key: signer.pem };
  await asRoot(stage, 'POST', '/assertion-keys', { body: publicKey, project: project_id });
  return { key: key as string, signer };
}
