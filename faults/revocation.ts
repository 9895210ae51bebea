// Revocation races: requests with a credential or for a tool go on at every replica while it is revoked at one of them. Measures how
// long after the acknowledgement a request that was still accepted had been sent.

import { setTimeout as sleep } from 'node:timers/promises';
import { makeSigner, signAssertion } from '../server/test/support/make/sign-assertion.ts';
import type { Client, Request } from './client.ts';
import { type Ledger, REVOKE_WITHIN_MS } from './ledger.ts';
import type { Replica } from './replica.ts';
import { ROOT_KEY, type Stage } from './stage.ts';
import { asRoot, makeTenant, type Tenant, unique } from './tenant.ts';

/** How long requests go on after the acknowledgement. */
const WATCH_MS = REVOKE_WITHIN_MS + 700;
const PAUSE_MS = 10;
const SERVED_WITHIN_MS = 20_000;

export type Revocation = {
  what: string;
  /** What is accepted before, and refused after. */
  probe: Request;
  isAccepted(status: number | null): boolean;
  revoke: { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: unknown };
};

export type Made = { stage: Stage; tenant: Tenant };

type Prepare = (made: Made) => Promise<Revocation>;

type Options = { client: Client; ledger: Ledger; revocations?: Prepare[]; beforeEach?: () => Promise<void> };

/** `beforeEach` may cause a fault before each revocation. */
export async function raceRevocations(
  stage: Stage,
  { client, ledger, revocations = credentialRevocations, beforeEach = async () => {} }: Options,
): Promise<void> {
  for (const prepare of revocations) {
    const tenant = await makeTenant(stage);
    const revocation = await prepare({ stage, tenant });
    for (const replica of stage.replicas) {
      const status = await untilServed(client, replica, revocation.probe);
      if (!revocation.isAccepted(status)) ledger.problems.push(`${revocation.what}: ${status} before it`);
    }
    await beforeEach();
    await race(stage, revocation, { client, ledger, project_id: tenant.project_id });
  }
}

/** The replica may still recover from the fault before the revocation before. */
async function untilServed(client: Client, replica: Replica, probe: Request): Promise<number | null> {
  for (const deadline = performance.now() + SERVED_WITHIN_MS; ; await sleep(PAUSE_MS)) {
    const { status } = await client.send(replica, probe);
    if (status !== 503 || performance.now() > deadline) return status;
  }
}

async function race(
  { replicas }: Stage,
  { what, probe, isAccepted, revoke }: Revocation,
  { client, ledger, project_id }: { client: Client; ledger: Ledger; project_id: string },
): Promise<void> {
  let acknowledged_at = Number.POSITIVE_INFINITY;
  const hammer = async (replica: Replica) => {
    while (performance.now() < acknowledged_at + WATCH_MS) {
      const { status, started_at } = await client.send(replica, probe);
      if (isAccepted(status) && started_at > acknowledged_at) {
        const late_ms = started_at - acknowledged_at;
        ledger.revoke_ms = Math.max(ledger.revoke_ms ?? 0, Math.ceil(late_ms));
        if (late_ms > REVOKE_WITHIN_MS) ledger.wrongly_accepted += 1;
      }
      await sleep(PAUSE_MS);
    }
  };
  ledger.revoke_ms ??= 0;
  const hammers = replicas.map(hammer);
  const { outcome } = await client.perform({
    kind: 'revocation',
    name: what,
    key: ROOT_KEY,
    ...revoke,
    headers: { 'x-project-id': project_id },
  });
  acknowledged_at = performance.now();
  if (outcome !== 'done') ledger.problems.push(`${what}: not acknowledged`);
  await Promise.all(hammers);
}

