// Creates what tests of members need: a project with an integration, a key of it, and a registered signer.

import assert from 'node:assert/strict';
import type { AssertionAlgorithm } from '@toolgate/contract/assertion-keys/rules.ts';
import type { Permission } from '@toolgate/contract/permissions.ts';
import type { ApiResponse } from '../requests/call-api.ts';
import { ROOT_KEY, type TestServer } from '../servers/start-server.ts';
import { expectResponse, type MadeKey, makeTenant, unique } from './make.ts';
import { type AssertionParts, makeSigner, type Signer, signAssertion } from './sign-assertion.ts';

export async function makeIntegration(
  server: TestServer,
  project_id: string,
  fields: object = {},
): Promise<{ id: string; [field: string]: unknown }> {
  const body = { name: unique('integration'), ...fields };
  return expectResponse(await server.api('POST', `/projects/${project_id}/integrations`, { key: ROOT_KEY, body }), 201);
}

export async function makeIntegrationKey(
  server: TestServer,
  project_id: string,
  integration_id: string,
  permissions: Permission[] = ['read'],
): Promise<MadeKey> {
  const path = `/projects/${project_id}/integrations/${integration_id}/api-keys`;
  return expectResponse(
    await server.api('POST', path, { key: ROOT_KEY, body: { name: unique('key'), permissions } }),
    201,
  );
}

export type RegisteredSigner = Signer & { id: string };

export async function registerSigner(
  server: TestServer,
  project_id: string,
  algorithm: AssertionAlgorithm = 'ES256',
  kid = unique('kid'),
): Promise<RegisteredSigner> {
  const signer = makeSigner(algorithm, kid);
  const body = { kid, algorithm, public_key: signer.pem };
  const { id } = expectResponse(
    await server.api('POST', '/assertion-keys', { key: ROOT_KEY, project: project_id, body }),
    201,
  );
  return { ...signer, id };
}

/** In production by default, so that a session requires an assertion. */
export async function makeMemberTenant(server: TestServer, fields: object = {}) {
  const tenant = await makeTenant(server, { environment: 'production', ...fields });
  const integration = await makeIntegration(server, tenant.id);
  const integrationKey = await makeIntegrationKey(server, tenant.id, integration.id);
  return { ...tenant, integration, integrationKey, signer: await registerSigner(server, tenant.id) };
}

export type MemberTenant = Awaited<ReturnType<typeof makeMemberTenant>>;

/** A valid assertion for the tenant's project, with the changes of `parts`. */
export function assertionFor(
  server: TestServer,
  tenant: MemberTenant,
  parts: AssertionParts = {},
  signer: Signer = tenant.signer,
) {
  return signAssertion(signer, tenant.id, server.app.now(), parts);
}

export function exchange(server: TestServer, key: string, body?: unknown): Promise<ApiResponse> {
  return server.api('POST', '/api/v1/mcp/session-token', { key, body });
}

/** A key of a new integration, and what creates sessions with it without an assertion: the project is in development. */
export async function makeMemberSessions(server: TestServer, project_id: string) {
  const integration = await makeIntegration(server, project_id);
  const key = await makeIntegrationKey(server, project_id, integration.id);
  const session = async (member_external_id: string): Promise<string> =>
    expectResponse(await exchange(server, key.key, { member_external_id }), 200).session_token;
  return { integration, key, session };
}

export type MadeSession = { session_token: string; member: { id: string; external_id: string }; expires_at: string };

export async function makeSession(
  server: TestServer,
  tenant: MemberTenant,
  sub = unique('member'),
): Promise<MadeSession> {
  const member_assertion = assertionFor(server, tenant, { claims: { sub } });
  return expectResponse(await exchange(server, tenant.integrationKey.key, { member_assertion }), 200);
}

/** A valid session lacks the permission (403); an ended one is unknown (401). */
export async function isAlive(server: TestServer, session_token: string): Promise<boolean> {
  const response = await server.api('GET', '/projects', { key: session_token });
  assert.ok([401, 403].includes(response.status), response.text);
  return response.status === 403;
}

/** The number of rows that exchanges inserted for a project. */
export async function countRows({ app }: TestServer, project_id: string) {
  const tables = ['members', 'member_sessions', 'used_assertion_ids'] as const;
  const counts = tables.map(async (table) => {
    const rows = await app.database
      .selectFrom(table)
      .select('project_id')
      .where('project_id', '=', project_id)
      .execute();
    return [table, rows.length];
  });
  return Object.fromEntries(await Promise.all(counts));
}
