import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Asked,
  ask,
  call,
  changeTool,
  decide,
  expectHonest,
  type Guarded,
  makeGuarded,
  type Running,
  sentOf,
  statusOf,
} from '../approvals.ts';
import { duringFault, type Ledger } from '../ledger.ts';
import { openLedger, type Stage } from '../stage.ts';
import { asRoot, unique } from '../tenant.ts';

const ROUNDS = 8;
const USES = 20;
const POLL_MS = 20;
const ASKS_AGAIN = ['CONFIRMATION_REQUIRED'];

type Race = (guarded: Guarded, round: number) => Promise<void>;

/** At two replicas: one of both counts, the other is told so, and the call follows the one that counts. */
const approveAndDecline: Race = async (guarded, round) => {
  const what = 'approve and decline at once';
  const asked = await ask(guarded, guarded.at(round));
  const [yes, no, early] = await Promise.all([
    decide(guarded, guarded.at(round), 'approve', asked),
    decide(guarded, guarded.at(round + 1), 'decline', asked),
    call(guarded, guarded.at(round + 2), asked),
  ]);
  const isApproved = yes.status === 200;
  if (
    [yes, no]
      .map(({ status }) => status)
      .sort((a, b) => Number(a) - Number(b))
      .join() !== '200,409'
  )
    guarded.ledger.problems.push(`${what}: ${yes.status} and ${no.status}`);
  const late = await call(guarded, guarded.at(round), asked);
  const codes = [...ASKS_AGAIN, 'CALL_DECLINED'];
  expectHonest(guarded, what, asked, [early, late], { codes, expected: isApproved ? 1 : 0 });
};

const useManyTimes: Race = async (guarded, round) => {
  const asked = await ask(guarded, guarded.at(round));
  await decide(guarded, guarded.at(round + 1), 'approve', asked);
  const uses = Array.from({ length: USES }, (_, i) => call(guarded, guarded.at(i), asked));
  expectHonest(guarded, `${USES} uses`, asked, await Promise.all(uses), { codes: ASKS_AGAIN, expected: 1 });
};

/** A yes counts for the definition that was shown: what the tool became meanwhile is never called with it. */
const changeMeanwhile: Race = async (guarded, round) => {
  const what = 'the tool changes';
  const { stage, tenant, ledger } = guarded;
  const asked = await ask(guarded, guarded.at(round));
  const endpoint_path = `/${unique('changed')}`;
  const [, , ...responses] = await Promise.all([
    decide(guarded, guarded.at(round), 'approve', asked),
    changeTool(stage, tenant, { endpoint_path }),
    ...[0, 1, 2].map((i) => call(guarded, guarded.at(i), asked)),
  ]);
  const late = await call(guarded, guarded.at(round + 1), asked);
  if (late.status === 200) ledger.wrongly_accepted += 1;
  expectHonest(guarded, what, asked, [...responses, late], { codes: ASKS_AGAIN });
  ledger.wrongly_accepted += sentOf(guarded, asked, endpoint_path);
  const status = await statusOf(guarded, asked);
  if (status !== (sentOf(guarded, asked) === 1 ? 'used' : 'cancelled')) ledger.problems.push(`${what}: then ${status}`);
  await changeTool(stage, tenant, { endpoint_path: tenant.tool_path });
};

/** Before the answer, or at the same time as it: nobody else has the yes then. */
const revokeKey: Race = async (guarded, round) => {
  const what = 'the key is revoked';
  const { stage, tenant, ledger } = guarded;
  const own = { ...guarded, caller: await newKey(guarded) };
  const asked = await ask(own, own.at(round));
  const revoke = () => asRoot(stage, 'POST', `/projects/${tenant.project_id}/api-keys/${own.caller.id}/revoke`);
  const isBefore = round % 2 === 0;
  if (isBefore) await revoke();
  const [decided, early] = await Promise.all([
    decide(own, own.at(round), 'approve', asked),
    call(own, own.at(round + 1), asked),
    ...(isBefore ? [] : [revoke()]),
  ]);
  if (isBefore && decided.status !== 409) ledger.problems.push(`${what}: the decision is ${decided.status}`);
  const stolen = await call(own, own.at(round + 1), asked, guarded.caller.key);
  if (stolen.status === 200) ledger.wrongly_accepted += 1;
  const codes = ['INVALID_API_KEY', ...ASKS_AGAIN];
  expectHonest(own, what, asked, [early, stolen], { codes, ...(isBefore && { expected: 0 }) });
  const status = await statusOf(own, asked);
  if (status !== (sentOf(own, asked) === 1 ? 'used' : 'cancelled')) ledger.problems.push(`${what}: then ${status}`);
};

