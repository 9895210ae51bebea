// The exchange of an assertion compared with its minimum: one jose.jwtVerify and one insert of a row. Both alternate in this
// process, so that other load affects them equally.

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jwtVerify, SignJWT } from 'jose';
import type { ApiKeyCaller, RootCaller } from '../../server/src/access/caller.ts';
import { type App, openApp } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { newId } from '../../server/src/database/ids.ts';
import { registerAssertionKey } from '../../server/src/features/members/assertion-keys/register.ts';
import { exchange } from '../../server/src/features/members/member-sessions/exchange.ts';
import { createKey } from '../../server/src/features/projects/api-keys/create.ts';
import { loadKeyCaller } from '../../server/src/features/projects/api-keys/verify.ts';
import { createIntegration } from '../../server/src/features/projects/integrations/create.ts';
import { createProject } from '../../server/src/features/projects/projects/create.ts';
import { findProject } from '../../server/src/features/projects/projects/find.ts';
import { createLog } from '../../server/src/log/log.ts';
import { hashToken, makeToken } from '../../server/src/secrets/tokens.ts';
import { finish, report } from '../measure.ts';
import { cpuOf, postgresProcesses } from '../processes.ts';
import { median } from '../statistics.ts';

const WARM_UP = 5;
const ROUNDS = 15;
const CALLS = 400;
const AT_ONCE = 8;
const MEMBERS = 50;

type Signer = { kid: string; privateKey: KeyObject; publicKey: KeyObject };
type Work = (i: number) => Promise<unknown>;
type Cost = { own: number; database: number };

async function makeCaller(app: App): Promise<ApiKeyCaller> {
  const root: RootCaller = { kind: 'root', project: null };
  const made = await createProject(app, root, { name: 'bench', environment: 'production' });
  const projectCaller: RootCaller = { kind: 'root', project: await findProject(app, made.id) };
  const { id } = await createIntegration(app, projectCaller, { name: 'bench', description: null, toolset_ids: null });
  const { key } = await createKey(app, projectCaller, {
    name: 'bench',
    permissions: ['read'],
    expires_at: null,
    toolset_ids: null,
    can_approve: false,
    integration_id: id,
  });
  const caller = await loadKeyCaller(app, key);
  if (caller?.kind !== 'api_key') throw new Error('the key does not work');
  return caller;
}

async function makeSigner(app: App, caller: ApiKeyCaller, kid: string): Promise<Signer> {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const public_key = String(pair.publicKey.export({ type: 'spki', format: 'pem' }));
  await registerAssertionKey(app, caller, { kid, public_key, algorithm: 'ES256' });
  return { kid, ...pair };
}

/** Signed before the measurement; valid for one round. */
function signAll(app: App, caller: ApiKeyCaller, signers: Signer[], subject: (i: number) => string): Promise<string[]> {
  const now = Math.floor(app.now() / 1000);
  return Promise.all(
    Array.from({ length: CALLS }, (_, i) => {
      const { kid, privateKey } = signers[i % signers.length] as Signer;
      return new SignJWT({ sub: subject(i), aud: `service:project:${caller.project.id}`, jti: newId('req') })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setIssuedAt(now)
        .setExpirationTime(now + 55)
        .sign(privateKey);
    }),
  );
}

