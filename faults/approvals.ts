// A tool whose calls a person has to approve, and what the fault suite does with it: ask, decide, call, and count what was sent.

import type { ApiResponse, Client } from './client.ts';
import type { Ledger } from './ledger.ts';
import type { Replica } from './replica.ts';
import type { Stage } from './stage.ts';
import { asRoot, makeTenant, type Tenant, unique } from './tenant.ts';

export type Running = { stage: Stage; client: Client; ledger: Ledger };

export type Guarded = Running & {
  tenant: Tenant;
  /** Asks and calls. The key of the tenant decides. */
  caller: { id: string; key: string };
  at(index: number): Replica;
};

/** What was asked: the call with the argument `n`, and its approval. */
export type Asked = { id: string; n: string };

export async function makeGuarded(running: Running): Promise<Guarded> {
  const { stage } = running;
  const tenant = await makeTenant(stage);
  await changeTool(stage, tenant, { confirm: { by: 'approver' } });
  const caller = await asRoot(stage, 'POST', `/projects/${tenant.project_id}/api-keys`, {
    body: { name: unique('caller'), permissions: ['read'] },
  });
  return { ...running, tenant, caller, at: (index) => stage.replicas[index % stage.replicas.length] as Replica };
}

export const changeTool = (stage: Stage, { tool_id, project_id }: Tenant, body: object) =>
  asRoot(stage, 'PATCH', `/custom-tools/${tool_id}`, { body, project: project_id });

/** Every answer is in the ledger, and the codes of refusals are right answers. */
async function send(
  { client }: Guarded,
  replica: Replica,
  what: string,
  request: { path: string; key: string; body: object; headers?: Record<string, string> },
): Promise<ApiResponse> {
  const { attempts, body } = await client.sendOnce(replica, { kind: what, name: what, ...request });
  return { ...(attempts[0] as ApiResponse), body };
}

export function call(guarded: Guarded, replica: Replica, { id, n }: Asked | { id: null; n: string }, key?: string) {
  return send(guarded, replica, 'call', {
    path: `/custom-tools/${guarded.tenant.tool_id}/execute`,
    key: key ?? guarded.caller.key,
    body: { arguments: { n } },
    ...(id === null ? {} : { headers: { 'x-toolgate-approval': id } }),
  });
}

export async function ask(guarded: Guarded, replica: Replica): Promise<Asked> {
  const n = unique('n');
  const { status, code, body } = await call(guarded, replica, { id: null, n });
  if (code !== 'CONFIRMATION_REQUIRED') throw new Error(`a call that should have asked: ${status} ${code}`);
  return { id: body.error.details.approval.id, n };
}

export const decide = (guarded: Guarded, replica: Replica, response: 'approve' | 'decline', { id }: Asked) =>
  send(guarded, replica, response, {
    path: `/projects/${guarded.tenant.project_id}/approvals/${id}/${response}`,
    key: guarded.tenant.key,
    body: {},
  });

export const statusOf = async ({ stage, tenant }: Guarded, { id }: Asked): Promise<string> =>
  (await asRoot(stage, 'GET', `/projects/${tenant.project_id}/approvals/${id}`)).status;

/** How often the call reached the API of the customer, at this path of it. */
export const sentOf = ({ stage, tenant }: Guarded, { n }: Asked, path = tenant.tool_path): number =>
  stage.upstreams.good.at(path).filter(({ body }) => JSON.parse(body.toString()).n === n).length;

/**
 * The call was sent as often as answers say, and not twice; without an answer once or not at all. Every refusal says why: `codes`.
 * `expected`: how often it has to be sent, where that is certain.
 */
export function expectHonest(
  guarded: Guarded,
  what: string,
  asked: Asked,
  responses: ApiResponse[],
  { codes, expected }: { codes: string[]; expected?: 0 | 1 },
): void {
  const { ledger } = guarded;
  const sent = sentOf(guarded, asked);
  const responded = responses.filter(({ status }) => status === 200).length;
  const unknown = responses.filter(({ status }) => status === null).length;
  if (sent > 1) ledger.duplicated += sent - 1;
  if (responded > sent || sent > responded + unknown)
    ledger.problems.push(`${what}: sent ${sent} times, ${responded} answers say so`);
  if (expected === 0) ledger.wrongly_accepted += sent;
  if (expected === 1 && sent === 0) ledger.lost += 1;
  for (const { status, code } of responses)
    if (status !== 200 && status !== null && !codes.includes(code ?? ''))
      ledger.problems.push(`${what}: ${status} ${code}`);
}