export const credentialRevocations: Prepare[] = [
  ({ stage, tenant }) =>
    ofKey(stage, tenant, 'a key is revoked', (path) => ({ method: 'POST', path: `${path}/revoke` })),
  ({ stage, tenant }) =>
    ofKey(stage, tenant, 'a key is set inactive', (path) => ({ method: 'PATCH', path, body: { is_active: false } })),
  ({ stage, tenant }) => ofKey(stage, tenant, 'a key is deleted', (path) => ({ method: 'DELETE', path })),
  ({ stage, tenant }) =>
    ofKey(stage, tenant, 'a key is rotated', (path) => ({
      method: 'POST',
      path: `${path}/rotate`,
      body: { overlap_seconds: 0 },
    })),
  ({ stage, tenant }) =>
    ofKey(stage, tenant, 'a project is deleted', () => ({ method: 'DELETE', path: `/projects/${tenant.project_id}` })),
  async ({ tenant }) => ofTool(tenant, 'a tool is disabled', (path) => ({ method: 'POST', path: `${path}/disable` })),
  async ({ tenant }) => ofTool(tenant, 'a tool is deleted', (path) => ({ method: 'DELETE', path })),
  (made) =>
    ofSession(made, 'the sessions of a member are revoked', ({ member_id }) => ({
      method: 'POST',
      path: `/members/${member_id}/revoke-sessions`,
    })),
  (made) =>
    ofSession(made, 'an assertion key is deactivated', ({ assertion_key_id }) => ({
      method: 'POST',
      path: `/assertion-keys/${assertion_key_id}/deactivate`,
    })),
  (made) =>
    ofSession(made, 'an integration is deleted', ({ integration_path }) => ({
      method: 'DELETE',
      path: integration_path,
    })),
];

async function ofKey(
  stage: Stage,
  { project_id }: Tenant,
  what: string,
  revoke: (key_path: string) => Revocation['revoke'],
): Promise<Revocation> {
  const path = `/projects/${project_id}/api-keys`;
  const { id, key } = await asRoot(stage, 'POST', path, { body: { name: unique('key'), permissions: ['read'] } });
  const probe = { path: `/projects/${project_id}`, key };
  return { what, probe, isAccepted: (status) => status === 200, revoke: revoke(`${path}/${id}`) };
}

function ofTool({ tool_id, key }: Tenant, what: string, revoke: (path: string) => Revocation['revoke']): Revocation {
  const path = `/custom-tools/${tool_id}`;
  const probe = { path: `${path}/execute`, key, body: { arguments: { n: what } } };
  return { what, probe, isAccepted: (status) => status === 200, revoke: revoke(path) };
}

export type MadeSession = { token: string; member_id: string; assertion_key_id: string; integration_path: string };

async function ofSession(
  made: Made,
  what: string,
  revoke: (session: MadeSession) => Revocation['revoke'],
): Promise<Revocation> {
  const session = await makeSession(made);
  const probe = { path: '/projects', key: session.token };
  // A valid session lacks the permission (403); an ended one is unknown (401).
  return { what, probe, isAccepted: (status) => status === 403, revoke: revoke(session) };
}

async function makeSession({ stage, tenant: { project_id } }: Made): Promise<MadeSession> {
  const integrations = `/projects/${project_id}/integrations`;
  const integration = await asRoot(stage, 'POST', integrations, { body: { name: unique('integration') } });
  const integration_path = `${integrations}/${integration.id}`;
  const body = { name: unique('key'), permissions: ['read'] };
  const { key } = await asRoot(stage, 'POST', `${integration_path}/api-keys`, { body });
  const signer = makeSigner('ES256', unique('kid'));
  const assertionKey = await asRoot(stage, 'POST', '/assertion-keys', {
    body: { kid: signer.kid, algorithm: signer.algorithm, public_key: signer.pem },
    project: project_id,
  });
  const member_assertion = signAssertion(signer, project_id, Date.now());
  const session = await asRoot(stage, 'POST', '/mcp/session-token', { body: { member_assertion }, key });
  return {
    token: session.session_token,
    member_id: session.member.id,
    assertion_key_id: assertionKey.id,
    integration_path,
  };
}
