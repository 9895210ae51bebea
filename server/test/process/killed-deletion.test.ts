// A process that is killed while it deletes a member: what it had not erased is erased by another one, and nobody has to ask for it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { App } from '../../src/app.ts';
import { openDatabase, openPool } from '../../src/database/connection.ts';
import { findInDatabase } from '../support/database/find-in-database.ts';
import { insertMembers } from '../support/database/insert-members.ts';
import { recordMany } from '../support/database/record-many.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { untilLockWait } from '../support/database/until-lock-wait.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const { url, drop } = await copyTemplate();
after(drop);
const pool = openPool({ connectionString: url }, { size: 4, connect_timeout_ms: 60_000 });
const database = openDatabase(pool);
after(() => database.destroy());
const app = { database, pool, background: { database, pool } } as App;

const start = () => startProcess({ DATABASE_URL: url, TOOLGATE_ROOT_KEY: ROOT_KEY, TOOLGATE_MASTER_KEYS: MASTER_KEY });

test('a member whose deletion was killed half-way is gone at once, and erased after the restart', async () => {
  const killed = await start();
  const { id, keys } = await makeTenant(killed);
  const member_id = 'mem_halfway00000000000000';
  await insertMembers(database, id, [member_id]);
  const since = Date.now() - 3_600_000;
  await recordMany(app, id, { count: 5_000, since }, { member_id: `'${member_id}'` });

  const locking = await pool.connect();
  await locking.query('begin; set local idle_in_transaction_session_timeout = 0');
  await locking.query('select from tool_calls where member_id = $1 order by created_at desc limit 1 for update', [
    member_id,
  ]);
  const deleting = killed.api('DELETE', `/members/${member_id}`, { key: keys.admin }).catch(() => null);
  await untilLockWait(app);
  await killed.stop('SIGKILL');
  assert.equal(await deleting, null, 'it was not acknowledged');
  await locking.query('commit');
  locking.release();

  const server = await start();
  after(() => server.stop());
  expectResponse(await server.api('GET', `/members/${member_id}`, { key: keys.admin }), 404);
  assert.ok((await findInDatabase(app, [member_id])).has('tool_calls'), 'it was killed half-way');
  // As if half a minute had passed.
  await pool.query(`update member_deletions set created_at = created_at - interval '1 minute'`);
  await pool.query(`update jobs set run_at = clock_timestamp() where subject = 'unfinished deletions of members'`);
  const isErased = async () => (await findInDatabase(app, [member_id, `external-${member_id}`])).size === 0;
  await waitUntil(isErased, 60_000, 'everything is erased');
});
