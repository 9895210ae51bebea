import { callHealthy, callOnce } from '../healthy-calls.ts';
import type { Ledger } from '../ledger.ts';
import type { Replica } from '../replica.ts';
import { openLedger, type Stage } from '../stage.ts';
import { asRoot, makeTenant, type Tenant, unique } from '../tenant.ts';

const AT_ONCE = 40;
const TIMEOUT_MS = 500;

type Respond = Parameters<Stage['upstreams']['good']['respond']>[1];
/** What becomes of a call: the code of its answer, null for a success, and how often it reaches the API. */
type Expected = { fields: object; codes: (string | null)[]; sent: 0 | 1 };

const bad: [string, Respond][] = [
  ['hangs', { hang: true }],
  ['sends one byte a second', { drip_ms: 1_000 }],
  ['resets the connection', { reset: true }],
  ['answers 500', { status: 500, body: { decision: 'allow' } }],
  ['redirects', { status: 307, headers: { location: 'http://169.254.169.254/' }, body: { decision: 'allow' } }],
  ['answers 2 MB', { repeat: { part: Buffer.alloc(65_536, ' '), times: 32 } }],
  ['answers no JSON', { body: 'allow' }],
  ['answers two decisions', { body: '{"decision":"allow","decision":"allow"}' }],
  ['answers an unknown decision', { body: { decision: 'yes' } }],
];

const policies: Record<string, Expected> = {
  'before, refuse': { fields: { points: ['before'] }, codes: ['HOOK_FAILED'], sent: 0 },
  'before, allow': { fields: { points: ['before'], on_failure: 'allow' }, codes: [null], sent: 1 },
  'after, refuse': { fields: { points: ['after'] }, codes: ['HOOK_FAILED'], sent: 1 },
};

/** Forty answers at once may take a busy machine longer than the timeout. */
const denied: [string, Respond, Expected][] = [
  [
    'denies',
    { body: { decision: 'deny' } },
    { fields: { points: ['before'], timeout_ms: 3_000 }, codes: ['CALL_DENIED', 'HOOK_FAILED'], sent: 0 },
  ],
  [
    'changes the arguments into wrong ones',
    { body: { decision: 'allow', arguments: { member_id: 'other' } } },
    {
      fields: { points: ['before'], may_change: true, timeout_ms: 3_000 },
      codes: ['VALIDATION_ERROR', 'HOOK_FAILED'],
      sent: 0,
    },
  ],
];

/**
 * Hooks that hang, lie, answer too much or redirect, 40 calls at once each: every call is made once or not at all, as its hook says, its
 * answer says which, and the calls of another project succeed meanwhile.
 */
export async function badHooks(stage: Stage): Promise<Ledger> {
  const { ledger, client } = openLedger(stage.replicas);
  ledger.expected_codes.add('HOOK_FAILED');
  const healthy = await makeTenant(stage);
  let slowest_ms = 0;
  const runs = bad.flatMap(([what, response]) =>
    Object.entries(policies).map(
      ([policy, expected]) => [`${what} (${policy})`, response, expected] as [string, Respond, Expected],
    ),
  );
  for (const [what, response, expected] of [...runs, ...denied]) {
    const tenant = await makeTenant(stage);
    await makeHook(stage, tenant, response, expected);
    const calls = Array.from({ length: AT_ONCE }, (_, i) =>
      callOnce(client, stage.replicas[i % stage.replicas.length] as Replica, {
        tenant,
        tool_id: tenant.tool_id,
        kind: what,
        n: `${i}`,
      }),
    );
    slowest_ms = Math.max(slowest_ms, await callHealthy(client, ledger, stage.replicas, healthy));
    for (const operation of await Promise.all(calls)) {
      const [attempt] = operation.attempts;
      if (operation.outcome !== 'done' && attempt?.status !== null) operation.outcome = 'failed';
      if (!expected.codes.includes(attempt?.code ?? null))
        ledger.problems.push(`${what}: ${attempt?.status} ${attempt?.code}`);
    }
    countSent(stage, ledger, { tenant, what, sent: expected.sent });
  }
  ledger.recoveries_ms.push(await callHealthy(client, ledger, stage.replicas, healthy));
  ledger.notes.push(`the slowest call of another project meanwhile took ${Math.round(slowest_ms)} ms`);
  await client.close();
  return ledger;
}

async function makeHook(stage: Stage, tenant: Tenant, response: Respond, { fields }: Expected): Promise<void> {
  const { good } = stage.upstreams;
  const path = `/${unique('policy')}`;
  good.respond(path, response);
  const body = { url: good.url + path, timeout_ms: TIMEOUT_MS, ...fields };
  await asRoot(stage, 'POST', `/projects/${tenant.project_id}/hooks`, { body });
}

/** Each call has an argument of its own. */
function countSent(
  { upstreams }: Stage,
  ledger: Ledger,
  { tenant, what, sent }: { tenant: Tenant; what: string; sent: 0 | 1 },
): void {
  const arrived = upstreams.good.at(tenant.tool_path).map(({ body }) => JSON.parse(body.toString()).n as string);
  const once = new Set(arrived).size;
  ledger.duplicated += arrived.length - once;
  if (sent === 0) ledger.wrongly_accepted += once;
  else ledger.lost += AT_ONCE - once;
  if (once !== sent * AT_ONCE) ledger.problems.push(`${what}: ${once} of ${AT_ONCE} calls were sent`);
}