/** Returns CPU microseconds per call of this process with its threads, and of the database's processes. */
async function cpuPerCall(work: Work): Promise<Cost> {
  let next = 0;
  const databaseBefore = databaseCpuMs();
  const before = process.cpuUsage();
  const worker = async () => {
    while (next < CALLS) {
      const i = next;
      next += 1;
      await work(i);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const { user, system } = process.cpuUsage(before);
  return { own: (user + system) / CALLS, database: ((databaseCpuMs() - databaseBefore) * 1000) / CALLS };
}

const databaseCpuMs = () => cpuOf(postgresProcesses(process.pid));

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function benchExchange(app: App, caller: ApiKeyCaller, signer: Signer): Promise<void> {
  await app.pool.query('create table bench_rows (hash bytea primary key, name text not null, expires_at timestamptz)');
  const insert = 'insert into bench_rows (hash, name, expires_at) values ($1, $2, $3)';
  const ours: Cost[] = [];
  const floor: Cost[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const tokens = await signAll(app, caller, [signer], (i) => `member-${i % MEMBERS}`);
    const verifyAndInsert: Work = async (i) => {
      const { payload } = await jwtVerify(tokens[i] as string, signer.publicKey, { algorithms: ['ES256'] });
      const values = [hashToken(makeToken('svc_mst_')), payload.sub, new Date(app.now() + 900_000).toISOString()];
      await app.pool.query({ name: 'bench-insert', text: insert, values });
    };
    const ourExchange: Work = (i) => exchange(app, caller, { member_assertion: tokens[i] as string });
    floor.push(await cpuPerCall(verifyAndInsert));
    ours.push(await cpuPerCall(ourExchange));
  }
  const own = (costs: Cost[]) => median(costs.slice(WARM_UP).map(({ own }) => own));
  const database = (costs: Cost[]) => mean(costs.slice(WARM_UP).map(({ database }) => database));
  report('CPU of jose.jwtVerify and one insert, ES256', own(floor), ' µs');
  report('CPU of an exchange, ES256', own(ours), ' µs');
  report('an exchange compared with jose.jwtVerify and one insert', own(ours) / own(floor), ' x', 1.5);
  report("the database's CPU for one insert", database(floor), ' µs');
  report("the database's CPU for an exchange", database(ours), ' µs');
  report('the same, including the database', (own(ours) + database(ours)) / (own(floor) + database(floor)), ' x');
}

/** Alternates between 10 assertion keys and members, and 1,000 keys, which is the limit, and 10,000 members. */
async function benchScale(app: App, small: ApiKeyCaller, large: ApiKeyCaller): Promise<void> {
  const insertMany = `
    with template as (select algorithm, public_key, fingerprint from assertion_keys limit 1), made as (
      insert into members (id, project_id, external_id)
      select 'mem_bench' || i, $1, 'member-' || i from generate_series(0, 9999) i
    )
    insert into assertion_keys (id, project_id, kid, algorithm, public_key, fingerprint, created_by)
    select 'akey_bench' || i, $1, 'bench-' || i, algorithm, public_key, fingerprint, 'root'
    from template, generate_series(1, 990) i`;
  const signers = new Map<ApiKeyCaller, Signer[]>();
  for (const caller of [small, large]) {
    const made = Array.from({ length: 10 }, (_, i) => makeSigner(app, caller, `scale-${i}`));
    signers.set(caller, await Promise.all(made));
  }
  await app.pool.query(insertMany, [large.project.id]);
  await app.pool.query('analyze');
  const cost = async (caller: ApiKeyCaller, members: number) => {
    const subject = (i: number) => `member-${(i * 7919) % members}`;
    const tokens = await signAll(app, caller, signers.get(caller) as Signer[], subject);
    return cpuPerCall((i) => exchange(app, caller, { member_assertion: tokens[i] as string }));
  };
  const few: Cost[] = [];
  const many: Cost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    few.push(await cost(small, 10));
    many.push(await cost(large, 10_000));
  }
  const total = (costs: Cost[]) => median(costs.map(({ own }) => own)) + mean(costs.map(({ database }) => database));
  report(
    'an exchange among 1,000 assertion keys and 10,000 members, compared with 10',
    total(many) / total(few),
    ' x',
    1.3,
  );
}

const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(data, 0o755);
const config = readConfig({ TOOLGATE_DATA_DIR: join(data, 'data'), TOOLGATE_LOG_LEVEL: 'silent' });
const { app, close } = await openApp(config, createLog('silent'));
try {
  const caller = await makeCaller(app);
  await benchExchange(app, caller, await makeSigner(app, caller, 'bench'));
  await benchScale(app, await makeCaller(app), await makeCaller(app));
} finally {
  await close();
  rmSync(data, { recursive: true, force: true });
}
finish();