const newKey = ({ stage, tenant: { project_id } }: Guarded): Promise<Guarded['caller']> =>
  asRoot(stage, 'POST', `/projects/${project_id}/api-keys`, { body: { name: unique('key'), permissions: ['read'] } });

/** The replica that took the yes is gone: the yes is not, and another replica uses it once. */
const killAfterYes: Race = async (guarded) => {
  const { ledger } = guarded;
  const asked = await ask(guarded, guarded.at(0));
  const decided = await decide(guarded, guarded.at(0), 'approve', asked);
  await duringFault(ledger, () => guarded.at(0).stop('SIGKILL'));
  const responses = await Promise.all([1, 2, 1, 2].map((i) => call(guarded, guarded.at(i), asked)));
  if (decided.status !== 200) ledger.problems.push(`kill after the yes: the decision is ${decided.status}`);
  expectHonest(guarded, 'kill after the yes', asked, responses, { codes: ASKS_AGAIN, expected: 1 });
  await guarded.at(0).start();
};

/** In the middle of the decision: it was made, or it was not, and the call follows what is stored. */
const killDuringYes: Race = async (guarded) => {
  const { ledger } = guarded;
  const asked = await ask(guarded, guarded.at(1));
  const deciding = decide(guarded, guarded.at(0), 'approve', asked);
  await duringFault(ledger, () => guarded.at(0).stop('SIGKILL'));
  const decided = await deciding;
  const status = await untilSettled(guarded, asked);
  if (decided.status === 200 && status !== 'approved') ledger.lost += 1;
  const responses = await Promise.all([1, 2].map((i) => call(guarded, guarded.at(i), asked)));
  const expected = status === 'approved' ? 1 : 0;
  expectHonest(guarded, 'kill during the yes', asked, responses, { codes: ASKS_AGAIN, expected });
  await guarded.at(0).start();
};

/** PostgreSQL may still run the statement of a connection that is gone. */
async function untilSettled(guarded: Guarded, asked: Asked): Promise<string> {
  const { stage } = guarded;
  for (;;) {
    const [row] = await stage.postgres.query<{ count: string }>(
      `select count(*) as count from pg_stat_activity where state <> 'idle' and query ilike '%approvals%' and pid <> pg_backend_pid()`,
      [],
    );
    if (Number(row?.count) === 0) return statusOf(guarded, asked);
    await sleep(POLL_MS);
  }
}

/** The API has the request, and its answer is lost: the yes is used up, and the same call asks again instead of being sent twice. */
const killDuringCall: Race = async (guarded) => {
  const { ledger, stage, tenant } = guarded;
  const { good } = stage.upstreams;
  const asked = await ask(guarded, guarded.at(0));
  await decide(guarded, guarded.at(1), 'approve', asked);
  good.respond(tenant.tool_path, { hang: true });
  const calling = call(guarded, guarded.at(0), asked);
  while (sentOf(guarded, asked) === 0) await sleep(POLL_MS);
  await duringFault(ledger, () => guarded.at(0).stop('SIGKILL'));
  const lost = await calling;
  good.respond(tenant.tool_path, { body: {} });
  const again = await Promise.all([1, 2].map((i) => call(guarded, guarded.at(i), asked)));
  expectHonest(guarded, 'kill during the call', asked, [lost, ...again], { codes: ASKS_AGAIN, expected: 1 });
  await guarded.at(0).start();
};

/**
 * Calls that a person has to approve, over three replicas: contradicting decisions, many uses, a tool that changes, a key that is
 * revoked and replicas that are killed. Each call is sent once or not at all, and every answer says which.
 */
export async function approvalRaces(stage: Stage): Promise<Ledger> {
  const { ledger, client } = openLedger(stage.replicas);
  const running: Running = { stage, ledger, client };
  for (const race of [approveAndDecline, useManyTimes, changeMeanwhile, revokeKey]) {
    const guarded = await makeGuarded(running);
    for (let round = 0; round < ROUNDS; round += 1) await race(guarded, round);
  }
  for (const race of [killAfterYes, killDuringYes, killDuringCall]) await race(await makeGuarded(running), 0);
  await client.close();
  return ledger;
}
